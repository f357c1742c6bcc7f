import type { FrameRanges } from './frame-index.ts';

/** Frames of single bits that follow one another without gaps, so that most begin within a byte (PS3.5 §8.1.1, §D.1). */
export type PackedBits = { offset: number; bitsPerFrame: number; frames: number };

/** The bytes that hold each frame. Neighbours share the byte in which one ends and the next begins. */
export const packedRanges = ({ offset, bitsPerFrame, frames }: PackedBits): FrameRanges[] =>
  Array.from({ length: frames }, (_, frame) => {
    const first = Math.floor((frame * bitsPerFrame) / 8);
    const end = Math.ceil(((frame + 1) * bitsPerFrame) / 8);
    return [[offset + first, end - first]];
  });

/** One frame (from 0) of the bytes that hold it, moved to begin with bit 0 of a byte; the bits after it are zero. */
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
