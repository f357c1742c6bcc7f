import { type FileHandle, open } from 'node:fs/promises';

type OpenFile = { handle: Promise<FileHandle>; users: number; isDropped: boolean; lastUsed: number };

/** Frames of a series are asked for one after another, and each comes from the same few files as the one before. */
const mostFiles = 1000;
/** A file that was removed by another server takes up its room for as long as it is open here. */
const idleLimit = 30_000;

/**
 * Files that stay open from one reading to the next: to open and close one costs as much as to read a frame of it.
 * Only for files that never change.
 */
export const createOpenFiles = () => {
  /** Least recently used first. */
  const files = new Map<string, OpenFile>();

  const closeUnused = async (file: OpenFile) => {
    if (!file.isDropped || file.users > 0) return;
    // One that could not be opened has failed whoever wanted it; there is nothing to close.
    await file.handle.then(
      (handle) => handle.close(),
      () => {},
    );
  };

  const drop = async (path: string) => {
    const file = files.get(path);
    if (!file) return;
    files.delete(path);
    file.isDropped = true;
    await closeUnused(file);
  };

  const take = (path: string): OpenFile => {
    const known = files.get(path);
    files.delete(path);
    const file = known ?? { handle: open(path), users: 0, isDropped: false, lastUsed: 0 };
    files.set(path, file);
    file.users += 1;
    file.lastUsed = Date.now();
    return file;
  };

  const dropOldest = async () => {
    const [oldest] = files.keys();
    if (files.size > mostFiles && oldest !== undefined) await drop(oldest);
  };

  const idleCheck = setInterval(() => {
    for (const [path, { lastUsed, users }] of files) {
      if (users === 0 && Date.now() - lastUsed > idleLimit) void drop(path);
    }
  }, idleLimit).unref();

  return {
    /** Opens a file, unless it is open, for as long as it is used, and some time longer. */
    withFile: async <T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> => {
      const file = take(path);
      try {
        return await use(await file.handle);
      } catch (error) {
        // Whatever failed, the next reading begins anew.
        void drop(path);
        throw error;
      } finally {
        file.users -= 1;
        await closeUnused(file);
        await dropOldest();
      }
    },

    /** Forgets a file that is being removed. */
    drop,

    close: async (): Promise<void> => {
      clearInterval(idleCheck);
      await Promise.all([...files.keys()].map(drop));
    },
  };
};
