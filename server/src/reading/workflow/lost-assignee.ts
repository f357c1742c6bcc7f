import { pluralSentence, sentence } from '@radwork/contract/core/translate';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { notify } from '#core/notifications/notify.ts';
import type { Scope } from '#core/access/scope.ts';
import { userIsWithinGroups } from '#core/access/study-access.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { moveStudyAfter } from '#imaging/studies/system-moves.ts';
import { endAccess } from './assignee-access.ts';

/** Which assignments end: all of them, or those of studies that the groups of the user hide. */
type Ended = 'all' | 'hidden';

/**
 * Ends active assignments of a user who can no longer read the studies: all of them when nothing can be assigned to the
 * user, or those of studies that the groups of the user hide. Otherwise these studies would be in
 * no worklist that is read, and would not count as unassigned. Notifies the users who assigned them. Call it after the
 * change of the user is written, so that no new assignment can follow (assign.ts).
 */
export const endAssignmentsOf = async (scope: Scope, userId: string, which: Ended): Promise<void> => {
  await lockStudiesOf(scope, userId, which);
  const { username, name } = await scope.db
    .selectFrom('users')
    .select(['username', 'name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const ended = await scope.db
    .updateTable('study_assignments')
    .set({ status: 'CANCELLED', ended_at: sql`clock_timestamp()`, is_lost: true })
    .where('user_id', '=', userId)
    .where('status', '=', 'ACTIVE')
    .where(isEnding(userId, which))
    .returning(['study_id', 'assigned_by'])
    .execute();
  await endAccess(
    scope,
    userId,
    ended.map(({ study_id }) => study_id),
  );
  for (const { study_id: studyId } of ended) {
    await recordTask(scope, {
      studyId,
      type: 'STUDY_ASSIGNMENT',
      displayValue: 'CANCELLED',
      details: `Assignment of ${name} (${username}) ended: ${reasons[which]}`,
      isBySystem: true,
    });
    if (await isNobodys(scope, studyId)) await moveStudyAfter(scope, 'lastAssignmentRemoved', studyId);
    await announce(scope, { kind: 'study', studyId });
  }
  for (const [assigner, assignments] of Map.groupBy(ended, ({ assigned_by }) => assigned_by)) {
    await notify(scope, {
      // Rules judge their studies again (assignment-rules), but may find no other reader.
      to: assigner === null ? await administratorsOf(scope) : [assigner],
      type: 'ASSIGNMENT',
      title:
        which === 'all'
          ? sentence`${name} is no longer an active reader`
          : sentence`The groups of ${name} now hide studies`,
      message:
        assigner === null
          ? pluralSentence(assignments.length, {
              one: '# study that a rule assigned to this user is no longer assigned',
              other: '# studies that rules assigned to this user are no longer assigned',
            })
          : pluralSentence(assignments.length, {
              one: '# study that you assigned to this user is no longer assigned',
              other: '# studies that you assigned to this user are no longer assigned',
            }),
      link: '/studies?view=UNASSIGNED',
      ...(assignments.length === 1 && { studyId: assignments[0]?.study_id }),
    });
  }
};

const administratorsOf = async ({ db }: Scope): Promise<string[]> => {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('user_type', '=', 'ADMIN')
    .where('is_active', '=', true)
    .execute();
  return rows.map(({ id }) => id);
};

const reasons: Record<Ended, string> = {
  all: 'no longer an active reader',
  hidden: 'the groups of the user hide the study',
};

/** SQL condition on a row of study_assignments of the user. */
const isEnding = (userId: string, which: Ended) =>
  which === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`not exists (select from users u
        where u.id = ${userId} and ${userIsWithinGroups(sql.ref('study_assignments.study_id'))})`;

/** Locks in a fixed order, so that two deactivations at the same time cannot deadlock. */
const lockStudiesOf = ({ db }: Scope, userId: string, which: Ended) =>
  db
    .selectFrom('studies')
    .select('id')
    .where('id', 'in', (query) =>
      query
        .selectFrom('study_assignments')
        .select('study_id')
        .where('user_id', '=', userId)
        .where('status', '=', 'ACTIVE')
        .where(isEnding(userId, which)),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

const isNobodys = async ({ db }: Scope, studyId: string): Promise<boolean> => {
  const { active_assignments } = await db
    .selectFrom('studies')
    .select('active_assignments')
    .where('id', '=', studyId)
    .executeTakeFirstOrThrow();
  return active_assignments === 0;
};
