import { transferSyntaxOf } from '@radwork/dicom/transfer-syntax';
import { matches, type MediaRange } from './accept.ts';

/** How frames are answered: as the parts of a message or, if it is one and the client asks so, bare. */
export type FrameForm = { mediaType: string; isMultipart: boolean };

const octetStream = 'application/octet-stream';

/**
 * The form in which a client wants frames that are there in one transfer syntax: as bytes, or under the media type
 * of that syntax (PS3.18 §8.7.3.3, §8.7.8). Undefined when it accepts neither.
 */
export const frameFormOf = (
  ranges: readonly MediaRange[],
  transferSyntaxUid: string,
  frames: number,
): FrameForm | undefined => {
  const mediaTypes = [octetStream, transferSyntaxOf(transferSyntaxUid)?.mediaType ?? octetStream];
  for (const range of ranges) {
    const wanted = range.parameters.get('transfer-syntax') ?? '*';
    if (wanted !== '*' && wanted !== transferSyntaxUid) continue;
    if (range.type === '*/*' || range.type === 'multipart/*') return { mediaType: octetStream, isMultipart: true };
    const isMultipart = range.type === 'multipart/related';
    const type = isMultipart ? (range.parameters.get('type') ?? octetStream).toLowerCase() : range.type;
    const mediaType = mediaTypes.find((offered) => matches({ ...range, type }, offered));
    if (mediaType && (isMultipart || frames === 1)) return { mediaType, isMultipart };
  }
  return undefined;
};
