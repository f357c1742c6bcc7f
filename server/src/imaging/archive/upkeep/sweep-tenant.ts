import { sql } from 'kysely';
import { assertStorePresent } from '#core/blobs/assert-store-present.ts';
import type { Context } from '#core/context.ts';
import { type Scope, systemSession } from '#core/access/scope.ts';
import { compareTenant } from './compare-tenant.ts';
import { deleteNotesBefore, longUnused, timeOfDatabase } from './unused-since.ts';
import { lockStore } from './storage-locks.ts';
import { finishRemovals, removeUnused } from './remove-unused.ts';
import { showRejected } from '#imaging/archive/rejection/show-rejected.ts';

type Archive = Pick<Context, 'blobs' | 'scopes'>;

export type SweepOptions = {
  /**
   * Milliseconds for which upkeep keeps bytes without an instance after it noticed them. In this time, the operator can
   * check these bytes.
   */
  unusedFor?: number;
  /** Ends the work early with an error, at a point where no step is half done. */
  signal?: AbortSignal;
};

/** Counts the removed files, and the instances and other files whose bytes are newly missing or found again. */
export type SweepCounts = { removed: number; missing: number; found: number };

/**
 * Default for `unusedFor`. After a crash, few bytes are unused, and keeping them is harmless. After a restore, files
 * newer than the backup have no instance. The operator then has seven days to upload these files again, even if the
 * backup is old.
 */
const sevenDays = 7 * 24 * 3_600_000;
const decidedTogether = 20;

/**
 * Removes what crashes have left in the store of a tenant, and marks missing files. An instance without bytes stays and
 * is marked. It is complete again after an upload of the same file. If a removal fails, missing files are still marked;
 * the error is thrown at the end.
 */
export const sweepTenant = async (
  archive: Archive,
  tenantId: number,
  { unusedFor = sevenDays, signal }: SweepOptions = {},
): Promise<SweepCounts> => {
  const swept: SweepCounts = { removed: 0, missing: 0, found: 0 };
  const failures: unknown[] = [];
  const removing = async (removal: Promise<number>) => {
    swept.removed += await removal.catch((error: unknown) => {
      failures.push(error);
      return 0;
    });
  };
  const startedAt = await timeOfDatabase(archive.scopes, tenantId);
  await removing(finishRemovals(archive, tenantId));
  const unused = inGroups((hashes) => removing(removeLongUnused(archive, tenantId, hashes, unusedFor)));
  const doubtful = inGroups(async (hashes) => {
    const { missing, found } = await markAsTheyAre(archive, tenantId, hashes);
    swept.missing += missing;
    swept.found += found;
  });
  for await (const { sha256, blob, row } of compareTenant(archive, tenantId)) {
    signal?.throwIfAborted();
    if (blob && !row) await unused.add(sha256);
    if (row && row.isMissing === (blob !== undefined)) await doubtful.add(sha256);
  }
  await unused.end();
  await doubtful.end();
  await deleteNotesBefore(archive.scopes, tenantId, startedAt);
  if (failures.length > 0) throw failures[0];
  return swept;
};

const removeLongUnused = async (
  archive: Archive,
  tenantId: number,
  hashes: readonly string[],
  unusedFor: number,
): Promise<number> => removeUnused(archive, tenantId, await longUnused(archive.scopes, tenantId, hashes, unusedFor));

/** Collects hashes and passes these on in groups. */
const inGroups = (decide: (hashes: readonly string[]) => Promise<void>) => {
  let waiting: string[] = [];
  const end = async () => {
    const group = waiting;
    waiting = [];
    if (group.length > 0) await decide(group);
  };
  return {
    add: async (sha256: string) => {
      waiting.push(sha256);
      if (waiting.length >= decidedTogether) await end();
    },
    end,
  };
};

/**
 * Compares instances with the store, while no upload changes it, and marks them as missing or found. Throws when a file
 * is missing and the store does not name its owner. Then its disk is not mounted, and the files are not lost.
 */
const markAsTheyAre = ({ scopes, blobs }: Archive, tenantId: number, hashes: readonly string[]) =>
  scopes.inTenant(systemSession(tenantId), async (scope) => {
    await lockStore(scope);
    const blobsNow = await Promise.all(hashes.map((sha256) => blobs.stat(tenantId, sha256)));
    const gone = hashes.filter((_, index) => !blobsNow[index]);
    const present = hashes.filter((_, index) => blobsNow[index]);
    if (gone.length > 0) await assertStorePresent(blobs);
    await showRejected(scope);
    return { missing: await markMissing(scope, gone), found: await markFound(scope, present) };
  });

const withBytes = ['instances', 'stored_files'] as const;

const markMissing = async ({ db }: Scope, hashes: readonly string[]): Promise<number> => {
  if (hashes.length === 0) return 0;
  let marked = 0;
  for (const table of withBytes) {
    const { numUpdatedRows } = await db
      .updateTable(table)
      .set({ missing_since: sql`now()` })
      .where('sha256', 'in', hashes.map(bytesOf))
      .where('missing_since', 'is', null)
      .executeTakeFirstOrThrow();
    marked += Number(numUpdatedRows);
  }
  return marked;
};

/**
 * Removes the mark "missing". Also called by uploads, because they restore missing bytes. Returns the number of
 * instances and other files that are complete again.
 */
export const markFound = async ({ db }: Scope, hashes: readonly string[]): Promise<number> => {
  if (hashes.length === 0) return 0;
  let total = 0;
  for (const table of withBytes) {
    const { numUpdatedRows } = await db
      .updateTable(table)
      .set({ missing_since: null })
      .where('sha256', 'in', hashes.map(bytesOf))
      .where('missing_since', 'is not', null)
      .executeTakeFirstOrThrow();
    total += Number(numUpdatedRows);
  }
  return total;
};

const bytesOf = (sha256: string) => Buffer.from(sha256, 'hex');
