import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { readFrom } from './files.ts';

export type IncomingFile = ReturnType<typeof createIncomingFile>;

/** Bytes that the network delivers in small pieces are written once there are this many; fewer are held in memory. */
const writtenAtOnce = 1 << 20;

/**
 * A temporary file for bytes that arrive: append them, end it, read and write in any order, close it. What is little is
 * read from memory, and the file is not made before `write`.
 */
export const createIncomingFile = (path: string) => {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let writtenBytes = 0;
  let file: FileHandle | undefined;

  const writeHeld = async () => {
    file ??= await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600);
    await writeAll(file, held, writtenBytes);
  };

  const spill = async () => {
    await writeHeld();
    writtenBytes += heldBytes;
    held = [];
    heldBytes = 0;
  };

  const close = async () => {
    const closing = file;
    file = undefined;
    held = [];
    await closing?.close();
  };

  return {
    path,
    append: async (bytes: Buffer): Promise<void> => {
      held.push(bytes);
      heldBytes += bytes.length;
      if (heldBytes >= writtenAtOnce) await spill();
    },
    /** Nothing more is appended. */
    end: async (): Promise<void> => {
      if (writtenBytes > 0) await spill();
    },
    /** Reads `length` bytes from `offset`; fewer when the bytes end before. Not after `close`. */
    read: async (offset: number, length: number): Promise<Buffer> =>
      file && writtenBytes > 0 ? readFrom(file, offset, length) : cut(held, offset, length),
    /** All that has been appended is in the file, for whoever opens it by its path. */
    write: async (): Promise<void> => {
      if (writtenBytes === 0) await writeHeld();
    },
    /** What has been written survives a power cut. */
    datasync: async (): Promise<void> => file?.datasync(),
    /** Lets go of memory and file; nothing is read any more. */
    close,
    /** Takes everything back. */
    discard: async (): Promise<void> => {
      await close().catch(() => {});
      await rm(path, { force: true });
    },
  };
};

/** On a disk that is nearly full, a write may write less than it was given without an error. */
const writeAll = async (file: FileHandle, buffers: readonly Buffer[], position: number): Promise<void> => {
  let left = buffers;
  let at = position;
  while (left.length > 0) {
    const { bytesWritten } = await file.writev(left, at);
    at += bytesWritten;
    left = without(left, bytesWritten);
  }
};

const without = (buffers: readonly Buffer[], length: number): Buffer[] => {
  let skipped = length;
  return buffers.flatMap((buffer) => {
    const rest = buffer.subarray(Math.min(skipped, buffer.length));
    skipped -= buffer.length - rest.length;
    return rest.length > 0 ? rest : [];
  });
};

/** Mostly out of one piece, without a copy. */
const cut = (buffers: readonly Buffer[], offset: number, length: number): Buffer => {
  const found: Buffer[] = [];
  let start = 0;
  for (const buffer of buffers) {
    const piece = buffer.subarray(Math.max(0, offset - start), Math.max(0, offset + length - start));
    if (piece.length > 0) found.push(piece);
    start += buffer.length;
    if (start >= offset + length) break;
  }
  const [first] = found;
  return first && found.length === 1 ? first : Buffer.concat(found);
};
