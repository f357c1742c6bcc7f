import { sentence, t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { StudyWork, workflow } from '@radwork/contract/reading/workflow';
import { refuseAssigner } from '@radwork/contract/reading/workflow-rights';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { auditStudy } from '#core/audit/audit.ts';
import { conflict, invalid, orNotFound } from '#core/http/problem.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { announce } from '#core/live/announce.ts';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import { newId } from '#core/values/ids.ts';
import { assignableTypes } from '#imaging/studies/open-assignments.ts';
import { type StoredStudy, studyToChange } from '#imaging/studies/study-rows.ts';
import { moveStudyAfter } from '#imaging/studies/system-moves.ts';
import { assignerColumns, assignerDetail, assignerWords, callerAsAssigner } from './assigner.ts';
import { dueWords } from './due-dates.ts';
import { assertNot, factsOf, workOn } from './work.ts';

type Form = Body<typeof workflow.assign>;

/** Returns the active members of these groups to whom studies can be assigned. */
export const membersOf = async ({ db }: Scope, groupIds: readonly string[]): Promise<string[]> => {
  if (groupIds.length === 0) return [];
  const rows = await db
    .selectFrom('group_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('u.id')
    .distinct()
    .where('m.group_id', 'in', groupIds)
    .where('u.is_active', '=', true)
    .where('u.user_type', 'in', assignableTypes)
    .execute();
  return rows.map(({ id }) => id);
};

/**
 * Assigns a study to groups. They become groups of the study, so that their members see it. The study must be locked.
 * Throws 409 for a group that is already assigned, and 422 for an unknown group.
 */
export const assignGroups = async (
  scope: Scope,
  study: Pick<StoredStudy, 'id' | 'patient_id'>,
  form: Omit<Form, 'userIds'>,
  assigner = callerAsAssigner(scope),
): Promise<void> => {
  const ids = [...new Set(form.groupIds)];
  if (ids.length === 0) return;
  const { db, session } = scope;
  // The lock keeps the groups until the transaction ends.
  const groups = await db
    .selectFrom('groups')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forShare()
    .execute();
  if (groups.length < ids.length) throw invalid({ groupIds: t`Choose groups of this organization` });
  await refuseAssigned(scope, study.id, ids);
  await db
    .insertInto('group_assignments')
    .values(
      groups.map(({ id }) => ({
        id: newId(),
        study_id: study.id,
        group_id: id,
        ...assignerColumns(assigner),
        due_at: form.dueDate ?? null,
        notes: form.notes,
      })),
    )
    .execute();
  await db
    .updateTable('studies')
    .set({ group_ids: sql<string[]>`array(select unnest(group_ids) union select unnest(${ids}::uuid[]))` })
    .where('id', '=', study.id)
    .execute();
  for (const { id, name } of groups) {
    const due = form.dueDate ? `, due ${dueWords(form.dueDate, session)}` : '';
    const notes = form.notes && `: ${form.notes}`;
    await recordTask(scope, {
      studyId: study.id,
      type: 'STUDY_ASSIGNMENT',
      displayValue: 'ACTIVE',
      details: `Assigned to the group ${name}${due}${notes}${assignerWords(assigner)}`,
      isBySystem: 'rule' in assigner,
    });
    await auditStudy(scope, 'study.assign', study, { group: id, ...assignerDetail(assigner) });
  }
};

const refuseAssigned = async ({ db }: Scope, studyId: string, groupIds: string[]): Promise<void> => {
  const active = await db
    .selectFrom('group_assignments as a')
    .innerJoin('groups as g', 'g.id', 'a.group_id')
    .select('g.name')
    .where('a.study_id', '=', studyId)
    .where('a.status', '=', 'ACTIVE')
    .where('a.group_id', 'in', groupIds)
    .orderBy('g.name')
    .execute();
  if (active.length === 0) return;
  const names = active.map(({ name }) => name).join(', ');
  throw conflict('assignment.exists', t`The study is already assigned to ${names}. No user was assigned.`);
};

/** Removes the active assignment of a group. The study keeps the group. Throws 404 when there is none. */
export const removeGroupAssignment = async (scope: Scope, studyId: string, groupId: string): Promise<StudyWork> => {
  const study = await studyToChange(scope, studyId);
  assertNot(refuseAssigner(factsOf(study, scope.session)));
  const removed = await scope.db
    .updateTable('group_assignments as a')
    .from('groups as g')
    .set({ status: 'CANCELLED', ended_at: sql`now()` })
    .whereRef('g.id', '=', 'a.group_id')
    .where('a.study_id', '=', studyId)
    .where('a.group_id', '=', groupId)
    .where('a.status', '=', 'ACTIVE')
    .returning('g.name')
    .executeTakeFirst();
  const { name } = orNotFound(removed, 'assignment');
  const details = `Assignment of the group ${name} removed`;
  await recordTask(scope, { studyId, type: 'STUDY_ASSIGNMENT', displayValue: 'CANCELLED', details });
  await auditStudy(scope, 'study.unassign', study, { group: groupId });
  await announce(scope, { kind: 'study', studyId });
  await notify(scope, {
    to: await membersOf(scope, [groupId]),
    type: 'ASSIGNMENT',
    title: sentence`A study is no longer assigned to your group`,
    ...(await aboutStudy(scope, studyId)),
  });
  if (study.active_assignments === 1) await moveStudyAfter(scope, 'lastAssignmentRemoved', studyId);
  return workOn(scope, studyId);
};
