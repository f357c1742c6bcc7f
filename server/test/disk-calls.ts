import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import workerThreads from 'node:worker_threads';

const { appendFileSync } = fs;

/**
 * Logs each completed sync and rename of this thread, and of threads that it starts, to a file. Replaces strace.
 * Returns two functions: one adds a line, the other stops the log.
 */
export const recordDiskCalls = (log: string) => {
  const { openSync, fsyncSync, fdatasyncSync, renameSync } = fs;
  const { open, rename } = fs.promises;
  const { Worker } = workerThreads;
  const paths = new Map<number, fs.PathLike>();
  const note = (line: string) => appendFileSync(log, `${line}\n`);
  const noteSync = (path: fs.PathLike | undefined) => note(`synced ${String(path)}`);

  Object.assign(fs, {
    openSync: (...call: Parameters<typeof openSync>) => {
      const descriptor = openSync(...call);
      paths.set(descriptor, call[0]);
      return descriptor;
    },
    fsyncSync: (descriptor: number) => {
      fsyncSync(descriptor);
      noteSync(paths.get(descriptor));
    },
    fdatasyncSync: (descriptor: number) => {
      fdatasyncSync(descriptor);
      noteSync(paths.get(descriptor));
    },
    renameSync: (from: fs.PathLike, to: fs.PathLike) => {
      renameSync(from, to);
      note(`named ${String(to)}`);
    },
  });
  Object.assign(fs.promises, {
    open: async (...call: Parameters<typeof open>) => {
      const file = await open(...call);
      const sync = file.sync.bind(file);
      return Object.assign(file, { sync: () => sync().then(() => noteSync(call[0])) });
    },
    rename: async (from: fs.PathLike, to: fs.PathLike) => {
      await rename(from, to);
      note(`named ${String(to)}`);
    },
  });
  const preload = new URL(`./disk-calls.ts?log=${encodeURIComponent(log)}`, import.meta.url).href;
  Object.assign(workerThreads, {
    Worker: class extends Worker {
      constructor(file: string | URL, options: workerThreads.WorkerOptions) {
        super(file, { ...options, execArgv: ['--import', preload] });
      }
    },
  });
  syncBuiltinESMExports();

  const end = () => {
    Object.assign(fs, { openSync, fsyncSync, fdatasyncSync, renameSync });
    Object.assign(fs.promises, { open, rename });
    Object.assign(workerThreads, { Worker });
    syncBuiltinESMExports();
  };
  return { note, end };
};

/** Threads started with this file load it first. */
const logOfThread = new URL(import.meta.url).searchParams.get('log');
if (logOfThread) recordDiskCalls(logOfThread);
