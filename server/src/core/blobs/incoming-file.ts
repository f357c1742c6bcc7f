import { type FileHandle, open } from 'node:fs/promises';
import type { SharedBytes } from './disk-messages.ts';
import type { DiskFile, DiskThreads } from './disk-threads.ts';
import { readFrom } from './files.ts';
import type { Slabs } from './slabs.ts';

/** Bytes that have arrived; they are to be closed, or discarded. */
export type Received = {
  sha256: Promise<string>;
  size: number;
  path: string;
  /** Resolves when the file is complete, and durable where that is wanted. */
  written: Promise<void>;
  /** Reads `length` bytes from `offset`; fewer when the bytes end before. Not after `close`. */
  read: (offset: number, length: number) => Promise<Buffer>;
  /** Lets go of memory, once the file is complete; nothing is read any more. May be called again. */
  close: () => Promise<void>;
  /** Takes everything back. */
  discard: () => Promise<void>;
};

export type DiskOptions = {
  threads: DiskThreads;
  /** Whether what is received has to survive a power cut here. */
  isDurable: boolean;
};

/** The hash is brought up to what has arrived whenever it is this far behind. */
const hashedAtOnce = 256 << 10;

/**
 * Takes a stream into a new file; resolves when all of it is there, so that it is looked at while it is hashed. A stream
 * that fails leaves nothing behind, and so does what `admit` throws when it hears how much there is by now.
 */
export const receiveFile = async (
  path: string,
  source: AsyncIterable<Buffer>,
  { threads, slabs, isDurable }: DiskOptions & { slabs: Slabs },
  admit: (size: number) => void,
): Promise<Received> => {
  const disk = threads.open(path);
  const slab = slabs.take();
  try {
    const { size, held, isWhole } = await takeIn(source, { disk, slab, admit });
    const sha256 = disk.digest();
    const written = disk.close(held, { isDurable });
    // Nobody waits for them yet; whoever wants to keep the file does.
    for (const promise of [sha256, written]) promise.catch(() => {});
    const file = isWhole ? inMemory(held) : onDisk(path, written);
    const close = once(async () => {
      await written.catch(() => {});
      slabs.giveBack(slab);
      await file.close();
    });
    const discard = async () => {
      await close();
      await disk.remove();
    };
    return { sha256, size, path, written, read: file.read, close, discard };
  } catch (error) {
    await disk.remove().finally(() => slabs.giveBack(slab));
    throw error;
  }
};

type Intake = { disk: DiskFile; slab: SharedBytes; admit: (size: number) => void };

/** Hashes all of a stream. What is more than a slab is written; `held` is what is not written yet. */
const takeIn = async (source: AsyncIterable<Buffer>, { disk, slab, admit }: Intake) => {
  let size = 0;
  let filled = 0;
  let hashed = 0;
  const hash = () => {
    if (filled > hashed) disk.hash(slab.subarray(hashed, filled));
    hashed = filled;
  };
  for await (const chunk of source) {
    size += chunk.length;
    admit(size);
    for (let at = 0; at < chunk.length;) {
      const piece = chunk.subarray(at, at + slab.length - filled);
      slab.set(piece, filled);
      at += piece.length;
      filled += piece.length;
      if (filled - hashed >= hashedAtOnce) hash();
      if (filled < slab.length) continue;
      hash();
      await disk.write(slab);
      filled = 0;
      hashed = 0;
    }
  }
  hash();
  return { size, held: slab.subarray(0, filled), isWhole: size === filled };
};

const inMemory = (bytes: SharedBytes) => ({
  // A copy: the memory is lent to the next file.
  read: async (offset: number, length: number) => Buffer.from(bytes.subarray(offset, offset + length)),
  close: async () => {},
});

const onDisk = (path: string, written: Promise<void>) => {
  let file: Promise<FileHandle> | undefined;
  return {
    read: async (offset: number, length: number) => {
      await written;
      file ??= open(path);
      return readFrom(await file, offset, length);
    },
    // One that could not be opened is not open.
    close: async () => (await file?.catch(() => undefined))?.close(),
  };
};

const once = (work: () => Promise<void>) => {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
};
