import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { Scope } from '#core/access/scope.ts';
import { isLimitedToOwnStudies } from '#core/access/study-access.ts';

/**
 * Returns the join of a study's images with its order, if a user can separate them. Null for users who see only their
 * own studies, because no answer reveals an order to them. Null also for joins of earlier versions, which stored nothing
 * to restore.
 */
export const orderJoinOf = async (scope: Scope, studyId: string): Promise<StudyDetails['orderJoin']> => {
  if (isLimitedToOwnStudies(scope.session)) return null;
  const join = await scope.db
    .selectFrom('order_joins')
    .select(['id', 'joined_at'])
    .where('study_id', '=', studyId)
    .where('separated_at', 'is', null)
    .executeTakeFirst();
  return join ? { id: join.id, joinedDate: join.joined_at } : null;
};
