import { explicitLittleEndian, transferSyntaxOf } from '@radwork/dicom/transfer-syntax';
import { matchesMediaType, type MediaRange } from '#imaging/archive/dicomweb/accept-header.ts';
import { canDecode } from '#imaging/archive/pixels/can-decode.ts';

/** Form of a file in an answer: multipart or bare; stored or in Explicit VR Little Endian. */
export type RetrieveForm = { isMultipart: boolean; isTranscoded: boolean };

/** Facts of a file on which the possible forms depend. */
export type Retrievable = {
  transferSyntaxUid: string;
  frames: 'none' | 'found' | 'of one bit' | 'cannot be told apart';
};

const dicom = 'application/dicom';

/**
 * Returns the form that a client wants most (PS3.18 §8.7.3.5). Undefined if it accepts none. A range without a transfer
 * syntax accepts the stored one. Between equally wanted forms, the stored one is used.
 */
export const retrieveFormOf = (ranges: readonly MediaRange[], file: Retrievable): RetrieveForm | undefined => {
  const forms = ranges.flatMap((range) => {
    const isMultipart = acceptsMultipart(range);
    const isTranscoded = takesSyntax(range, file);
    const isOffered = (isMultipart || takesBare(range)) && isTranscoded !== undefined;
    return isOffered ? [{ isMultipart, isTranscoded, quality: range.quality }] : [];
  });
  const most = Math.max(...forms.map(({ quality }) => quality));
  const preferred = forms.filter(({ quality }) => quality === most);
  return preferred.find(({ isTranscoded }) => !isTranscoded) ?? preferred[0];
};

const takesBare = (range: MediaRange): boolean => range.type !== '*/*' && matchesMediaType(range, dicom);

/** Returns whether a range accepts DICOM files as multipart. */
export const acceptsMultipart = (range: MediaRange): boolean => {
  if (range.type === '*/*' || range.type === 'multipart/*') return true;
  const type = range.parameters.get('type')?.toLowerCase() ?? dicom;
  return range.type === 'multipart/related' && matchesMediaType({ ...range, type }, dicom);
};

/** Returns whether a range requires transcoding of a file. Undefined if transcoding is impossible. */
const takesSyntax = ({ parameters }: MediaRange, file: Retrievable): boolean | undefined => {
  const requestedSyntax = parameters.get('transfer-syntax') ?? '*';
  if (requestedSyntax === '*' || requestedSyntax === file.transferSyntaxUid) return false;
  return requestedSyntax === explicitLittleEndian.uid && canTranscode(file) ? true : undefined;
};

/**
 * Returns whether a file can be rewritten. A compressed file needs a decoder and separate frames; a decoder changes
 * one-bit pixels. Checked before an answer begins, because a later failure would break the answer off.
 */
const canTranscode = ({ transferSyntaxUid, frames }: Retrievable): boolean => {
  const syntax = transferSyntaxOf(transferSyntaxUid);
  if (!syntax) return false;
  if (!syntax.encapsulated || frames === 'none') return true;
  return frames === 'found' && canDecode(transferSyntaxUid);
};
