import type { UserType } from '@radwork/contract/core/access';
import type { StudyStatus } from '@radwork/contract/imaging/study-status';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { recordTask } from '#core/jobs/task-history.ts';

/** User types to whom studies can be assigned. */
export const assignableTypes = ['RADIOLOGIST', 'REFERRING_PHYSICIAN'] as const satisfies readonly UserType[];

/** Final states of assignments, by the new status of their study. */
const endings: Partial<Record<StudyStatus, { status: 'COMPLETED' | 'CANCELLED'; what: string }>> = {
  COMPLETED: { status: 'COMPLETED', what: 'completed with the study' },
  CANCELLED: { status: 'CANCELLED', what: 'ended because the study was canceled' },
};

/**
 * Ends the active assignments of a completed or canceled study, so that worklists do not show them and they are not
 * overdue. Call it after the new status was written to the history. Users are notified only of the status.
 */
export const endAssignmentsWith = async (scope: Scope, studyId: string, reached: StudyStatus): Promise<void> => {
  const ending = endings[reached];
  if (!ending) return;
  const ended = await scope.db
    .updateTable('study_assignments as a')
    .from('users as u')
    .set({ status: ending.status, ended_at: sql`clock_timestamp()` })
    .whereRef('u.id', '=', 'a.user_id')
    .where('a.study_id', '=', studyId)
    .where('a.status', '=', 'ACTIVE')
    .returning(['u.name', 'u.username'])
    .execute();
  const endedGroups = await scope.db
    .updateTable('group_assignments as a')
    .from('groups as g')
    .set({ status: ending.status, ended_at: sql`clock_timestamp()` })
    .whereRef('g.id', '=', 'a.group_id')
    .where('a.study_id', '=', studyId)
    .where('a.status', '=', 'ACTIVE')
    .returning('g.name')
    .execute();
  const assignees = [
    ...ended.map(({ name, username }) => `${name} (${username})`),
    ...endedGroups.map(({ name }) => `the group ${name}`),
  ];
  for (const assignee of assignees) {
    await recordTask(scope, {
      studyId,
      type: 'STUDY_ASSIGNMENT',
      displayValue: ending.status,
      details: `Assignment of ${assignee} ${ending.what}`,
      isBySystem: true,
    });
  }
};

/**
 * Activates the assignments again that ended because their study was canceled. Assignments that users removed before or
 * after the cancellation stay ended. So do those of users who cannot be assigned now. Returns how many were activated.
 */
export const reviveAssignments = async ({ db }: Scope, studyId: string): Promise<number> => {
  const { rows } = await sql`
    update study_assignments a set status = 'ACTIVE', ended_at = null
    where study_id = ${studyId} and status = 'CANCELLED' and ended_at > (
      select max(created_at) from task_history
      where study_id = ${studyId} and type = 'STUDY_STATUS_CHANGE' and display_value = 'CANCELLED')
      and exists (select from study_participants sp
                  where sp.study_id = a.study_id and sp.user_id = a.user_id and sp.role = 'ASSIGNEE')
      and exists (select from users u
                  where u.id = a.user_id and u.is_active and u.user_type = any(${assignableTypes}))
    returning id`.execute(db);
  const { rows: ofGroups } = await sql`
    update group_assignments set status = 'ACTIVE', ended_at = null
    where study_id = ${studyId} and status = 'CANCELLED' and ended_at > (
      select max(created_at) from task_history
      where study_id = ${studyId} and type = 'STUDY_STATUS_CHANGE' and display_value = 'CANCELLED')
    returning id`.execute(db);
  return rows.length + ofGroups.length;
};
