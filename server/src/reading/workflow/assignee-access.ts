import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { anyOf } from '#core/values/any-of.ts';

/**
 * Removes the access that assignments gave a user, except to studies on which the user has completed an assignment since.
 * Otherwise the studies would still count as assigned to the user, and no other reader could write their reports. Returns
 * how many studies the user lost.
 */
export const endAccess = async (scope: Scope, userId: string, studyIds: readonly string[]): Promise<number> => {
  const { numDeletedRows } = await scope.db
    .deleteFrom('study_participants')
    .where('study_id', '=', anyOf(studyIds))
    .where('user_id', '=', userId)
    .where('role', '=', 'ASSIGNEE')
    .where(
      sql<boolean>`not exists (
        select from study_assignments a
        where a.study_id = study_participants.study_id and a.user_id = ${userId} and a.status = 'COMPLETED'
          and a.ended_at >= study_participants.created_at)`,
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};
