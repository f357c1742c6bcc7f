import { type RawBuilder, sql } from 'kysely';
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
  for (let start = 0; start < hashes.length; start += removedTogether) {
    removed += await removeTogether(archive, tenantId, hashes.slice(start, start + removedTogether));
  }
  return removed;
};

const removeTogether = async ({ scopes, blobs }: Archive, tenantId: number, hashes: readonly string[]) => {
  const session = systemSession(tenantId);
  const startedAt = performance.now();
  const claims = await scopes.inTenant(session, (scope) => claim(scope, hashes));
  const removed: Claim[] = [];
  try {
    for (const claimed of claims) {
      if (performance.now() - startedAt > actedUponFor) break;
      await blobs.remove(tenantId, claimed.sha256.toString('hex'));
      removed.push(claimed);
    }
  } finally {
    // What a removal that failed has done nobody knows: its claim, and those of the files behind it, are left to be abandoned.
    await scopes.inTenant(session, (scope) => release(scope, removed));
  }
  return removed.length;
};

export const bytesOf = (hashes: readonly string[]) => hashes.map((sha256) => Buffer.from(sha256, 'hex'));

/** Its time, in microseconds as PostgreSQL writes them, tells it from a later claim of another process. */
type Claim = { sha256: Buffer; claimedAt: string };

const claim = async (scope: Scope, hashes: readonly string[]): Promise<Claim[]> => {
  await takeStoreTurn(scope);
  if (!(await takeRemovalsTurn(scope))) return [];
  const { rows } = await sql<Claim>`
    insert into blob_removals (sha256)
      select unused from unnest(${bytesOf(hashes)}::bytea[]) unused
      where not exists (select from instances where instances.sha256 = unused)
        and not exists (select from stored_files where stored_files.sha256 = unused)
    on conflict (tenant_id, sha256) do update set claimed_at = now()
      where blob_removals.claimed_at < now() - ${abandonedAfter}
    returning sha256, claimed_at::text as "claimedAt"`.execute(scope.db);
  return rows;
};

const release = async ({ db }: Scope, claims: readonly Claim[]) => {
  const [first] = claims;
  if (!first) return;
  await db
    .deleteFrom('blob_removals')
    .where(
      'sha256',
      'in',
      claims.map(({ sha256 }) => sha256),
    )
    .where('claimed_at', '=', first.claimedAt)
    .execute();
};

/** Finishes the removals that a server did not live to finish, or that failed. What was uploaded anew meanwhile stays. */
export const finishRemovals = async (archive: Archive, tenantId: number): Promise<number> => {
  const abandoned = await archive.scopes.inTenant(systemSession(tenantId), ({ db }) =>
    db
      .selectFrom('blob_removals')
      .select('sha256')
      .where('claimed_at', '<', sql<string>`now() - ${abandonedAfter}`)
      .execute(),
  );
  const removed = await removeUnused(
    archive,
    tenantId,
    abandoned.map(({ sha256 }) => sha256.toString('hex')),
  );
  await archive.scopes.inTenant(systemSession(tenantId), forgetOverruled);
  return removed;
};

/** Abandoned claims of bytes that are in use again. */
const forgetOverruled = async ({ db }: Scope) => {
  await sql`
    delete from blob_removals
    where claimed_at < now() - ${abandonedAfter}
      and (exists (select from instances where instances.sha256 = blob_removals.sha256)
        or exists (select from stored_files where stored_files.sha256 = blob_removals.sha256))`.execute(db);
};

/**
 * Whether any of these bytes are being removed. For uploads, after they have taken their turn. An abandoned claim holds up
 * nobody: whoever takes it over looks once more whether the bytes are in use.
 */
export const areBeingRemoved = (hashes: Buffer[]): RawBuilder<boolean> =>
  sql`exists (select from blob_removals where sha256 = any(${hashes}) and claimed_at >= now() - ${abandonedAfter})`;
