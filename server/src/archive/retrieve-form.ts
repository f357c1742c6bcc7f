import { explicitLittleEndian, transferSyntaxOf } from '@radwork/dicom/transfer-syntax';
import { matches, type MediaRange } from './accept.ts';
import { canDecode } from './rendering/decodable.ts';

/** How a file is answered: as a part of a message or bare, and as it is stored or in Explicit VR Little Endian. */
export type RetrieveForm = { isMultipart: boolean; isTranscoded: boolean };

/** What of a file decides in which forms it can be had. */
export type Retrievable = {
  transferSyntaxUid: string;
  frames: 'none' | 'found' | 'of one bit' | 'cannot be told apart';
};

const dicom = 'application/dicom';

/**
 * The form that a client wants most of those there are (PS3.18 §8.7.3.5), undefined if it accepts none. A range that
 * names no transfer syntax is taken to want what there is; of two that are wanted alike, what is stored comes first.
 */
export const retrieveFormOf = (ranges: readonly MediaRange[], file: Retrievable): RetrieveForm | undefined => {
  const forms = ranges.flatMap((range) => {
    const isMultipart = takesParts(range);
    const isTranscoded = takesSyntax(range, file);
    const isOffered = (isMultipart || takesBare(range)) && isTranscoded !== undefined;
    return isOffered ? [{ isMultipart, isTranscoded, quality: range.quality }] : [];
  });
  const most = Math.max(...forms.map(({ quality }) => quality));
  const wanted = forms.filter(({ quality }) => quality === most);
  return wanted.find(({ isTranscoded }) => !isTranscoded) ?? wanted[0];
};

const takesBare = (range: MediaRange): boolean => range.type !== '*/*' && matches(range, dicom);

/** Whether a range takes DICOM files as the parts of a message. */
export const takesParts = (range: MediaRange): boolean => {
  if (range.type === '*/*' || range.type === 'multipart/*') return true;
  const type = range.parameters.get('type')?.toLowerCase() ?? dicom;
  return range.type === 'multipart/related' && matches({ ...range, type }, dicom);
};

/** Whether a file would have to be transcoded for a range; undefined where that is not possible. */
const takesSyntax = ({ parameters }: MediaRange, file: Retrievable): boolean | undefined => {
  const wanted = parameters.get('transfer-syntax') ?? '*';
  if (wanted === '*' || wanted === file.transferSyntaxUid) return false;
  return wanted === explicitLittleEndian.uid && canTranscode(file) ? true : undefined;
};

/**
 * Whatever is not compressed can be written anew; what is needs a decoder, and frames that are told apart. Pixels of one bit
 * come out of their decoders in other forms. It has to be known before an answer begins: what fails in it ends it.
 */
const canTranscode = ({ transferSyntaxUid, frames }: Retrievable): boolean => {
  const syntax = transferSyntaxOf(transferSyntaxUid);
  if (!syntax) return false;
  if (!syntax.encapsulated || frames === 'none') return true;
  return frames === 'found' && canDecode(transferSyntaxUid);
};
