import { StorageUnavailable } from '#core/blobs/blob-store.ts';

/** Error names of a full store, from AWS, MinIO, Ceph and others. */
const fullNames = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientStorage',
]);

/**
 * Converts an error of the client library to an error of BlobStore. Errors of the library stay in this folder, because
 * they contain the request, the access key and the signed text.
 */
export const storeError = (error: unknown): Error => {
  const { name, status } = factsOf(error);
  if (name === 'NoSuchKey') return withCode('ENOENT', 'The file is not in the store');
  if (fullNames.has(name) || status === 507) return withCode('ENOSPC', 'The store is full');
  if (status === 416) return withCode('ERANGE', 'The range starts after the end of the object');
  return error instanceof StorageUnavailable ? error : new StorageUnavailable(name);
};

/** True when a retry may succeed: there was no connection, the connection broke, or the store is busy or restarting. */
export const mayPass = (error: unknown): boolean => {
  const { name, status } = factsOf(error);
  return status === undefined || (status >= 500 && status !== 507) || status === 429 || name === 'RequestTimeout';
};

/**
 * True when the store can no longer run the request: it replied, or the request never reached it. False after 500, 502
 * or 504, because a gateway or the store may have stopped waiting.
 */
export const isAnswer = (error: unknown): boolean => {
  const { name, status } = factsOf(error);
  return status === undefined ? neverSent.has(name) : status < 500 || status === 503;
};

/** Errors raised before the request reached the store. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

const factsOf = (error: unknown): { name: string; status: number | undefined } => {
  if (!(error instanceof Error)) return { name: 'Unknown', status: undefined };
  const metadata = '$metadata' in error ? error.$metadata : undefined;
  const status = typeof metadata === 'object' && metadata && 'httpStatusCode' in metadata ? metadata.httpStatusCode : 0;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return typeof status === 'number' && status > 0 ? { name: error.name, status } : { name: code, status: undefined };
};

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code });
