import { t } from '@radwork/contract/core/translate';
import { Worker } from 'node:worker_threads';
import type { ReadBytes } from '@radwork/dicom/byte-window';
import { DicomError } from '@radwork/dicom/dicom-error';
import { Problem } from '#core/http/problem.ts';
import type { FromThread, Outcome, ToThread } from './facts-messages.ts';
import type { FileFacts } from './file-facts.ts';
import { createTenantShares } from '#core/resources/tenant-shares.ts';

/** Megabytes that reading one header may use. A file that needs more is refused, and the server keeps running. */
const mostMegabytes = 256;
/** Maximum number of milliseconds for one file. Real files of any size take less than a second. */
const longestReading = 30_000;
/** Milliseconds without work after which the thread ends. This frees its memory. */
const idleLimit = 30_000;

/** Tenants take turns, so that many large files of a tenant delay only this tenant. */
const inTurn = createTenantShares({ most: 1, share: 1, queue: Number.POSITIVE_INFINITY });
let idle: { worker: Worker; timer: NodeJS.Timeout } | undefined;

/**
 * Reads the facts of a tenant's file in another thread, one file at a time. Throws DicomError when the file is refused,
 * and a Problem with 503 after `timeLimit` ms.
 */
export const readFactsElsewhere = (
  read: ReadBytes,
  size: number,
  tenantId: number,
  timeLimit = longestReading,
): Promise<FileFacts> =>
  inTurn(
    tenantId,
    async () => {
      const worker = takeWorker();
      let isReliable = false;
      try {
        const outcome = await readIn(worker, read, size, timeLimit);
        isReliable = outcome.kind !== 'failed' && !outcome.isSpent;
        return factsIn(outcome);
      } finally {
        if (isReliable) putBack(worker);
        else await worker.terminate();
      }
    },
    () => new Error('Waiting for file readers has no time limit'),
  );

const factsIn = (outcome: Outcome): FileFacts => {
  switch (outcome.kind) {
    case 'facts':
      return withBuffers(outcome.facts);
    case 'refused':
      throw new DicomError(outcome.fault);
    case 'failed':
      throw new Error(outcome.error);
  }
};

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
  // Ignores errors of an idle thread, because they belong to no file.
  worker.on('error', () => {});
  worker.unref();
  return worker;
};

const putBack = (worker: Worker) => {
  const releaseWorker = () => {
    if (idle?.worker === worker) idle = undefined;
    void worker.terminate();
  };
  idle = { worker, timer: setTimeout(releaseWorker, idleLimit).unref() };
};

const readIn = async (
  worker: Worker,
  read: ReadBytes,
  size: number,
  timeLimit: number,
): Promise<Outcome & { isSpent: boolean }> => {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome & { isSpent: boolean }>();
  const onMessage = (message: FromThread) => {
    if (message.kind === 'read') void bring(worker, read, message.offset, message.length);
    else resolve(message);
  };
  const fail = (error: unknown) => reject(isOutOfMemory(error) ? tooLarge() : error);
  const end = () => reject(new Error('The file reader thread ended'));
  const timer = setTimeout(() => reject(tooSlow()), timeLimit);
  worker.on('message', onMessage).on('error', fail).on('exit', end);
  try {
    postToThread(worker, { kind: 'file', size });
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off('message', onMessage).off('error', fail).off('exit', end);
  }
};

const postToThread = (worker: Worker, message: ToThread, moved: ArrayBuffer[] = []) =>
  worker.postMessage(message, moved);

/** Transfers bytes that fill their buffer. Other bytes are copied. */
const bring = async (worker: Worker, read: ReadBytes, offset: number, length: number) => {
  const bytes = await read(offset, length).catch(() => undefined);
  if (!bytes) return postToThread(worker, { kind: 'unreadable' });
  const { buffer } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  postToThread(worker, { kind: 'bytes', bytes }, isAlone ? [buffer] : []);
};

/** When sent to another thread, a Buffer becomes a plain Uint8Array. */
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

const tooLarge = () => new DicomError('headerTooLarge');
/**
 * The error for a file that took too long. On a busy machine, any file may be slow, so the sender may send the file
 * again.
 */
const tooSlow = () =>
  new Problem(503, 'header.timeout', t`Reading the file header took too long. Send the file again later.`, {
    retryAfterSeconds: 30,
  });
