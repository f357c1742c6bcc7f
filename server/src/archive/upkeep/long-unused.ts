import { sql } from 'kysely';
import { type Scope, type Scopes, systemSession } from '#core/scope.ts';
import { bytesOf } from './unused-bytes.ts';

/*
 * Since when it is known of bytes that no row refers to them. Not since when they are there: on a database that was restored
 * from long before, or only in part, images of years are without a row, and whoever did so has a week to see that.
 */

/**
 * A note that no upkeep has come back to for so long is of before the database was dumped, and what it says may have been in
 * use since. The upkeep comes every hour, and takes some for a large archive.
 */
const outdatedAfter = sql`interval '1 day'`;

/** Notes that bytes are without a row. Returns those of which that has been known for so many milliseconds. */
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

/** Notes of bytes that their last row has let go of on purpose: they need not stay for anybody to see that. */
export const noteLetGo = async ({ db }: Scope, hashes: readonly Buffer[]): Promise<void> => {
  await sql`
    insert into unused_bytes (sha256, found_at) select distinct unnest(${hashes}::bytea[]), to_timestamp(0)
    on conflict (tenant_id, sha256) do update set found_at = excluded.found_at`.execute(db);
};

/** The time of the database, which the notes of all servers have. SQL's own words, for `forgetBefore`. */
export const timeOfDatabase = (scopes: Scopes, tenantId: number): Promise<string> =>
  scopes.inTenant(systemSession(tenantId), async ({ db }) => {
    const { rows } = await sql<{ now: string }>`select now()::text as now`.execute(db);
    return rows[0]?.now ?? '-infinity';
  });

/** Forgets what was not noted again since: it is in use, or gone. */
export const forgetBefore = async (scopes: Scopes, tenantId: number, time: string): Promise<void> => {
  await scopes.inTenant(systemSession(tenantId), ({ db }) =>
    db.deleteFrom('unused_bytes').where('seen_at', '<', time).execute(),
  );
};
