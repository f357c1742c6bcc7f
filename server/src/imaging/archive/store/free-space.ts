import type { Context } from '#core/context.ts';
import { outOfSpace, type Refusal } from './ingest-file.ts';

/** Error codes of a full disk or quota, from the file system or from PostgreSQL (class 53100) for its disk. */
const codesOfFullDisks = new Set<unknown>(['ENOSPC', 'EDQUOT', '53100']);

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codesOfFullDisks.has(error.code);

/**
 * Returns whether the store has less free space than it must keep. A completely full disk stops the database and all
 * work. A store that does not report its space counts as not full.
 */
export const isNearlyFull = async ({ blobs, config }: Pick<Context, 'blobs' | 'config'>): Promise<boolean> => {
  if (config.freeDiskBytes === 0) return false;
  const free = await blobs.freeBytes();
  return free !== null && free < config.freeDiskBytes;
};

export const refusalForSpace = (name: string): Refusal => ({
  name,
  reason: 'The server is out of storage space.',
  ...outOfSpace,
});
