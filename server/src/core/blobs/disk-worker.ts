import { createHash, type Hash } from 'node:crypto';
import { closeSync, fdatasyncSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { FromDisk, SystemError, TemporaryFile, ToDisk } from './disk-messages.ts';

/*
 * Hashes and writes files for disk-threads.ts, one step after another. Here waiting for the disk keeps nobody else.
 */

const port = parentPort;
if (!port) throw new Error('This runs in a thread of its own');

type Calls = Exclude<ToDisk, { kind: 'arrived' }>;

/** A file that is open here. */
type OpenFile = {
  hash: Hash;
  descriptor: number | undefined;
  /** Why it cannot be written; whoever wants to have it complete hears of it. */
  failure: unknown;
};

const files = new Map<number, OpenFile>();

const openFile = ({ id, path }: TemporaryFile): OpenFile => {
  const known = files.get(id);
  if (known) return known;
  const file: OpenFile = { hash: createHash('sha256'), descriptor: undefined, failure: undefined };
  files.set(id, file);
  attempt(file, () => {
    file.descriptor = openSync(path, 'wx', 0o600);
  });
  return file;
};

const attempt = (file: OpenFile, step: () => void) => {
  try {
    step();
  } catch (error) {
    file.failure = error;
  }
};

const arrive = ({ file: name, bytes }: Extract<ToDisk, { kind: 'arrived' }>) => {
  const file = openFile(name);
  file.hash.update(bytes);
  const { descriptor } = file;
  if (descriptor !== undefined && !file.failure) attempt(file, () => write(descriptor, bytes));
};

/** On a disk that is nearly full, a write may write less than it was given without an error. */
const write = (descriptor: number, bytes: Uint8Array) => {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
};

/** The descriptor of a file, if all that has arrived has been written. */
const complete = (name: TemporaryFile): number => {
  const { descriptor, failure } = openFile(name);
  if (failure || descriptor === undefined) throw failure;
  return descriptor;
};

const close = ({ id }: TemporaryFile) => {
  const descriptor = files.get(id)?.descriptor;
  files.delete(id);
  if (descriptor !== undefined) closeSync(descriptor);
};

/** A new name in a folder survives a power cut only when the folder itself is synced. Windows cannot and need not. */
const syncFolder = (path: string) => {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

/** Does what is asked; only a digest has an answer. */
const answer = (message: Calls): string | undefined => {
  switch (message.kind) {
    case 'digest':
      return openFile(message.file).hash.digest('hex');
    case 'flush':
      complete(message.file);
      break;
    case 'close':
      if (message.isDurable) fdatasyncSync(complete(message.file));
      else complete(message.file);
      close(message.file);
      break;
    case 'remove':
      close(message.file);
      rmSync(message.file.path, { force: true });
      break;
    case 'rename':
      for (const { from, to } of message.renames) renameSync(from, to);
      for (const folder of message.folders) syncFolder(folder);
      break;
  }
  return undefined;
};

const say = (message: FromDisk) => port.postMessage(message);

port.on('message', (message: ToDisk) => {
  if (message.kind === 'arrived') return arrive(message);
  try {
    say({ call: message.call, answer: answer(message) });
  } catch (error) {
    say({ call: message.call, error: systemError(error) });
  }
});

const systemError = (error: unknown): SystemError => {
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  return { message, code, syscall };
};
