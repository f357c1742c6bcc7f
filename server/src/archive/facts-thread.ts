import { Worker } from 'node:worker_threads';
import type { ReadBytes } from '@radwork/dicom/byte-window';
import { DicomError } from '@radwork/dicom/dicom-error';
import type { FromThread, ToThread } from './facts-messages.ts';
import type { FileFacts } from './file-facts.ts';
import { createLimit } from './limit.ts';

/** Megabytes for what a header becomes when it is read. A file that takes more is refused, and nothing else suffers. */
const mostMegabytes = 320;
/** Milliseconds for one file. Real ones take less than one second, however large. */
const longestReading = 30_000;
/** A thread that has had nothing to do for this long is let go, with all its memory. */
const idleLimit = 30_000;

const inTurn = createLimit(1);
let idle: { worker: Worker; timer: NodeJS.Timeout } | undefined;

/** Reads a file's facts in another thread, one file at a time. Throws DicomError when the file is refused. */
export const readFactsElsewhere = (read: ReadBytes, size: number): Promise<FileFacts> =>
  inTurn(async () => {
    const worker = takeWorker();
    try {
      const facts = await readIn(worker, read, size);
      putBack(worker);
      return facts;
    } catch (error) {
      // Refusing a file is part of its work; after anything else it cannot be relied upon.
      if (error instanceof DicomError && !isGivenUp(error)) putBack(worker);
      else await worker.terminate();
      throw error;
    }
  });

const takeWorker = (): Worker => {
  if (idle) {
    clearTimeout(idle.timer);
    const { worker } = idle;
    idle = undefined;
    return worker;
  }
  const worker = new Worker(new URL('./facts-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
    env: {},
  });
  // A thread that ends while nobody listens has nothing to tell.
  worker.on('error', () => {});
  worker.unref();
  return worker;
};

const putBack = (worker: Worker) => {
  const letGo = () => {
    if (idle?.worker === worker) idle = undefined;
    void worker.terminate();
  };
  idle = { worker, timer: setTimeout(letGo, idleLimit).unref() };
};

class GivenUp extends DicomError {}
const isGivenUp = (error: DicomError): boolean => error instanceof GivenUp;

const readIn = async (worker: Worker, read: ReadBytes, size: number): Promise<FileFacts> => {
  const { promise, resolve, reject } = Promise.withResolvers<FileFacts>();
  const hear = (message: FromThread) => {
    switch (message.kind) {
      case 'read':
        return void bring(worker, read, message.offset, message.length);
      case 'facts':
        return resolve(withBuffers(message.facts));
      case 'refused':
        return reject(new DicomError(message.code, message.reason));
      case 'failed':
        return reject(new Error(message.error));
    }
  };
  const fail = (error: unknown) => reject(isOutOfMemory(error) ? tooLarge() : error);
  const end = () => reject(new Error('The thread that read the file ended'));
  const timer = setTimeout(() => reject(tooSlow()), longestReading);
  worker.on('message', hear).on('error', fail).on('exit', end);
  try {
    tell(worker, { kind: 'file', size });
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off('message', hear).off('error', fail).off('exit', end);
  }
};

const tell = (worker: Worker, message: ToThread, moved: ArrayBuffer[] = []) => worker.postMessage(message, moved);

/** Bytes that fill their memory alone are handed over, others are copied. */
const bring = async (worker: Worker, read: ReadBytes, offset: number, length: number) => {
  const bytes = await read(offset, length).catch(() => undefined);
  if (!bytes) return tell(worker, { kind: 'unreadable' });
  const { buffer } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  tell(worker, { kind: 'bytes', bytes }, isAlone ? [buffer] : []);
};

/** Between threads a Buffer becomes a plain array of bytes. */
const withBuffers = (facts: FileFacts): FileFacts => {
  const { metadata, frame_index } = facts.instance;
  return {
    ...facts,
    instance: {
      ...facts.instance,
      metadata: Buffer.from(metadata),
      frame_index: frame_index && Buffer.from(frame_index),
    },
  };
};

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const tooLarge = () => new GivenUp('LIMIT', 'The header of the file is too large to be read.');
const tooSlow = () => new GivenUp('LIMIT', 'The header of the file takes too long to be read.');
