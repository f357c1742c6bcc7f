import { type FileHandle, open } from 'node:fs/promises';
import type { SharedBytes } from './disk-messages.ts';
import type { DiskFile, DiskThreads } from './disk-threads.ts';
import { readFrom } from './file-system.ts';
import type { Slabs } from './shared-buffers.ts';

/** Received bytes. The caller must close or discard them. */
export type ReceivedFile = {
  sha256: Promise<string>;
  size: number;
  path: string;
  /** Resolves when the file is complete. With `isDurable`, resolves when the file also survives a power cut. */
  written: Promise<void>;
  /** Reads up to `length` bytes from `offset`; fewer at the end. Not allowed after `close`. */
  read: (offset: number, length: number) => Promise<Buffer>;
  /** Releases the memory of a complete file. After this, reading is not allowed. May be called twice. */
  close: () => Promise<void>;
  /** Deletes the received bytes. */
  discard: () => Promise<void>;
};

export type DiskOptions = {
  threads: DiskThreads;
  /** True when received files must survive a power cut. */
  isDurable: boolean;
};

/**
 * Receives a stream into a new file. Resolves when all bytes have arrived; reading is allowed while hashing continues.
 * After a failure no file remains. `admit` receives the size so far and may throw to refuse more bytes.
 */
export const receiveFile = async (
  path: string,
  source: AsyncIterable<Buffer>,
  { threads, slabs, isDurable }: DiskOptions & { slabs: Slabs },
  admit: (size: number) => void,
): Promise<ReceivedFile> => {
  const disk = threads.open(path);
  const slab = slabs.take();
  try {
    const { size, held, isWhole } = await takeIn(source, { disk, slab, admit });
    // These steps are one message. Hashing smaller portions while they arrive would wake the thread several times for one
    // image, which takes longer than hashing.
    disk.hash(held);
    const sha256 = disk.digest();
    const written = disk.close(held, { isDurable });
    // Prevents unhandled rejections. Callers of `sync` receive the errors.
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

/** Hashes and writes the stream, except the bytes of the last slab, which `held` returns. */
const takeIn = async (source: AsyncIterable<Buffer>, { disk, slab, admit }: Intake) => {
  let size = 0;
  let filled = 0;
  for await (const chunk of source) {
    size += chunk.length;
    admit(size);
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + slab.length - filled);
      slab.set(part, filled);
      at += part.length;
      filled += part.length;
      if (filled < slab.length) continue;
      disk.hash(slab);
      await disk.write(slab);
      filled = 0;
    }
  }
  return { size, held: slab.subarray(0, filled), isWhole: size === filled };
};

const inMemory = (bytes: SharedBytes) => ({
  // Copies the bytes, because the next file reuses the memory.
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
    // A file that failed to open needs no close.
    close: async () => (await file?.catch(() => undefined))?.close(),
  };
};

const once = (work: () => Promise<void>) => {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
};
