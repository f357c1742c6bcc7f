import type { SharedBytes } from './disk-messages.ts';

export type Slabs = ReturnType<typeof createSlabs>;

/** Nearly all images are smaller: they are read from memory, and written at once. */
const slabBytes = 1 << 20;
/**
 * What lies ready between files: as much as uploads have in flight together (`archive/store.ts`). What is not lent again
 * is garbage that the collector knows nothing of: shared memory is not on its account, so it stays until something else
 * calls for it.
 */
const mostReady = 64;

/** Lends memory that all threads see, and lends it again: an upload leaves next to no garbage. */
export const createSlabs = () => {
  const ready: SharedBytes[] = [];
  return {
    take: (): SharedBytes => ready.pop() ?? new Uint8Array(new SharedArrayBuffer(slabBytes)),
    /** Nobody reads or writes it any more, in whatever thread. */
    giveBack: (slab: SharedBytes): void => {
      if (ready.length < mostReady) ready.push(slab);
    },
  };
};
