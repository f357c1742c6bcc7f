import { type RawBuilder, sql } from 'kysely';
import { StorageAway } from '#core/blob-store.ts';
import type { Context } from '#core/context.ts';
import { type Scope, systemSession } from '#core/scope.ts';
import { takeRemovalsTurn, takeStoreTurn } from './turns.ts';

type Archive = Pick<Context, 'blobs' | 'scopes'>;

/** Removals that are claimed together. An upload of one of these files waits until all of them are gone. */
const removedTogether = 20;
/** A claim is acted upon for this many milliseconds at most, however long a store or a process stands still … */
const actedUponFor = 60_000;
/** … so that after this long whoever made it does nothing about it any more, and another may. */
const abandonedAfter = sql`interval '10 minutes'`;

/**
 * Removes those of a tenant's bytes that no instance has, and no file beside a text. An upload of the very same bytes meanwhile loses nothing:
 * while no upload is between its bytes and its rows, it is looked once more whether an instance has them, and they are
 * claimed; whoever uploads them from then on waits until they are gone and puts them there anew. The claim is a row and
 * no lock, so it holds even if this process loses its database. Nothing is
 * removed while a backup is under way. Returns how many were removed.
 */
export const removeUnused = async (archive: Archive, tenantId: number, hashes: readonly string[]): Promise<number> => {
  let removed = 0;
  const failures: unknown[] = [];
  // A batch may have a file twice, which no statement claims twice.
  const each = [...new Set(hashes)];
  for (let start = 0; start < each.length; start += removedTogether) {
    const group = await removeTogether(archive, tenantId, each.slice(start, start + removedTogether));
    removed += group.removed;
    failures.push(...group.failures);
  }
  if (failures.length > 0) throw failures[0];
  return removed;
};

/** One file that cannot be removed keeps no other from it; a store that is away does. */
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
          if (error instanceof StorageAway) throw error;
          failures.push(error);
        });
    }
  } finally {
    // What a removal that failed has done nobody knows: its claim is left to be abandoned, and so are those behind it.
    await scopes.inTenant(session, (scope) => release(scope, removed));
  }
  return { removed: removed.length, failures };
};

/** Milliseconds from now on, as the database counts them too: the clock of the system stands still while a machine sleeps. */
const stopwatch = () => {
  const [started, startedOn] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - started, Date.now() - startedOn);
};

export const bytesOf = (hashes: readonly string[]) => hashes.map((sha256) => Buffer.from(sha256, 'hex'));

/** Its time, in microseconds as PostgreSQL writes them, tells it from a later claim of another process. */
type Claim = { sha256: Buffer; claimedAt: string };

/**
 * Its time is that of the statement and not of the transaction, which may have waited for its turn for as long as an upload
 * takes to an object store: nothing would be done any more about what is claimed then, and it could not be sent again.
 */
const claim = async (scope: Scope, hashes: readonly string[]) => {
  await takeStoreTurn(scope);
  const mayRemove = await takeRemovalsTurn(scope);
  const passed = stopwatch();
  if (!mayRemove) return { claims: [], passed };
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
 * Finishes the removals that a server did not live to finish, or that failed: all of them, or those of the bytes that somebody
 * waits for.
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
 * Whether any of these bytes are being removed. For uploads, after they have taken their turn; an abandoned claim counts, until
 * somebody has finished what it was made for (`finishRemovals`).
 */
export const areBeingRemoved = (hashes: Buffer[]): RawBuilder<boolean> =>
  sql`exists (select from blob_removals where sha256 = any(${hashes}))`;
