import type { SharedBytes } from './disk-messages.ts';

export type Slabs = ReturnType<typeof createSlabs>;

/** Nearly all images are smaller: they are read from memory, and written at once. */
const slabBytes = 1 << 20;
/** What lies ready between uploads; more is made when it is needed. */
const mostReady = 16;

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
