import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#core/scope.ts';

/** How many pictures of a study the archive got after a moment; none where there is no such moment. */
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
    .where(sql<boolean>`created_at > ${moment}`)
    .executeTakeFirstOrThrow();
  return count;
};
