import type { SharedBytes } from './disk-messages.ts';

export type Slabs = ReturnType<typeof createSlabs>;

/** Nearly all images are smaller. They are read from memory and written in one step. */
const slabBytes = 1 << 20;
/**
 * Slabs kept for reuse: as many as uploads need in flight (`imaging/archive/store/store-instances.ts`). The garbage collector does not count
 * shared memory, so unused slabs may stay for long.
 */
const mostReady = 64;

/** Lends memory shared by all threads and reuses it. An upload creates almost no garbage. */
export const createSlabs = () => {
  const ready: SharedBytes[] = [];
  return {
    take: (): SharedBytes => ready.pop() ?? new Uint8Array(new SharedArrayBuffer(slabBytes)),
    /** Returns a slab that no thread reads or writes any more. */
    giveBack: (slab: SharedBytes): void => {
      if (ready.length < mostReady) ready.push(slab);
    },
  };
};
