import type { SharedBytes } from './disk-messages.ts';

export type Slabs = ReturnType<typeof createSlabs>;

/**
 * Bytes of a slab. Nearly all images are smaller. Images up to this size stay in memory and are written in one step.
 */
const slabBytes = 1 << 20;
/**
 * Number of slabs kept for reuse, as many as uploads need at once (`imaging/archive/store/store-instances.ts`). The
 * garbage collector does not count shared memory, so it may free unused slabs late.
 */
const mostReady = 64;

/** Lends memory that all threads share, and reuses it. An upload thus creates little garbage. */
export const createSlabs = () => {
  const ready: SharedBytes[] = [];
  return {
    take: (): SharedBytes => ready.pop() ?? new Uint8Array(new SharedArrayBuffer(slabBytes)),
    /** Takes back a slab that no thread uses. */
    giveBack: (slab: SharedBytes): void => {
      if (ready.length < mostReady) ready.push(slab);
    },
  };
};
