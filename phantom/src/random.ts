import { createHash } from 'node:crypto';

/** Numbers from 0 up to 1 that look random and are the same for the same seed (mulberry32). */
export const randomFrom = (seed: string): (() => number) => {
  let state = createHash('sha256').update(seed).digest().readUInt32LE();
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
};
