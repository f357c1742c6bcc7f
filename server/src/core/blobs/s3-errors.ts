import { StorageAway } from '#core/blob-store.ts';

/** Answers that say there is no room, by their names at AWS, MinIO, Ceph and others. */
const fullNames = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientStorage',
]);

/**
 * An error of the client library as a store has to throw it. None of the library's own leaves this folder: they carry
 * the request, the access key and what was signed.
 */
export const storeError = (error: unknown): Error => {
  const { name, status } = factsOf(error);
  if (name === 'NoSuchKey') return withCode('ENOENT', 'There is no such file in the store');
  if (fullNames.has(name) || status === 507) return withCode('ENOSPC', 'The store has no space left');
  if (status === 416) return withCode('ERANGE', 'The range begins after the end of the object');
  return error instanceof StorageAway ? error : new StorageAway(name);
};

/** Whether the same may succeed a moment later: no connection, a cut one, and what a busy or restarting store answers. */
export const mayPass = (error: unknown): boolean => {
  const { name, status } = factsOf(error);
  return status === undefined || (status >= 500 && status !== 507) || status === 429 || name === 'RequestTimeout';
};

/**
 * Whether it is certain that nothing of what the store was asked is under way any more. It is not where there was no answer, and
 * where something before the store, or in it, has given up waiting (500, 502, 504).
 */
export const isAnswer = (error: unknown): boolean => {
  const { name, status } = factsOf(error);
  return status === undefined ? neverSent.has(name) : status < 500 || status === 503;
};

/** There was no connection by which the store could have been asked. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

const factsOf = (error: unknown): { name: string; status: number | undefined } => {
  if (!(error instanceof Error)) return { name: 'Unknown', status: undefined };
  const metadata = '$metadata' in error ? error.$metadata : undefined;
  const status = typeof metadata === 'object' && metadata && 'httpStatusCode' in metadata ? metadata.httpStatusCode : 0;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return typeof status === 'number' && status > 0 ? { name: error.name, status } : { name: code, status: undefined };
};

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code });
