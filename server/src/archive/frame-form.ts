import { explicitLittleEndian, transferSyntaxOf } from '@radwork/dicom/transfer-syntax';
import { matches, type MediaRange } from './accept.ts';
import { canDecode } from './rendering/decodable.ts';

/**
 * How frames are answered: as the parts of a message or, if it is one and the client asks so, bare; as they are, or
 * without the compression that they have.
 */
export type FrameForm = { mediaType: string; isMultipart: boolean; isDecoded: boolean };

const octetStream = 'application/octet-stream';

/**
 * The form in which a client wants frames that are there in one transfer syntax: as bytes, under the media type
 * of that syntax, or uncompressed (PS3.18 §8.7.3.3, §8.7.8). Undefined when it accepts none of these. A range that
 * names no transfer syntax is taken to want what there is.
 */
export const frameFormOf = (
  ranges: readonly MediaRange[],
  transferSyntaxUid: string,
  frames: number,
): FrameForm | undefined => {
  const asStored = [octetStream, transferSyntaxOf(transferSyntaxUid)?.mediaType ?? octetStream];
  for (const range of ranges) {
    const wanted = range.parameters.get('transfer-syntax') ?? '*';
    const isDecoded = wanted === explicitLittleEndian.uid && wanted !== transferSyntaxUid;
    if (isDecoded ? !canDecode(transferSyntaxUid) : wanted !== '*' && wanted !== transferSyntaxUid) continue;
    if (range.type === '*/*' || range.type === 'multipart/*') {
      return { mediaType: octetStream, isMultipart: true, isDecoded };
    }
    const isMultipart = range.type === 'multipart/related';
    const type = isMultipart ? (range.parameters.get('type') ?? octetStream).toLowerCase() : range.type;
    const offered = isDecoded ? [octetStream] : asStored;
    const mediaType = offered.find((one) => matches({ ...range, type }, one));
    if (mediaType && (isMultipart || frames === 1)) return { mediaType, isMultipart, isDecoded };
  }
  return undefined;
};
