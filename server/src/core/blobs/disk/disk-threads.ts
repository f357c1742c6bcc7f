import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { FromDisk, Rename, SharedBytes, SystemError, ToDisk } from './disk-messages.ts';

export type DiskThreads = ReturnType<typeof createDiskThreads>;

/** A file in a disk thread. The thread runs the steps in the order requested. */
export type DiskFile = {
  /** Adds bytes to the hash. The caller may change the bytes only after a later step has replied. */
  hash: (bytes: SharedBytes) => void;
  write: (bytes: SharedBytes) => Promise<void>;
  /** Returns the SHA-256 in hexadecimal. */
  digest: () => Promise<string>;
  /** Writes the last bytes. */
  close: (last: SharedBytes, options: { isDurable: boolean }) => Promise<void>;
  remove: () => Promise<void>;
};

/** Number of threads. One thread hashes while the other waits for the disk. */
const mostThreads = 2;

/**
 * Creates the threads that hash and write files. They start with the first file. On the main thread, hashing would
 * block all requests, and each small step would pass through Node's thread pool.
 */
export const createDiskThreads = () => {
  const threads: DiskThread[] = [];
  let lastId = 0;

  const leastBusy = (): DiskThread => {
    const [free] = threads.toSorted((one, other) => one.load() - other.load());
    if (free && (free.load() === 0 || threads.length >= mostThreads)) return free;
    const thread = startThread(() => threads.splice(threads.indexOf(thread), 1));
    threads.push(thread);
    return thread;
  };

  return {
    open: (path: string): DiskFile => {
      const thread = leastBusy();
      lastId += 1;
      const file = { id: lastId, path };
      const step = async (make: (call: number) => ToDisk): Promise<void> => {
        await thread.ask(make);
      };
      return {
        hash: (bytes) => thread.tell({ kind: 'hash', file, bytes }),
        write: (bytes) => step((call) => ({ kind: 'write', call, file, bytes })),
        digest: async () => (await thread.ask((call) => ({ kind: 'digest', call, file }))) ?? '',
        close: (bytes, { isDurable }) => step((call) => ({ kind: 'close', call, file, bytes, isDurable })),
        // A thread that has ended cannot remove the file.
        remove: () => step((call) => ({ kind: 'remove', call, file })).catch(() => rm(path, { force: true })),
      };
    },

    /** Renames files to their final names and syncs the folders of those files. */
    rename: async (renames: readonly Rename[], folders: readonly string[]): Promise<void> => {
      await leastBusy().ask((call) => ({ kind: 'rename', call, renames, folders }));
    },

    close: async (): Promise<void> => {
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
};

type DiskThread = ReturnType<typeof startThread>;

const startThread = (onEnd: () => void) => {
  const worker = new Worker(new URL('./disk-worker.ts', import.meta.url), { env: {} });
  const waiting = new Map<number, PromiseWithResolvers<string | undefined>>();
  let outbox: ToDisk[] = [];
  let lastCall = 0;
  let failure: unknown;
  let hasEnded = false;
  const ended = () => failure ?? new Error('The file writer thread ended');

  worker.on('message', (message: FromDisk) => {
    const request = waiting.get(message.call);
    waiting.delete(message.call);
    if ('error' in message) request?.reject(asError(message.error));
    else request?.resolve(message.answer);
    if (waiting.size === 0) worker.unref();
  });
  worker.on('error', (error) => {
    failure = error;
  });
  worker.on('exit', () => {
    hasEnded = true;
    onEnd();
    for (const { reject } of waiting.values()) reject(ended());
    waiting.clear();
  });
  worker.unref();

  /** Sends all messages of the same moment together, because waking a thread takes longer than most steps. */
  const send = (message: ToDisk) => {
    if (outbox.push(message) > 1) return;
    queueMicrotask(() => {
      worker.postMessage(outbox);
      outbox = [];
    });
  };

  return {
    /** Returns how many steps wait for a reply. */
    load: () => waiting.size,
    tell: send,
    ask: (make: (call: number) => ToDisk): Promise<string | undefined> => {
      if (hasEnded) return Promise.reject(ended());
      // Keeps the process running while a step waits. During the start of a server, nothing else keeps it running.
      worker.ref();
      lastCall += 1;
      const request = Promise.withResolvers<string | undefined>();
      waiting.set(lastCall, request);
      send(make(lastCall));
      return request.promise;
    },
    end: () => worker.terminate(),
  };
};

const asError = ({ message, ...facts }: SystemError): Error => Object.assign(new Error(message), facts);
