import { Worker } from 'node:worker_threads';
import type { SharedBytes } from './disk-messages.ts';
import type { FileToRead, FromReader, ToReader } from './reading-messages.ts';

/** While one waits for the disk, another reads what is in memory. */
const mostThreads = 2;

/**
 * Threads that read whole files, several by one message: to open, read and close each of them by Node's own threads is
 * three trips there and back, which take longer than reading it. They begin with the first file.
 */
export const createReadingThreads = () => {
  const threads: ReadingThread[] = [];

  const leastBusy = (): ReadingThread => {
    const [free] = threads.toSorted((one, other) => one.load() - other.load());
    if (free && (free.load() === 0 || threads.length >= mostThreads)) return free;
    const thread = startThread(() => threads.splice(threads.indexOf(thread), 1));
    threads.push(thread);
    return thread;
  };

  return {
    /** Throws the error of the first file that cannot be read. Nobody looks at the memory before. */
    read: (target: SharedBytes, files: readonly FileToRead[]): Promise<void> => leastBusy().read(target, files),

    close: async (): Promise<void> => {
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
};

type ReadingThread = ReturnType<typeof startThread>;

const startThread = (onEnd: () => void) => {
  const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), { env: {} });
  const waiting = new Map<number, PromiseWithResolvers<void>>();
  let lastCall = 0;
  let failure: unknown;

  worker.on('message', ({ call, error }: FromReader) => {
    const asked = waiting.get(call);
    waiting.delete(call);
    if (error) asked?.reject(Object.assign(new Error(error.message), error));
    else asked?.resolve();
    if (waiting.size === 0) worker.unref();
  });
  worker.on('error', (error) => {
    failure = error;
  });
  worker.on('exit', () => {
    onEnd();
    for (const { reject } of waiting.values()) reject(failure ?? new Error('The thread that reads files ended'));
    waiting.clear();
  });
  worker.unref();

  return {
    /** How much it has been asked and has not answered yet. */
    load: () => waiting.size,
    read: (target: SharedBytes, files: readonly FileToRead[]): Promise<void> => {
      worker.ref();
      lastCall += 1;
      const asked = Promise.withResolvers<void>();
      waiting.set(lastCall, asked);
      worker.postMessage({ call: lastCall, target, files } satisfies ToReader);
      return asked.promise;
    },
    end: () => worker.terminate(),
  };
};
