import { type RawBuilder, sql } from 'kysely';
import { StorageUnavailable } from '#core/blobs/blob-store.ts';
import type { Context } from '#core/context.ts';
import { type Scope, systemSession } from '#core/access/scope.ts';
import { showRejected } from '#imaging/archive/rejection/show-rejected.ts';
import { tryLockRemovals, lockStore } from './storage-locks.ts';

type Archive = Pick<Context, 'blobs' | 'scopes'>;

/**
 * Number of files that are claimed and removed together. An upload of one of these files waits until all are removed.
 */
const removedTogether = 20;
/**
 * Milliseconds after which a process no longer acts on its own claim, for example after the process or the store was
 * suspended.
 */
const actedUponFor = 60_000;
/** Milliseconds after which another process may take over a claim. */
const abandonedAfter = sql`interval '10 minutes'`;

/**
 * Removes bytes of a tenant that no instance and no other file uses. An upload of the same bytes at this time loses
 * nothing. At a moment when no upload has stored bytes without rows, the bytes are checked again and claimed. Later
 * uploads of these bytes wait for the removal and then store the bytes again. The claim is a row, not a lock, so it
 * survives a lost database connection. Removes nothing during a backup. Returns the number of removed files.
 */
export const removeUnused = async (archive: Archive, tenantId: number, hashes: readonly string[]): Promise<number> => {
  let removed = 0;
  const failures: unknown[] = [];
  // A batch may name a file twice, but one statement cannot claim the same file twice.
  const each = [...new Set(hashes)];
  for (let start = 0; start < each.length; start += removedTogether) {
    const group = await removeTogether(archive, tenantId, each.slice(start, start + removedTogether));
    removed += group.removed;
    failures.push(...group.failures);
  }
  if (failures.length > 0) throw failures[0];
  return removed;
};

/**
 * Claims and removes a group of files. If one file cannot be removed, the others are still removed. If the store cannot
 * be reached, the removal stops.
 */
const removeTogether = async ({ scopes, blobs }: Archive, tenantId: number, hashes: readonly string[]) => {
  const session = systemSession(tenantId);
  const { claims, passed } = await scopes.inTenant(session, (scope) => claim(scope, hashes));
  const removed: Claim[] = [];
  const failures: unknown[] = [];
  try {
    for (const claimed of claims) {
      if (passed() > actedUponFor) break;
      await blobs
        .remove(tenantId, claimed.sha256.toString('hex'))
        .then(() => removed.push(claimed))
        .catch((error: unknown) => {
          if (error instanceof StorageUnavailable) throw error;
          failures.push(error);
        });
    }
  } finally {
    // A removal that failed may still have deleted the file, or do so later. Its claim, and the claims of files not
    // reached, stay until they expire.
    await scopes.inTenant(session, (scope) => release(scope, removed));
  }
  return { removed: removed.length, failures };
};

/**
 * Returns a function for the milliseconds since this call. It takes the larger of two clocks, because the monotonic
 * clock stops while the machine sleeps.
 */
const stopwatch = () => {
  const [started, startedOn] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - started, Date.now() - startedOn);
};

export const bytesOf = (hashes: readonly string[]) => hashes.map((sha256) => Buffer.from(sha256, 'hex'));

/**
 * `claimedAt` is the time of the claim in microseconds, as PostgreSQL prints it. It distinguishes this claim from a
 * later claim by another process.
 */
type Claim = { sha256: Buffer; claimedAt: string };

/**
 * Claims the files that are unused. Uses the time of the statement, because the transaction may have waited long for a
 * slow upload. From the start of the transaction, the claim would be too old to act on and would block a new upload.
 */
const claim = async (scope: Scope, hashes: readonly string[]) => {
  await lockStore(scope);
  const mayRemove = await tryLockRemovals(scope);
  const passed = stopwatch();
  if (!mayRemove) return { claims: [], passed };
  await showRejected(scope);
  const { rows: claims } = await sql<Claim>`
    insert into blob_removals (sha256, claimed_at)
      select unused, statement_timestamp() from unnest(${bytesOf(hashes)}::bytea[]) unused
      where not exists (select from instances where instances.sha256 = unused)
        and not exists (select from stored_files where stored_files.sha256 = unused)
    on conflict (tenant_id, sha256) do update set claimed_at = excluded.claimed_at
      where blob_removals.claimed_at < statement_timestamp() - ${abandonedAfter}
    returning sha256, claimed_at::text as "claimedAt"`.execute(scope.db);
  return { claims, passed };
};

const release = async ({ db }: Scope, claims: readonly Claim[]) => {
  const [first] = claims;
  if (!first) return;
  const hashes = claims.map(({ sha256 }) => sha256);
  await db
    .deleteFrom('blob_removals')
    .where('sha256', 'in', hashes)
    .where('claimed_at', '=', first.claimedAt)
    .execute();
  await db.deleteFrom('unused_bytes').where('sha256', 'in', hashes).execute();
};

/**
 * Finishes removals that failed or that a crashed server left unfinished. With `hashes`, finishes only the removals of
 * these files.
 */
export const finishRemovals = async (
  archive: Archive,
  tenantId: number,
  hashes?: readonly string[],
): Promise<number> => {
  const abandoned = await archive.scopes.inTenant(systemSession(tenantId), ({ db }) =>
    db
      .selectFrom('blob_removals')
      .select('sha256')
      .where('claimed_at', '<', sql<string>`now() - ${abandonedAfter}`)
      .$if(hashes !== undefined, (query) => query.where('sha256', 'in', bytesOf(hashes ?? [])))
      .execute(),
  );
  return removeUnused(
    archive,
    tenantId,
    abandoned.map(({ sha256 }) => sha256.toString('hex')),
  );
};

/**
 * SQL: whether any of these bytes are being removed. An upload asks this after `lockForUpload`. An expired claim still
 * counts until `finishRemovals` has finished its removal.
 */
export const areBeingRemovedSql = (hashes: Buffer[]): RawBuilder<boolean> =>
  sql`exists (select from blob_removals where sha256 = any(${hashes}))`;
