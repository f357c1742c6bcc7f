import { type FileHandle, open } from 'node:fs/promises';

type OpenFile = { handle: Promise<FileHandle>; users: number; isDropped: boolean; lastUsed: number };

/** Number of files that stay open. Frames read one after another come from the same few files. */
const mostFiles = 1000;
/**
 * Milliseconds after which an unused file is closed. The disk space of a removed file is freed only when the file is
 * closed here.
 */
const idleLimit = 30_000;

/**
 * Keeps files open between reads, because opening and closing takes as long as reading a frame. Use it only for files
 * that never change.
 */
export const createOpenFiles = () => {
  /** The least recently used file comes first. */
  const files = new Map<string, OpenFile>();

  const closeUnused = async (file: OpenFile) => {
    if (!file.isDropped || file.users > 0) return;
    // A file that failed to open needs no close. Its readers received the error.
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
    /** Opens a file, or reuses a file that is already open. The file stays open for a while. */
    withFile: async <T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> => {
      const file = take(path);
      try {
        return await use(await file.handle);
      } catch (error) {
        // After an error, the next read opens the file again.
        void drop(path);
        throw error;
      } finally {
        file.users -= 1;
        await closeUnused(file);
        await dropOldest();
      }
    },

    /** Closes a file that is about to be removed. */
    drop,

    close: async (): Promise<void> => {
      clearInterval(idleCheck);
      await Promise.all([...files.keys()].map(drop));
    },
  };
};
