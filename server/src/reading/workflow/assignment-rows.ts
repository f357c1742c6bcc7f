import { t } from '@radwork/contract/core/translate';
import { type Assignment, assignmentStatusAt } from '@radwork/contract/reading/workflow';
import { sql } from 'kysely';
import { conflict, orNotFound } from '#core/http/problem.ts';
import { anyOf } from '#core/values/any-of.ts';
import { isId } from '#core/values/ids.ts';
import type { Scope } from '#core/access/scope.ts';
import { toAssigner } from './assigner.ts';

const storedAssignments = ({ db }: Scope) =>
  db
    .selectFrom('study_assignments as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .leftJoin('users as by', 'by.id', 'a.assigned_by')
    .select([
      'a.id',
      'a.user_id',
      'a.assigned_by',
      'a.assigned_by_rule',
      'a.assigned_at',
      'a.ended_at',
      'a.due_at',
      'a.status',
      'a.notes',
    ])
    .select(['u.username', 'u.name', 'u.user_type', 'by.username as by_username', 'by.name as by_name']);

/** A stored assignment and its users. */
export type StoredAssignment = Awaited<ReturnType<ReturnType<typeof storedAssignments>['execute']>>[number];

/** Returns the assignments of a study: active ones first, then those that ended, newest first. */
export const assignmentsOf = async (scope: Scope, studyId: string): Promise<Assignment[]> => {
  const rows = await storedAssignments(scope)
    .select(isAssignee.as('is_assignee'))
    .where('a.study_id', '=', studyId)
    .orderBy(sql`a.status <> 'ACTIVE', coalesce(a.ended_at, a.assigned_at) desc, a.id desc`)
    .execute();
  const now = new Date();
  const isLatest = (row: StoredAssignment) => rows.find(({ user_id }) => user_id === row.user_id) === row;
  return rows.map((row) => ({
    ...toAssignment(row, now),
    keepsAccess: row.status !== 'ACTIVE' && row.is_assignee && isLatest(row),
  }));
};

/** SQL condition for a row "a" of study_assignments: its user has access to the study by an assignment. */
const isAssignee = sql<boolean>`exists (
  select from study_participants sp
  where sp.study_id = a.study_id and sp.user_id = a.user_id and sp.role = 'ASSIGNEE')`;

const toAssignment = (row: StoredAssignment, now: Date): Omit<Assignment, 'keepsAccess'> => ({
  id: row.id,
  user: { id: row.user_id, username: row.username, name: row.name, userType: row.user_type },
  assignedBy: toAssigner(row),
  assignedAt: row.assigned_at,
  completedAt: row.status === 'COMPLETED' ? row.ended_at : null,
  dueDate: row.due_at,
  status: assignmentStatusAt(row.status, row.due_at, now),
  notes: row.notes,
});

/** Returns the active assignment of a user, or else the last assignment that ended. Throws 404 when there is none. */
const latestAssignment = async (scope: Scope, studyId: string, userId: string): Promise<StoredAssignment> => {
  const latest = await storedAssignments(scope)
    .where('a.study_id', '=', studyId)
    .where('a.user_id', '=', userId)
    .orderBy(sql`a.status = 'ACTIVE' desc, a.ended_at desc, a.id desc`)
    .limit(1)
    .executeTakeFirst();
  return orNotFound(latest, 'assignment');
};

/**
 * Returns the active assignment of a user. Throws 409 with the reason when it has ended, and 404 when there was none.
 * The study must be locked, so that the result is valid until the transaction ends.
 */
export const activeAssignment = async (scope: Scope, studyId: string, userId: string): Promise<StoredAssignment> => {
  const assignment = await latestAssignment(scope, studyId, userId);
  if (assignment.status === 'ACTIVE') return assignment;
  const { username, status } = assignment;
  throw conflict(
    'assignment.ended',
    status === 'COMPLETED'
      ? t`The assignment of ${username} is already completed`
      : t`The assignment of ${username} is already removed`,
  );
};

/** Returns the last assignment of a user that ended. Throws 409 when one is active, and 404 when there was none. */
export const endedAssignment = async (scope: Scope, studyId: string, userId: string): Promise<StoredAssignment> => {
  const assignment = await latestAssignment(scope, studyId, userId);
  if (assignment.status !== 'ACTIVE') return assignment;
  throw conflict('assignment.active', t`The study is now assigned to ${assignment.username}`);
};

/** Returns the active assignments of these users. The study must be locked before a change. */
export const activeAssignmentsOf = (
  scope: Scope,
  studyId: string,
  userIds: readonly string[],
): Promise<StoredAssignment[]> =>
  storedAssignments(scope)
    .where('a.study_id', '=', studyId)
    .where('a.status', '=', 'ACTIVE')
    .where('a.user_id', '=', anyOf(userIds.filter(isId)))
    .orderBy('a.id')
    .execute();
