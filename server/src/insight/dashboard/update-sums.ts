import { sql } from 'kysely';
import { type Scope, type Scopes, systemSession } from '#core/access/scope.ts';
import { countedRows, everything, type Kind, kinds } from './counted-rows.ts';

/** A sum that differs from a count of the studies and reports of the tenant. */
export type Difference = { kind: Kind; day: string; key: string; bucket: number; stored: number; counted: number };

export type WrongSums = { tenantId: number; differences: Difference[] };

/** How often all sums of a tenant are checked against a count. */
const checkedEvery = '1 day';

/** Class of the advisory locks with which one server at a time changes the sums of a tenant. */
const addingUp = 4402;

/**
 * Adds the changes of all tenants to their sums. Once a day, checks the sums against a full count and repairs them.
 * Reports wrong sums to `onDrift`. An error in one tenant does not delay other tenants.
 */
export const addChangesOfAllTenants = async (
  scopes: Scopes,
  onDrift: (drift: WrongSums) => void,
  onError: (error: unknown) => void,
): Promise<void> => {
  const { rows: tenants } = await scopes.withoutTenant((db) =>
    sql<{ id: number }>`select id from tenants_with_dashboard_work() id`.execute(db),
  );
  for (const { id } of tenants) {
    const differences = await scopes.inTenant(systemSession(id), addChangesToSums).catch((error: unknown) => {
      onError(error);
      return [];
    });
    if (differences.length > 0) onDrift({ tenantId: id, differences });
  }
};

/** Adds the changes of one tenant to its sums, unless another server is doing it. Returns the sums that were wrong. */
export const addChangesToSums = async (scope: Scope): Promise<Difference[]> => {
  const { rows } = await sql<{ isMine: boolean }>`
    select pg_try_advisory_xact_lock(${addingUp}, current_tenant()) as "isMine"`.execute(scope.db);
  if (!rows[0]?.isMine) return [];
  const timeZone = await timeZoneOf(scope);
  const folded = await scope.db
    .selectFrom('dashboard_folds')
    .select(['time_zone', sql<boolean>`checked_at < now() - ${checkedEvery}::interval`.as('isOld')])
    .executeTakeFirst();
  if (folded?.time_zone !== timeZone) await countAnew(scope, timeZone);
  await addUp(scope, timeZone);
  return folded?.isOld ? repair(scope) : [];
};

/** Checks all sums of the tenant against a count. Repairs the wrong sums and returns them. */
export const repair = async (scope: Scope): Promise<Difference[]> => {
  const timeZone = await timeZoneOf(scope);
  const { rows } = await sql<Difference>`
    with wrong as materialized (${differencesIn(timeZone)}),
    put_right as (
      insert into dashboard_changes (kind, at, key, bucket, change)
      select kind, ${noonOf(timeZone)}, key, bucket, counted - stored from wrong)
    select kind, day::text as day, key, bucket, stored, counted from wrong order by 1, 2, 3, 4`.execute(scope.db);
  await sql`update dashboard_folds set checked_at = now(), differences = ${rows.length}`.execute(scope.db);
  return rows;
};

/** Checks the sums without changing them. Undefined when there are no sums yet. */
export const differences = async (scope: Scope): Promise<Difference[] | undefined> => {
  const folded = await scope.db.selectFrom('dashboard_folds').select('time_zone').executeTakeFirst();
  if (!folded) return undefined;
  const { rows } = await sql<Difference>`
    select kind, day::text as day, key, bucket, stored, counted from (${differencesIn(folded.time_zone)}) wrong
    order by 1, 2, 3, 4`.execute(scope.db);
  return rows;
};

const timeZoneOf = async ({ db }: Scope): Promise<string> => {
  const { rows } = await sql<{ timeZone: string }>`
    select time_zone as "timeZone" from tenants where id = current_tenant()`.execute(db);
  return rows[0]?.timeZone ?? 'UTC';
};

const allCounted = (timeZone: string) =>
  sql.join(
    kinds.map((kind) => countedRows[kind](everything(timeZone))),
    sql` union all `,
  );

/** Noon, because it is on the same day even when clocks change. */
const noonOf = (timeZone: string) => sql`(day + time '12:00') at time zone ${timeZone}`;

/** One statement, so that both sides show the same moment even if other transactions commit. */
const differencesIn = (timeZone: string) => sql`
  select kind, day, key, bucket, coalesce(stored.n, 0)::int as stored, coalesce(counted.n, 0)::int as counted
  from (
    select kind, day, key, bucket, sum(n) as n from (
      select kind, day, key, bucket, total as n from dashboard_days
      union all
      select kind, (at at time zone ${timeZone})::date, key, bucket, change from dashboard_changes) sums
    group by 1, 2, 3, 4) stored
  full join (
    select kind, day, key, bucket, sum(n) as n from (${allCounted(timeZone)}) rows group by 1, 2, 3, 4) counted
    using (kind, day, key, bucket)
  where coalesce(stored.n, 0) <> coalesce(counted.n, 0)`;

/**
 * Replaces all sums with a new count, by days of the given time zone. The same statement deletes the recorded changes,
 * because the count includes them. Changes committed later are added to the count.
 */
const countAnew = async ({ db }: Scope, timeZone: string): Promise<void> => {
  await sql`
    with outdated as (delete from dashboard_days),
    known as (delete from dashboard_changes),
    zone as (
      insert into dashboard_folds (time_zone) values (${timeZone})
      on conflict (tenant_id) do update set time_zone = excluded.time_zone, checked_at = now(), differences = 0)
    insert into dashboard_changes (kind, at, key, bucket, change)
    select kind, ${noonOf(timeZone)}, key, bucket, sum(n)
    from (${allCounted(timeZone)}) counted group by kind, day, key, bucket`.execute(db);
};

const addUp = async ({ db }: Scope, timeZone: string): Promise<void> => {
  await sql`
    with taken as (delete from dashboard_changes returning kind, at, key, bucket, change)
    insert into dashboard_days (kind, day, key, bucket, total)
    select kind, (at at time zone ${timeZone})::date, key, bucket, sum(change) from taken
    group by 1, 2, 3, 4 having sum(change) <> 0
    on conflict (tenant_id, kind, day, key, bucket) do update set total = dashboard_days.total + excluded.total`.execute(
    db,
  );
};
