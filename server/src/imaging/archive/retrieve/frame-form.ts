import { explicitLittleEndian, transferSyntaxOf } from '@radwork/dicom/transfer-syntax';
import { matchesMediaType, type MediaRange } from '#imaging/archive/dicomweb/accept-header.ts';
import { canDecode } from '#imaging/archive/pixels/can-decode.ts';

/**
 * Form of an answer with frames. It is multipart, or bare if a client asks for one frame. The frames are stored or
 * decoded.
 */
export type FrameForm = { mediaType: string; isMultipart: boolean; isDecoded: boolean };

const octetStream = 'application/octet-stream';

/**
 * Chooses how to send frames of one transfer syntax, by the client's media ranges: as octet-stream, in the media type
 * of the transfer syntax, or uncompressed (PS3.18 §8.7.3.3, §8.7.8). Undefined when the client accepts none of them. A
 * media range without a transfer syntax accepts the stored one.
 */
export const frameFormOf = (
  ranges: readonly MediaRange[],
  transferSyntaxUid: string,
  frames: number,
): FrameForm | undefined => {
  const asStored = [octetStream, transferSyntaxOf(transferSyntaxUid)?.mediaType ?? octetStream];
  for (const range of ranges) {
    const requestedSyntax = range.parameters.get('transfer-syntax') ?? '*';
    const isDecoded = requestedSyntax === explicitLittleEndian.uid && requestedSyntax !== transferSyntaxUid;
    if (isDecoded ? !canDecode(transferSyntaxUid) : requestedSyntax !== '*' && requestedSyntax !== transferSyntaxUid)
      continue;
    if (range.type === '*/*' || range.type === 'multipart/*') {
      return { mediaType: octetStream, isMultipart: true, isDecoded };
    }
    const isMultipart = range.type === 'multipart/related';
    const type = isMultipart ? (range.parameters.get('type') ?? octetStream).toLowerCase() : range.type;
    const offered = isDecoded ? [octetStream] : asStored;
    const mediaType = offered.find((one) => matchesMediaType({ ...range, type }, one));
    if (mediaType && (isMultipart || frames === 1)) return { mediaType, isMultipart, isDecoded };
  }
  return undefined;
};
