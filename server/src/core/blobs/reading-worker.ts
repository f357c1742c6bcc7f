import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { FromReader, ToReader } from './reading-messages.ts';
import { tooShort } from './files.ts';

/*
 * Reads whole files for reading-threads.ts. Here waiting for the disk keeps nobody else.
 */

const port = parentPort;
if (!port) throw new Error('This runs in a thread of its own');

const say = (message: FromReader) => port.postMessage(message);

port.on('message', ({ call, target, files }: ToReader) => {
  try {
    for (const { path, length, at } of files) readFile(path, target.subarray(at, at + length));
    say({ call });
  } catch (error) {
    const { message, code, syscall } = error as NodeJS.ErrnoException;
    say({ call, error: { message, code, syscall } });
  }
});

const readFile = (path: string, target: Uint8Array) => {
  const file = openSync(path, 'r');
  try {
    for (let have = 0; have < target.length;) {
      const bytes = readSync(file, target, have, target.length - have, have);
      if (bytes === 0) throw tooShort();
      have += bytes;
    }
  } finally {
    closeSync(file);
  }
};
