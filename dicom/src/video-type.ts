import { transferSyntaxOf } from './transfer-syntax.ts';

const packetLengths = [188, 192] as const;

/** Detects an MPEG transport stream by its sync bytes: packets of 188 bytes, or of 192 with a time before each. */
const isTransportStream = (start: Uint8Array): boolean =>
  packetLengths.some((length) => {
    const first = length - 188;
    const second = start[first + length];
    return start[first] === 0x47 && (second === undefined || second === 0x47);
  });

const boxes = ['ftyp', 'moov', 'mdat', 'moof', 'free', 'skip', 'wide'];

/**
 * Returns the media type of a video by its first bytes, because the transfer syntax does not define the container
 * (PS3.5 §8.2.5 to §8.2.8). An unknown container has the media type of the transfer syntax. A stream without a
 * container has the type of its codec, which no browser plays (RFC 6184, RFC 7798).
 */
export const videoTypeOf = (start: Uint8Array, transferSyntaxUID: string): string => {
  const declared = transferSyntaxOf(transferSyntaxUID)?.mediaType ?? 'video/mp4';
  if (boxes.includes(String.fromCodePoint(...start.subarray(4, 8)))) return 'video/mp4';
  if (isTransportStream(start)) return 'video/mp2t';
  const [first, second, third, fourth] = start;
  if (first === 0x1a && second === 0x45 && third === 0xdf && fourth === 0xa3) return 'video/x-matroska';
  if (first !== 0 || second !== 0) return declared;
  if (third === 1 && (fourth === 0xba || fourth === 0xb3)) return 'video/mpeg';
  const isElementary = third === 1 || (third === 0 && fourth === 1);
  return isElementary && declared === 'video/mp4' ? 'video/H264' : declared;
};
