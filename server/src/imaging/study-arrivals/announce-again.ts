import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';

/** Minutes until a listener gets a study again. */
const pauseMinutes = 5;

/** Announces a study again after a pause. For listeners that cannot act on it yet. */
export const announceAgain = async ({ db }: Scope, studyId: string): Promise<void> => {
  const later = sql<string>`clock_timestamp() + make_interval(mins => ${pauseMinutes})`;
  await db
    .insertInto('study_arrivals')
    .values({ study_id: studyId, changed_at: later })
    .onConflict((known) => known.columns(['tenant_id', 'study_id']).doUpdateSet({ changed_at: later }))
    .execute();
};
