import { sql } from 'kysely';
import { type Scope, type Scopes, systemSession } from '#core/access/scope.ts';
import { emit } from '#core/events/emit.ts';
import { anyOf } from '#core/values/any-of.ts';

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
  const seenIds: string[] = [];
  let isDone = false;
  while (!isDone) {
    const begun: Arrival[] = [];
    try {
      await scopes.inTenant(session, async (scope) => {
        const next = await nextArrival(scope, quietSeconds, seenIds);
        if (!next) return;
        begun.push(next);
        await announceArrival(scope, next);
      });
    } catch (error) {
      onError(error);
      await scopes.inTenant(session, (scope) => postpone(scope, begun));
    }
    isDone = begun.length === 0;
    seenIds.push(...begun.map(({ study_id }) => study_id));
  }
};

type Arrival = { study_id: string; changed_at: string; is_deleted: boolean };

/**
 * Returns the next study. Returns undefined when there is none, or when another server announces studies of the tenant.
 * Locks no study, because a listener must lock users first.
 */
const nextArrival = async (
  { db, session }: Scope,
  quietSeconds: number,
  seenIds: readonly string[],
): Promise<Arrival | undefined> => {
  const lock = `study arrivals ${session.tenantId}`;
  const { rows: locks } = await sql<{ isOurs: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${lock}, 0)) as "isOurs"`.execute(db);
  if (!locks[0]?.isOurs) return undefined;
  // As text, because the time must be compared with all its digits.
  const { rows } = await sql<Arrival>`
    select a.study_id, a.changed_at::text, s.deleted_at is not null as is_deleted
    from study_arrivals a join studies s on s.id = a.study_id
    where a.changed_at <= clock_timestamp() - make_interval(secs => ${quietSeconds})
      and a.study_id <> all(${seenIds}::uuid[])
    order by a.changed_at, a.study_id limit 1`.execute(db);
  return rows[0];
};

/** Announces a study. If the study has changed meanwhile, it will be announced again. */
const announceArrival = async (scope: Scope, { study_id, changed_at, is_deleted }: Arrival): Promise<void> => {
  if (!is_deleted) await emit(scope, 'study.arrived', { studyId: study_id });
  await sql`delete from study_arrivals where study_id = ${study_id} and changed_at = ${changed_at}::timestamptz`.execute(
    scope.db,
  );
};

const postpone = async ({ db }: Scope, arrivals: readonly Arrival[]): Promise<void> => {
  await db
    .updateTable('study_arrivals')
    .set({ changed_at: sql`clock_timestamp()` })
    .where('study_id', '=', anyOf(arrivals.map(({ study_id }) => study_id)))
    .execute();
};
