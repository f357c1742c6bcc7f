import { parentPort } from 'node:worker_threads';
import { DicomError } from '@radwork/dicom/dicom-error';
import type { FromThread, ToThread } from './facts-messages.ts';
import { factsOf } from './file-facts.ts';
import { readHeaderOf } from './read-header.ts';

/*
 * Reads one file at a time, for facts-thread.ts. Its bytes come from there, since only there is it known where they are.
 */

const port = parentPort;
if (!port) throw new Error('This runs in a thread of its own');

const say = (message: FromThread) => port.postMessage(message);

let awaited: PromiseWithResolvers<Buffer> | undefined;

const read = (offset: number, length: number): Promise<Buffer> => {
  awaited = Promise.withResolvers();
  say({ kind: 'read', offset, length });
  return awaited.promise;
};

const readFile = async (size: number) => {
  try {
    say({ kind: 'facts', facts: await factsOf(await readHeaderOf(read, size), read, size) });
  } catch (error) {
    if (error instanceof DicomError) say({ kind: 'refused', code: error.code, reason: error.message });
    else say({ kind: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
};

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'file':
      return void readFile(message.size);
    case 'bytes':
      return awaited?.resolve(asBuffer(message.bytes));
    case 'unreadable':
      return awaited?.reject(new Error('The file could not be read'));
  }
});

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength);
