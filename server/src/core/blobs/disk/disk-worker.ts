import { createHash } from 'node:crypto';
import { closeSync, fdatasyncSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { FromDisk, SystemError, TemporaryFile, ToDisk } from './disk-messages.ts';

/* Hashes and writes files for disk-threads.ts, one step after another. Waiting for the disk blocks only this thread. */

const port = parentPort;
if (!port) throw new Error('This runs in a thread of its own');

type Calls = Exclude<ToDisk, { kind: 'hash' }>;

const hashes = new Map<number, ReturnType<typeof createHash>>();
const descriptors = new Map<number, number>();

const hashOf = (id: number) => {
  const hash = hashes.get(id) ?? createHash('sha256');
  hashes.set(id, hash);
  return hash;
};

const descriptorOf = ({ id, path }: TemporaryFile): number => {
  const descriptor = descriptors.get(id) ?? openSync(path, 'wx', 0o600);
  descriptors.set(id, descriptor);
  return descriptor;
};

const digest = (id: number): string => {
  const sha256 = hashOf(id).digest('hex');
  hashes.delete(id);
  return sha256;
};

/** Repeats short writes: on a nearly full disk, a write may store fewer bytes without an error. */
const write = (descriptor: number, bytes: Uint8Array) => {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
};

const close = (id: number) => {
  const descriptor = descriptors.get(id);
  descriptors.delete(id);
  if (descriptor !== undefined) closeSync(descriptor);
};

/** Synchronous version of the function in file-system.ts. */
const syncFolder = (path: string) => {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

/** Runs one step. Only `digest` returns a value. */
const answer = (message: Calls): string | undefined => {
  switch (message.kind) {
    case 'digest':
      return digest(message.file.id);
    case 'write':
      write(descriptorOf(message.file), message.bytes);
      break;
    case 'close':
      write(descriptorOf(message.file), message.bytes);
      if (message.isDurable) fdatasyncSync(descriptorOf(message.file));
      close(message.file.id);
      break;
    case 'remove':
      hashes.delete(message.file.id);
      close(message.file.id);
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

port.on('message', (messages: readonly ToDisk[]) => {
  for (const message of messages) take(message);
});

const take = (message: ToDisk) => {
  if (message.kind === 'hash') return void hashOf(message.file.id).update(message.bytes);
  try {
    say({ call: message.call, answer: answer(message) });
  } catch (error) {
    say({ call: message.call, error: systemError(error) });
  }
};

const systemError = (error: unknown): SystemError => {
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  return { message, code, syscall };
};
