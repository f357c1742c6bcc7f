import type { FrameRanges } from './frame-ranges.ts';

/**
 * Frames of single bits without gaps. Most begin within a byte (PS3.5 §8.1.1, §D.1). If the last byte is missing,
 * `length` is the number of stored bytes. The missing byte is served as zero.
 */
export type PackedBits = { offset: number; bitsPerFrame: number; frames: number; length?: number };

/** The bytes of each frame. Neighboring frames may share a byte. */
export const packedRanges = ({ offset, bitsPerFrame, frames, length = Infinity }: PackedBits): FrameRanges[] =>
  Array.from({ length: frames }, (_, frame) => {
    const first = Math.floor((frame * bitsPerFrame) / 8);
    const end = Math.min(length, Math.ceil(((frame + 1) * bitsPerFrame) / 8));
    return [[offset + first, end - first]];
  });

/** Aligns one frame (from 0) to bit 0 of a byte. The bits after it are zero. */
export const alignedFrame = (bytes: Buffer, { bitsPerFrame }: PackedBits, frame: number): Buffer => {
  const shift = (frame * bitsPerFrame) % 8;
  const aligned = Buffer.alloc(Math.ceil(bitsPerFrame / 8));
  for (let at = 0; at < aligned.length; at += 1) {
    aligned[at] = ((bytes[at] ?? 0) >> shift) | ((bytes[at + 1] ?? 0) << (8 - shift));
  }
  const bitsOfLast = bitsPerFrame % 8;
  const last = aligned.length - 1;
  if (bitsOfLast > 0) aligned[last] = (aligned[last] ?? 0) & (2 ** bitsOfLast - 1);
  return aligned;
};
