import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';

/** Tables with rows in the order of `position`, each list for one owner, or for the organization. */
type OrderedTable = 'hanging_rules' | 'saved_views';

/**
 * Returns the ids of the rows of one owner in their order; `ownerId` is null for the organization. Locks the list until
 * the transaction ends, because a move rewrites it.
 */
export const lockedOrder = async (
  { db, session }: Scope,
  table: OrderedTable,
  ownerId: string | null,
): Promise<string[]> => {
  const owner = ownerId ?? `organization ${session.tenantId}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${table} ${owner}`}, 0))`.execute(db);
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where owner_id is not distinct from ${ownerId}::uuid
    order by position, id`.execute(db);
  return rows.map(({ id }) => id);
};

/** Writes the positions of rows in this order. */
export const writeOrder = async ({ db }: Scope, table: OrderedTable, ids: readonly string[]): Promise<void> => {
  await sql`
    update ${sql.table(table)} set position = place - 1
    from unnest(${ids}::uuid[]) with ordinality as wanted (wanted_id, place)
    where id = wanted_id and position <> place - 1
  `.execute(db);
};
