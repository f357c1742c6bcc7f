import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { userIsWithinGroups } from '#core/access/study-access.ts';
import { announce } from '#core/live/announce.ts';

/** Returns the usernames of the active assignees from whom their groups hide the study. */
export const assigneesWithoutSight = async ({ db }: Scope, studyId: string): Promise<string[]> => {
  const lost = await db
    .selectFrom('study_assignments as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select('u.username')
    .distinct()
    .where('a.study_id', '=', studyId)
    .where('a.status', '=', 'ACTIVE')
    .where(sql<boolean>`not ${userIsWithinGroups(sql`${studyId}::uuid`)}`)
    .orderBy('u.username')
    .execute();
  return lost.map(({ username }) => username);
};

/**
 * Reloads the browsers of limited members of groups that a study has lost. They get no event about the study any more.
 */
export const announceLostGroups = async (scope: Scope, groupIds: readonly string[]): Promise<void> => {
  if (groupIds.length === 0) return;
  const rows = await scope.db
    .selectFrom('group_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('u.id')
    .distinct()
    .where('m.group_id', 'in', groupIds)
    .where('u.sees_own_groups_only', '=', true)
    .execute();
  if (rows.length > 0)
    await announce(
      scope,
      { kind: 'everything' },
      rows.map(({ id }) => id),
    );
};
