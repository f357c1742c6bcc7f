import type { ReadingDeferral } from '@radwork/contract/reading/reading-queue';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { studyRows } from '#imaging/studies/study-rows.ts';

const isPending = sql<boolean>`deferred_until > now()`;

/** Lists the studies that the caller has put off and may still see, the earliest return first. */
export const deferredStudies = async (scope: Scope): Promise<ReadingDeferral[]> => {
  const deferrals = await scope.db
    .selectFrom('reading_deferrals')
    .select(['study_id', 'deferred_until', 'reason'])
    .where('user_id', '=', scope.session.userId)
    .where(isPending)
    .orderBy('deferred_until')
    .limit(200)
    .execute();
  const studies = await studyRows(
    scope,
    deferrals.map(({ study_id }) => study_id),
  );
  const byId = new Map(studies.map((study) => [study.id, study]));
  return deferrals.flatMap(({ study_id, deferred_until, reason }) => {
    const study = byId.get(study_id);
    return study ? [{ study, until: deferred_until, reason }] : [];
  });
};

export const countDeferred = async ({ db, session }: Scope): Promise<number> => {
  const { total } = await db
    .selectFrom('reading_deferrals')
    .select(sql<number>`count(*)::int`.as('total'))
    .where('user_id', '=', session.userId)
    .where(isPending)
    .executeTakeFirstOrThrow();
  return total;
};

/** Stores when a study returns to the caller's queue, and why. Replaces an earlier deferral. */
export const storeDeferral = async (
  { db, session }: Scope,
  studyId: string,
  { until, reason }: { until: string; reason: string },
): Promise<void> => {
  await db
    .insertInto('reading_deferrals')
    .values({ study_id: studyId, user_id: session.userId, deferred_until: until, reason })
    .onConflict((known) =>
      known
        .columns(['tenant_id', 'user_id', 'study_id'])
        .doUpdateSet({ deferred_until: until, reason, created_at: sql`now()` }),
    )
    .execute();
};

/** Deletes the caller's deferral of a study. Returns false when there is none. */
export const deleteDeferral = async ({ db, session }: Scope, studyId: string): Promise<boolean> => {
  const deleted = await db
    .deleteFrom('reading_deferrals')
    .where('study_id', '=', studyId)
    .where('user_id', '=', session.userId)
    .returning('study_id')
    .executeTakeFirst();
  return deleted !== undefined;
};
