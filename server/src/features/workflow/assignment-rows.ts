import { type Assignment, assignmentStatusAt } from '@radwork/contract/workflow';
import { sql } from 'kysely';
import { conflict, found } from '#core/problem.ts';
import type { Scope } from '#core/scope.ts';

const storedAssignments = ({ db }: Scope) =>
  db
    .selectFrom('study_assignments as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .innerJoin('users as by', 'by.id', 'a.assigned_by')
    .select(['a.id', 'a.user_id', 'a.assigned_by', 'a.assigned_at', 'a.ended_at', 'a.due_at', 'a.status', 'a.notes'])
    .select(['u.username', 'u.name', 'u.user_type', 'by.username as by_username', 'by.name as by_name']);

/** An assignment as it is stored, with who it names. */
export type StoredAssignment = Awaited<ReturnType<ReturnType<typeof storedAssignments>['execute']>>[number];

/** The assignments of a study: those that are active, then those that have ended, newest first. */
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

/** Of a row "a" of study_assignments: whether the study concerns its user because of this or another assignment. */
const isAssignee = sql<boolean>`exists (
  select from study_participants sp
  where sp.study_id = a.study_id and sp.user_id = a.user_id and sp.role = 'ASSIGNEE')`;

const toAssignment = (row: StoredAssignment, now: Date): Omit<Assignment, 'keepsAccess'> => ({
  id: row.id,
  user: { id: row.user_id, username: row.username, name: row.name, userType: row.user_type },
  assignedBy: { username: row.by_username, name: row.by_name },
  assignedAt: row.assigned_at,
  completedAt: row.status === 'COMPLETED' ? row.ended_at : null,
  dueDate: row.due_at,
  status: assignmentStatusAt(row.status, row.due_at, now),
  notes: row.notes,
});

/** The assignment of somebody that is active, or else the one that ended last. Throws 404 when they never had any. */
const latestAssignment = async (scope: Scope, studyId: string, userId: string): Promise<StoredAssignment> => {
  const latest = await storedAssignments(scope)
    .where('a.study_id', '=', studyId)
    .where('a.user_id', '=', userId)
    .orderBy(sql`a.status = 'ACTIVE' desc, a.ended_at desc, a.id desc`)
    .limit(1)
    .executeTakeFirst();
  return found(latest, 'assignment');
};

/**
 * What somebody has to do with a study now. Throws 409 when their work on it has ended, saying how, and 404 when they
 * never had any. The study must be locked, so that this stays true until the transaction ends.
 */
export const activeAssignment = async (scope: Scope, studyId: string, userId: string): Promise<StoredAssignment> => {
  const assignment = await latestAssignment(scope, studyId, userId);
  if (assignment.status === 'ACTIVE') return assignment;
  const how = assignment.status === 'COMPLETED' ? 'completed' : 'removed';
  throw conflict('assignment.ended', `The assignment of ${assignment.username} has been ${how} by now`);
};

/** What somebody had to do with a study until it ended. Throws 409 when they have it to do again, otherwise likewise. */
export const endedAssignment = async (scope: Scope, studyId: string, userId: string): Promise<StoredAssignment> => {
  const assignment = await latestAssignment(scope, studyId, userId);
  if (assignment.status !== 'ACTIVE') return assignment;
  throw conflict('assignment.active', `The study is assigned to ${assignment.username} by now`);
};
