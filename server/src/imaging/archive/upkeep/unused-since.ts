import { sql } from 'kysely';
import { type Scope, type Scopes, systemSession } from '#core/access/scope.ts';
import { bytesOf } from './remove-unused.ts';

/*
 * Records when upkeep first noticed bytes without a row, not when the bytes were stored. After a restore from an old or
 * partial backup, the rows of many images are missing. The operator has a week to notice this.
 */

/**
 * A note that upkeep has not renewed for a day may come from a restored dump. Its file may have been in use since then,
 * so the waiting time starts again. Upkeep runs every hour and takes some hours in a large archive.
 */
const outdatedAfter = sql`interval '1 day'`;

/** Notes bytes without a row. Returns those noted for at least `unusedFor` milliseconds. */
export const longUnused = (
  scopes: Scopes,
  tenantId: number,
  hashes: readonly string[],
  unusedFor: number,
): Promise<string[]> =>
  scopes.inTenant(systemSession(tenantId), async ({ db }) => {
    const { rows } = await sql<{ sha256: string }>`
      with noted as (
        insert into unused_bytes (sha256) select unnest(${bytesOf(hashes)}::bytea[])
        on conflict (tenant_id, sha256) do update set seen_at = now(), found_at =
          case when unused_bytes.seen_at < now() - ${outdatedAfter} then now() else unused_bytes.found_at end
        returning sha256, found_at)
      select encode(sha256, 'hex') as sha256 from noted
      where found_at <= now() - ${unusedFor}::float8 * interval '1 millisecond'`.execute(db);
    return rows.map(({ sha256 }) => sha256);
  });

/** Notes bytes whose last row was deleted on purpose. They need no waiting time. */
export const noteDeletedOnPurpose = async ({ db }: Scope, hashes: readonly Buffer[]): Promise<void> => {
  await sql`
    insert into unused_bytes (sha256, found_at) select distinct unnest(${hashes}::bytea[]), to_timestamp(0)
    on conflict (tenant_id, sha256) do update set found_at = excluded.found_at`.execute(db);
};

/** Returns the time of the database as SQL text for `deleteNotesBefore`. All servers use this clock for notes. */
export const timeOfDatabase = (scopes: Scopes, tenantId: number): Promise<string> =>
  scopes.inTenant(systemSession(tenantId), async ({ db }) => {
    const { rows } = await sql<{ now: string }>`select now()::text as now`.execute(db);
    return rows[0]?.now ?? '-infinity';
  });

/** Deletes notes that were not renewed, because their files are in use again or removed. */
export const deleteNotesBefore = async (scopes: Scopes, tenantId: number, time: string): Promise<void> => {
  await scopes.inTenant(systemSession(tenantId), ({ db }) =>
    db.deleteFrom('unused_bytes').where('seen_at', '<', time).execute(),
  );
};
