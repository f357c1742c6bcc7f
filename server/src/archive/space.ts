import type { Context } from '#core/context.ts';
import { outOfSpace, type Refusal } from './ingest.ts';

/** A disk or a quota of it that is full, said by the file system, or by PostgreSQL (class 53100) of its own disk. */
const codesOfFullDisks = new Set<unknown>(['ENOSPC', 'EDQUOT', '53100']);

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codesOfFullDisks.has(error.code);

/**
 * Whether the store has less left than it must keep free. A disk that is full to the last byte stops the database and
 * everybody's work with it; a store that does not tell never is.
 */
export const isNearlyFull = async ({ blobs, config }: Pick<Context, 'blobs' | 'config'>): Promise<boolean> => {
  if (config.freeDiskBytes === 0) return false;
  const free = await blobs.freeBytes();
  return free !== null && free < config.freeDiskBytes;
};

export const refusalForSpace = (name: string): Refusal => ({
  name,
  reason: 'The server has no space left.',
  ...outOfSpace,
});
