import { assignmentStatusAt, type GroupAssignment } from '@radwork/contract/reading/workflow';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { toAssigner } from './assigner.ts';
import { anyOf } from '#core/values/any-of.ts';

/** Returns the assignments of a study to groups: active ones first, then those that ended, newest first. */
export const groupAssignmentsOf = async ({ db }: Scope, studyId: string): Promise<GroupAssignment[]> => {
  const rows = await db
    .selectFrom('group_assignments as a')
    .innerJoin('groups as g', 'g.id', 'a.group_id')
    .leftJoin('users as by', 'by.id', 'a.assigned_by')
    .select(['a.id', 'a.group_id', 'a.assigned_at', 'a.ended_at', 'a.due_at', 'a.status', 'a.notes', 'g.name'])
    .select(['a.assigned_by_rule', 'by.username as by_username', 'by.name as by_name'])
    .where('a.study_id', '=', studyId)
    .orderBy(sql`a.status <> 'ACTIVE', coalesce(a.ended_at, a.assigned_at) desc, a.id desc`)
    .execute();
  const now = new Date();
  return rows.map((row) => ({
    id: row.id,
    group: { id: row.group_id, name: row.name },
    assignedBy: toAssigner(row),
    assignedAt: row.assigned_at,
    completedAt: row.status === 'COMPLETED' ? row.ended_at : null,
    dueDate: row.due_at,
    status: assignmentStatusAt(row.status, row.due_at, now),
    notes: row.notes,
  }));
};

/**
 * An active assignment of a study to a group. `assignedBy`: null for a rule. `addsGroup`: whether it added the group to
 * the study.
 */
export type ActiveGroupAssignment = {
  id: string;
  groupId: string;
  name: string;
  assignedBy: string | null;
  addsGroup: boolean;
};

/** Returns the active assignments of these groups by name. The study must be locked before a change. */
export const activeGroupAssignmentsOf = ({ db }: Scope, studyId: string, groupIds: readonly string[]) =>
  db
    .selectFrom('group_assignments as a')
    .innerJoin('groups as g', 'g.id', 'a.group_id')
    .select(['a.id', 'a.group_id as groupId', 'g.name', 'a.assigned_by as assignedBy', 'a.adds_group as addsGroup'])
    .where('a.study_id', '=', studyId)
    .where('a.status', '=', 'ACTIVE')
    .where('a.group_id', '=', anyOf(groupIds))
    .orderBy('g.name')
    .execute();
