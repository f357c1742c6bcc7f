import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';

/** Counts the images of a study that arrived or were restored after a given time. Returns 0 without a time. */
export const imagesSince = async (
  { db }: Scope,
  studyId: string,
  moment: RawBuilder<string | null>,
): Promise<number> => {
  const { count } = await db
    .selectFrom('instances')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('study_id', '=', studyId)
    .where('is_renderable', '=', true)
    .where(sql<boolean>`greatest(created_at, shown_at) > ${moment}`)
    .executeTakeFirstOrThrow();
  return count;
};
