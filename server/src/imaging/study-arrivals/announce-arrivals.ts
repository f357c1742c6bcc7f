import { sql } from 'kysely';
import { type Scope, type Scopes, systemSession } from '#core/access/scope.ts';
import { emit } from '#core/events/emit.ts';

/**
 * Announces the studies of all tenants that have not changed for some seconds, in the order of their arrival. One server
 * at a time does so for a tenant, so that listeners see the effects of earlier studies. A study whose listener fails
 * waits as if it had changed.
 */
export const announceArrivals = async (
  scopes: Scopes,
  quietSeconds: number,
  onError: (error: unknown) => void,
): Promise<void> => {
  const { rows: tenants } = await scopes.withoutTenant((db) =>
    sql<{ id: number }>`select id from tenants_with_arrivals(${quietSeconds}) id`.execute(db),
  );
  // An error in one tenant does not delay other tenants.
  for (const { id } of tenants) await announceInTenant(scopes, { tenantId: id, quietSeconds }, onError).catch(onError);
};

type Round = { tenantId: number; quietSeconds: number };

const announceInTenant = async (
  scopes: Scopes,
  { tenantId, quietSeconds }: Round,
  onError: (error: unknown) => void,
): Promise<void> => {
  const session = systemSession(tenantId);
  const arrivals = await scopes.inTenant(session, (scope) => firstArrivals(scope, quietSeconds));
  for (const arrival of arrivals) {
    try {
      await scopes.inTenant(session, (scope) => announceArrival(scope, arrival));
    } catch (error) {
      onError(error);
      await scopes.inTenant(session, (scope) => postpone(scope, arrival));
    }
  }
};

type Arrival = { study_id: string; changed_at: string };

/** Most studies of a tenant that one round announces, so that other tenants wait no longer. */
const mostInRound = 200;

/** Returns the studies of a round, STAT before others. */
const firstArrivals = async ({ db }: Scope, quietSeconds: number): Promise<Arrival[]> => {
  // The time is text, because it must be compared with all its digits.
  const { rows } = await sql<Arrival>`
    select a.study_id, a.changed_at::text
    from study_arrivals a join studies s on s.id = a.study_id
    where a.changed_at <= clock_timestamp() - make_interval(secs => ${quietSeconds})
    order by s.priority = 'STAT' desc, a.changed_at, a.study_id limit ${mostInRound}`.execute(db);
  return rows;
};

/**
 * Returns whether a study still waits, and locks the announcements of the tenant. Undefined when another server has
 * announced the study or announces at this moment. Locks no study, because a listener must lock users first.
 */
const waitingArrival = async (
  { db, session }: Scope,
  { study_id, changed_at }: Arrival,
): Promise<{ is_deleted: boolean } | undefined> => {
  const lock = `study arrivals ${session.tenantId}`;
  const { rows: locks } = await sql<{ isOurs: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${lock}, 0)) as "isOurs"`.execute(db);
  if (!locks[0]?.isOurs) return undefined;
  const { rows } = await sql<{ is_deleted: boolean }>`
    select s.deleted_at is not null as is_deleted
    from study_arrivals a join studies s on s.id = a.study_id
    where a.study_id = ${study_id} and a.changed_at = ${changed_at}::timestamptz`.execute(db);
  return rows[0];
};

/** Announces a study. If the study has changed meanwhile, it will be announced again. */
const announceArrival = async (scope: Scope, arrival: Arrival): Promise<void> => {
  const waiting = await waitingArrival(scope, arrival);
  if (!waiting) return;
  const { study_id, changed_at } = arrival;
  if (!waiting.is_deleted) await emit(scope, 'study.arrived', { studyId: study_id });
  await sql`delete from study_arrivals where study_id = ${study_id} and changed_at = ${changed_at}::timestamptz`.execute(
    scope.db,
  );
};

const postpone = async ({ db }: Scope, { study_id }: Arrival): Promise<void> => {
  await db
    .updateTable('study_arrivals')
    .set({ changed_at: sql`clock_timestamp()` })
    .where('study_id', '=', study_id)
    .execute();
};
