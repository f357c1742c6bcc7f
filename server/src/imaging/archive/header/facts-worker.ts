import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { DicomError } from '@radwork/dicom/dicom-error';
import type { FromThread, Outcome, ToThread } from './facts-messages.ts';
import { factsOf } from './file-facts.ts';
import { readHeaderOf } from './read-header.ts';

/*
 * Reads one file at a time for facts-thread.ts. That module sends the requested bytes, because only it knows where they
 * are stored.
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

const readFile = async (size: number): Promise<Outcome> => {
  try {
    return { kind: 'facts', facts: await factsOf(await readHeaderOf(read, size), read, size) };
  } catch (error) {
    if (error instanceof DicomError) return { kind: 'refused', fault: error.fault };
    return { kind: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
};

/** Number of bytes that the thread may hold. If it holds more after a file, it ends. */
const mostKept = 64 << 20;

const isSpent = (): boolean => {
  const { total_heap_size, external_memory } = getHeapStatistics();
  return total_heap_size + external_memory > mostKept;
};

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'file':
      return void readFile(message.size).then((outcome) => say({ ...outcome, isSpent: isSpent() }));
    case 'bytes':
      return awaited?.resolve(asBuffer(message.bytes));
    case 'unreadable':
      return awaited?.reject(new Error('The file could not be read'));
  }
});

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength);
