import { pluralSentence, sentence, t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { StudyWork, workflow } from '@radwork/contract/reading/workflow';
import { refuseAssigning } from '@radwork/contract/reading/workflow-rights';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { auditStudy } from '#core/audit/audit.ts';
import { userIsWithinGroups } from '#core/access/study-access.ts';
import { isId, newId } from '#core/values/ids.ts';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import { conflict, invalid } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { reachOut } from '#reading/outreach/queue-messages.ts';
import { type StoredStudy, studyToChange } from '#imaging/studies/study-rows.ts';
import { moveQuietlyAfter } from '#imaging/studies/system-moves.ts';
import { assignableUsers } from './assignable.ts';
import { type Assigner, assignerColumns, assignerDetail, assignerWords, callerAsAssigner } from './assigner.ts';
import {
  type AssignedGroup,
  assignGroupsQuietly,
  holdGroups,
  membersOf,
  notifyMembers,
  refuseAssignedGroups,
  refuseUnknownGroups,
} from './group-assignments.ts';
import { assertLater, dueWords } from './due-dates.ts';
import { assertNot, factsOf, workOn } from './work.ts';

type Form = Body<typeof workflow.assign>;
type Terms = Omit<Form, 'userIds' | 'groupIds'>;
export type Person = { id: string; username: string; name: string };

/**
 * Assigns users and groups to a study, all of them or none. Referring physicians among them then see the study. Throws
 * 409 for a study that cannot be assigned, and for a user or group that is already assigned. Throws 422 for a due date in
 * the past, and for a user whose groups hide the study.
 */
export const assign = async (scope: Scope, studyId: string, form: Form): Promise<StudyWork> => {
  await holdPeople(scope, form.userIds);
  const groups = await holdGroups(scope, form.groupIds);
  const members = await membersOf(scope, form.groupIds);
  const study = await studyToChange(scope, studyId);
  assertNot(refuseAssigning(factsOf(study, scope.session)));
  if (form.dueDate) assertLater(form.dueDate);
  const people = await peopleToAssign(scope, [...new Set(form.userIds)]);
  refuseUnknownGroups(form.groupIds, groups);
  await refuseAssigned(scope, studyId, people);
  await refuseAssignedGroups(scope, studyId, groups);
  await refuseUnseen(scope, studyId, people, form.groupIds);
  await assignQuietly(scope, study, { people, groups }, form);
  await announce(scope, { kind: 'study', studyId });
  await notifyAssignees(scope, people, [studyId]);
  await notifyMembers(scope, membersWithout(members, people), [studyId]);
  return workOn(scope, studyId);
};

/** Returns the members who are not assigned themselves. */
export const membersWithout = (members: readonly string[], people: readonly Person[]): string[] =>
  members.filter((member) => !people.some(({ id }) => id === member));

/** Assigns people and groups to a locked study, with history and audit. The caller tells browsers, people and members. */
export const assignQuietly = async (
  scope: Scope,
  study: Pick<StoredStudy, 'id' | 'patient_id'>,
  { people, groups }: { people: Person[]; groups: readonly AssignedGroup[] },
  form: Terms,
  assigner = callerAsAssigner(scope),
): Promise<void> => {
  const studyId = study.id;
  await assignGroupsQuietly(scope, study, groups, form, assigner);
  await addAssignments(scope, studyId, people, { ...form, assigner });
  for (const person of people) {
    const details = assignedWords(person, form, scope.session) + assignerWords(assigner);
    const isBySystem = 'rule' in assigner;
    await recordTask(scope, { studyId, type: 'STUDY_ASSIGNMENT', displayValue: 'ACTIVE', details, isBySystem });
    await auditStudy(scope, 'study.assign', study, { assignee: person.id, ...assignerDetail(assigner) });
  }
  await moveQuietlyAfter(scope, 'firstAssignment', studyId);
};

/** Tells people about the studies that were assigned to them, with one notification and one message for all. */
export const notifyAssignees = async (
  scope: Scope,
  people: readonly Person[],
  studyIds: readonly string[],
): Promise<void> => {
  const [studyId, ...others] = studyIds;
  if (studyId === undefined) return;
  const to = people.map(({ id }) => id);
  const type = 'ASSIGNMENT' as const;
  if (others.length === 0) {
    const title = sentence`A study was assigned to you`;
    await notify(scope, { to, type, title, ...(await aboutStudy(scope, studyId)) });
    return reachOut(scope, { topic: type, to, link: `/studies/${studyId}`, studyId });
  }
  const link = '/studies?view=MINE';
  const title = pluralSentence(studyIds.length, {
    one: '# study was assigned to you',
    other: '# studies were assigned to you',
  });
  await notify(scope, { to, type, title, message: sentence`Open the list of your studies`, link });
  await reachOut(scope, { topic: type, to, link });
};

/**
 * Locks these users, so that they cannot be deactivated until the transaction ends. Must run before the study is
 * locked, because a deactivation also locks the user first.
 */
export const holdPeople = async ({ db }: Scope, userIds: readonly string[]): Promise<void> => {
  const ids = userIds.filter(isId);
  if (ids.length > 0)
    await db.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id').forShare().execute();
};

/** Returns these users. Throws 422 when studies cannot be assigned to one of them. */
export const peopleToAssign = async (scope: Scope, userIds: string[]): Promise<Person[]> => {
  if (userIds.length === 0) return [];
  const people = userIds.every(isId) ? await assignableUsers(scope).where('u.id', 'in', userIds).execute() : [];
  if (people.length < userIds.length) {
    throw invalid({ userIds: t`Choose active radiologists or referring physicians only` });
  }
  return people;
};

/**
 * Throws 422 for users who are limited to groups and would not see the study. `groupIds`: groups that the same act adds
 * to the study.
 */
export const refuseUnseen = async (
  { db }: Scope,
  studyId: string,
  people: Person[],
  groupIds: readonly string[],
): Promise<void> => {
  if (people.length === 0) return;
  const unseen = await db
    .selectFrom('users as u')
    .select('u.username')
    .where(
      'u.id',
      'in',
      people.map(({ id }) => id),
    )
    .where(sql<boolean>`not ${userIsWithinGroups(sql`${studyId}::uuid`)}`)
    .where(
      sql<boolean>`not exists (
        select from group_members member where member.user_id = u.id and member.group_id = any(${groupIds}::uuid[]))`,
    )
    .orderBy('u.username')
    .execute();
  if (unseen.length === 0) return;
  const names = unseen.map(({ username }) => username).join(', ');
  throw invalid({ userIds: t`The groups of ${names} hide this study. Add one of these groups to the study first.` });
};

export const refuseAssigned = async ({ db }: Scope, studyId: string, people: Person[]): Promise<void> => {
  if (people.length === 0) return;
  const ids = people.map(({ id }) => id);
  const active = await db
    .selectFrom('study_assignments as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select('u.username')
    .where('a.study_id', '=', studyId)
    .where('a.status', '=', 'ACTIVE')
    .where('a.user_id', 'in', ids)
    .orderBy('u.username')
    .execute();
  if (active.length === 0) return;
  const names = active.map(({ username }) => username).join(', ');
  throw conflict('assignment.exists', t`The study is already assigned to ${names}. No user was assigned.`);
};

const addAssignments = async (
  { db }: Scope,
  studyId: string,
  people: Person[],
  { assigner, ...form }: Terms & { assigner: Assigner },
) => {
  if (people.length === 0) return;
  await db
    .insertInto('study_assignments')
    .values(
      people.map(({ id }) => ({
        id: newId(),
        study_id: studyId,
        user_id: id,
        ...assignerColumns(assigner),
        due_at: form.dueDate ?? null,
        notes: form.notes,
      })),
    )
    .execute();
  await db
    .insertInto('study_participants')
    .values(people.map(({ id }) => ({ study_id: studyId, user_id: id, role: 'ASSIGNEE' as const })))
    .onConflict((known) => known.doNothing())
    .execute();
};

const assignedWords = ({ name, username }: Person, { dueDate, notes }: Terms, session: Session): string => {
  const due = dueDate ? `, due ${dueWords(dueDate, session)}` : '';
  return `Assigned to ${name} (${username})${due}${notes && `: ${notes}`}`;
};
