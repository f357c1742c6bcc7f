import { t } from '@radwork/contract/core/translate';
import type { Context } from '#core/context.ts';
import { outOfSpace, type Refusal } from './ingest-file.ts';

/**
 * Error codes for a full disk or a full quota. The file system reports the first two. PostgreSQL reports 53100 if the
 * disk of the database is full.
 */
const codesOfFullDisks = new Set<unknown>(['ENOSPC', 'EDQUOT', '53100']);

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codesOfFullDisks.has(error.code);

/**
 * Returns whether the store has less free space than it must keep. A full disk would stop the database and all work. A
 * store that does not report its free space counts as not full.
 */
export const isNearlyFull = async ({ blobs, config }: Pick<Context, 'blobs' | 'config'>): Promise<boolean> => {
  if (config.freeDiskBytes === 0) return false;
  const free = await blobs.freeBytes();
  return free !== null && free < config.freeDiskBytes;
};

export const refusalForSpace = (name: string): Refusal => ({
  name,
  reason: t`The server is out of storage space.`,
  ...outOfSpace,
});
