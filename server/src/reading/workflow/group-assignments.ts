import { pluralSentence, sentence, t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { StudyWork, workflow } from '@radwork/contract/reading/workflow';
import { refuseAssigner } from '@radwork/contract/reading/workflow-rights';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { userIsWithinGroups } from '#core/access/study-access.ts';
import { auditStudy } from '#core/audit/audit.ts';
import { conflict, invalid, orNotFound } from '#core/http/problem.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { announce } from '#core/live/announce.ts';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import { anyOf } from '#core/values/any-of.ts';
import { newId } from '#core/values/ids.ts';
import { announceLostGroups, assigneesWithoutSight } from '#imaging/study-groups/lost-sight.ts';
import { auditGroups, groupsNamed } from '#imaging/study-groups/named-groups.ts';
import { type StoredStudy, studyToChange } from '#imaging/studies/study-rows.ts';
import { moveQuietlyAfter } from '#imaging/studies/system-moves.ts';
import { reachOut } from '#reading/outreach/queue-messages.ts';
import { assignerColumns, assignerDetail, assignerWords, callerAsAssigner } from './assigner.ts';
import { dueWords } from './due-dates.ts';
import { type ActiveGroupAssignment, activeGroupAssignmentsOf } from './group-assignment-rows.ts';
import { assertNot, factsOf, workOn } from './work.ts';

type Form = Body<typeof workflow.assign>;

/** Returns the active radiologists of these groups. A group shows no study to referring physicians. */
export const membersOf = async ({ db }: Scope, groupIds: readonly string[]): Promise<string[]> => {
  if (groupIds.length === 0) return [];
  const rows = await db
    .selectFrom('group_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('u.id')
    .distinct()
    .where('m.group_id', 'in', groupIds)
    .where('u.is_active', '=', true)
    .where('u.user_type', '=', 'RADIOLOGIST')
    .execute();
  return rows.map(({ id }) => id);
};

export type AssignedGroup = { id: string; name: string };

/**
 * Locks these groups until the transaction ends and returns those that exist. Must run before a study is locked, because
 * the deletion of a group also locks the group first (identity/groups).
 */
export const holdGroups = async ({ db }: Scope, groupIds: readonly string[]): Promise<AssignedGroup[]> =>
  groupIds.length === 0
    ? []
    : db.selectFrom('groups').select(['id', 'name']).where('id', 'in', groupIds).orderBy('id').forShare().execute();

/** Throws 422 when one of these groups does not exist. */
export const refuseUnknownGroups = (groupIds: readonly string[], held: readonly AssignedGroup[]): void => {
  if (held.length < new Set(groupIds).size) throw invalid({ groupIds: t`Choose groups of this organization` });
};

/**
 * Assigns a locked study to groups, with history and audit. They become groups of the study, so that their members see
 * it. The caller moves the status and tells browsers and members.
 */
export const assignGroupsQuietly = async (
  scope: Scope,
  study: Pick<StoredStudy, 'id' | 'patient_id'>,
  groups: readonly AssignedGroup[],
  { dueDate, notes }: Pick<Form, 'dueDate' | 'notes'>,
  assigner = callerAsAssigner(scope),
): Promise<void> => {
  if (groups.length === 0) return;
  const { db, session } = scope;
  await db
    .insertInto('group_assignments')
    .values(
      groups.map(({ id }) => ({
        id: newId(),
        study_id: study.id,
        group_id: id,
        ...assignerColumns(assigner),
        due_at: dueDate ?? null,
        notes,
        adds_group: sql<boolean>`not exists (
          select from studies s where s.id = ${study.id} and s.group_ids @> array[${id}]::uuid[])`,
      })),
    )
    .execute();
  const ids = groups.map(({ id }) => id);
  await db
    .updateTable('studies')
    .set({ group_ids: sql<string[]>`array(select unnest(group_ids) union select unnest(${ids}::uuid[]))` })
    .where('id', '=', study.id)
    .execute();
  for (const { id, name } of groups) {
    const due = dueDate ? `, due ${dueWords(dueDate, session)}` : '';
    await recordTask(scope, {
      studyId: study.id,
      type: 'STUDY_ASSIGNMENT',
      displayValue: 'ACTIVE',
      details: `Assigned to the group ${name}${due}${notes && `: ${notes}`}${assignerWords(assigner)}`,
      isBySystem: 'rule' in assigner,
    });
    await auditStudy(scope, 'study.assign', study, { group: id, ...assignerDetail(assigner) });
  }
};

/** Throws 409 when the study is already assigned to one of these groups. */
export const refuseAssignedGroups = async (
  scope: Scope,
  studyId: string,
  groups: readonly AssignedGroup[],
): Promise<void> => {
  const active = await activeGroupAssignmentsOf(
    scope,
    studyId,
    groups.map(({ id }) => id),
  );
  if (active.length === 0) return;
  const names = active.map(({ name }) => name).join(', ');
  throw conflict('assignment.exists', t`The study is already assigned to ${names}. No user was assigned.`);
};

/** Tells members of groups about the studies that were assigned to their groups, with one notification for all. */
export const notifyMembers = async (
  scope: Scope,
  members: readonly string[],
  studyIds: readonly string[],
): Promise<void> => {
  const [studyId, ...others] = studyIds;
  if (studyId === undefined || members.length === 0) return;
  const type = 'ASSIGNMENT' as const;
  const to = members.filter((id) => id !== scope.session.userId);
  if (others.length === 0) {
    const title = sentence`A study was assigned to your group`;
    await notify(scope, { to: [...members], type, title, ...(await aboutStudy(scope, studyId)) });
    return reachOut(scope, { topic: type, to, link: `/studies/${studyId}`, studyId });
  }
  const link = '/studies?view=MINE';
  const title = pluralSentence(studyIds.length, {
    one: '# study was assigned to your group',
    other: '# studies were assigned to your group',
  });
  await notify(scope, { to: [...members], type, title, message: sentence`Open the list of your studies`, link });
  await reachOut(scope, { topic: type, to, link });
};

/**
 * Ends the assignment of a locked study to a group, with history and audit. The study keeps the group, except in an undo:
 * if the caller made the assignment, the study loses the group that the assignment had added.
 */
export const removeGroupQuietly = async (
  scope: Scope,
  study: StoredStudy,
  { id, groupId, name, addsGroup, assignedBy }: ActiveGroupAssignment,
  { isUndo }: { isUndo: boolean },
): Promise<void> => {
  await scope.db
    .updateTable('group_assignments')
    .set({ status: 'CANCELLED', ended_at: sql`now()` })
    .where('id', '=', id)
    .execute();
  const details = `Assignment of the group ${name} removed`;
  await recordTask(scope, { studyId: study.id, type: 'STUDY_ASSIGNMENT', displayValue: 'CANCELLED', details });
  await auditStudy(scope, 'study.unassign', study, { group: groupId });
  const isOwnUndo = isUndo && addsGroup && assignedBy === scope.session.userId;
  const change = isOwnUndo ? await removedFrom(scope, study.id, groupId) : undefined;
  if (change) {
    const [before, after] = [await groupsNamed(scope, change.before), await groupsNamed(scope, change.after)];
    await auditGroups(scope, study, { before, after });
    await announceLostGroups(scope, [groupId]);
  }
  if (study.active_assignments === 1) await moveQuietlyAfter(scope, 'lastAssignmentRemoved', study.id);
};

/**
 * Removes a group from a locked study, and returns the groups before and after. Removes nothing if the caller or an
 * assignee would then not see the study.
 */
const removedFrom = async (
  scope: Scope,
  studyId: string,
  groupId: string,
): Promise<{ before: string[]; after: string[] } | undefined> => {
  const { studyGroups: own } = scope.session;
  const study = scope.db.selectFrom('studies').select('group_ids').where('id', '=', studyId);
  const { group_ids: before } = await study.executeTakeFirstOrThrow();
  const after = before.filter((id) => id !== groupId);
  if (own && !after.some((id) => own.includes(id))) return undefined;
  const change = (group_ids: string[]) =>
    scope.db.updateTable('studies').set({ group_ids }).where('id', '=', studyId).execute();
  await change(after);
  if ((await assigneesWithoutSight(scope, studyId)).length === 0) return { before, after };
  await change(before);
  return undefined;
};

/**
 * Tells the members of a group that studies are no longer assigned to it, with one notification for all. It does not count
 * studies that the groups of the member hide.
 */
export const notifyGroupRemoved = async (scope: Scope, groupId: string, studyIds: readonly string[]): Promise<void> => {
  const members = await scope.db
    .selectFrom('users as u')
    .innerJoin('studies as s', (join) => join.on('s.id', '=', anyOf(studyIds)))
    .select(['u.id', sql<string[]>`array_agg(s.id order by s.id)`.as('seen')])
    .where('u.id', '=', anyOf(await membersOf(scope, [groupId])))
    .where(userIsWithinGroups(sql.ref('s.id')))
    .groupBy('u.id')
    .execute();
  for (const [, told] of Map.groupBy(members, ({ seen }) => seen.join(' '))) {
    const to = told.map(({ id }) => id);
    await notify(scope, { to, type: 'ASSIGNMENT', ...(await aboutRemoval(scope, told[0]?.seen ?? [])) });
  }
};

const aboutRemoval = async (scope: Scope, studyIds: readonly string[]) => {
  const [studyId, ...others] = studyIds;
  if (studyId !== undefined && others.length === 0) {
    return { title: sentence`A study is no longer assigned to your group`, ...(await aboutStudy(scope, studyId)) };
  }
  const title = pluralSentence(studyIds.length, {
    one: '# study is no longer assigned to your group',
    other: '# studies are no longer assigned to your group',
  });
  return { title, message: sentence`Open the list of your studies`, link: '/studies?view=MINE' };
};

/** Removes the active assignment of a group. The study keeps the group. Throws 404 when there is none. */
export const removeGroupAssignment = async (scope: Scope, studyId: string, groupId: string): Promise<StudyWork> => {
  const study = await studyToChange(scope, studyId);
  assertNot(refuseAssigner(factsOf(study, scope.session)));
  const [assignment] = await activeGroupAssignmentsOf(scope, studyId, [groupId]);
  await removeGroupQuietly(scope, study, orNotFound(assignment, 'assignment'), { isUndo: false });
  await announce(scope, { kind: 'study', studyId });
  await notifyGroupRemoved(scope, groupId, [studyId]);
  return workOn(scope, studyId);
};
