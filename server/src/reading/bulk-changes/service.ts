import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { bulkChanges as endpoints, StudyOutcome } from '@radwork/contract/reading/bulk-changes';
import { refuseAssigner, refuseAssigning, refuseStatus } from '@radwork/contract/reading/workflow-rights';
import { studyStatusLabels } from '@radwork/contract/imaging/study-status';
import { auditStudy } from '#core/audit/audit.ts';
import type { Scope } from '#core/access/scope.ts';
import { setPriorityQuietly } from '#imaging/studies/study-priority.ts';
import { notifyOfStatuses } from '#imaging/studies/status-notice.ts';
import {
  assignQuietly,
  holdPeople,
  membersWithout,
  notifyAssignees,
  peopleToAssign,
  refuseAssigned,
  refuseUnseen,
} from '#reading/workflow/assign.ts';
import { activeAssignmentsOf } from '#reading/workflow/assignment-rows.ts';
import { notifyRemoved, removeQuietly } from '#reading/workflow/assignments.ts';
import { activeGroupAssignmentsOf } from '#reading/workflow/group-assignment-rows.ts';
import {
  holdGroups,
  membersOf,
  notifyGroupRemoved,
  notifyMembers,
  refuseAssignedGroups,
  refuseUnknownGroups,
  removeGroupQuietly,
} from '#reading/workflow/group-assignments.ts';
import { assertLater } from '#reading/workflow/due-dates.ts';
import { setStatusQuietly } from '#reading/workflow/status.ts';
import { assertNot, factsOf } from '#reading/workflow/work.ts';
import { assertSomeKnown, changeEach } from './change-each.ts';

/**
 * Assigns users and groups to many studies. Throws 422 for users to whom studies cannot be assigned, for unknown groups,
 * and for a past due date.
 */
export const assignMany = async (scope: Scope, form: Body<typeof endpoints.assign>): Promise<StudyOutcome[]> => {
  await holdPeople(scope, form.userIds);
  const groups = await holdGroups(scope, form.groupIds);
  await assertSomeKnown(scope, form.studyIds);
  if (form.dueDate) assertLater(form.dueDate);
  const people = await peopleToAssign(scope, [...new Set(form.userIds)]);
  refuseUnknownGroups(form.groupIds, groups);
  const { outcomes, changed } = await changeEach(scope, form, {
    check: async (study) => {
      assertNot(refuseAssigning(factsOf(study, scope.session)));
      await refuseAssigned(scope, study.id, people);
      await refuseAssignedGroups(scope, study.id, groups);
      await refuseUnseen(scope, study.id, people, form.groupIds);
      return { plan: null };
    },
    write: (study) => assignQuietly(scope, study, { people, groups }, form),
  });
  await notifyAssignees(scope, people, changed);
  await notifyMembers(scope, membersWithout(await membersOf(scope, form.groupIds), people), changed);
  return outcomes;
};

/** Removes the active assignments of users and groups from many studies; in an undo, only those that the caller made. */
export const unassignMany = async (scope: Scope, form: Body<typeof endpoints.unassign>): Promise<StudyOutcome[]> => {
  const lostBy = { users: new Map<string, string[]>(), groups: new Map<string, string[]>() };
  const note = (lost: Map<string, string[]>, id: string, studyId: string) =>
    lost.set(id, [...(lost.get(id) ?? []), studyId]);
  const { outcomes } = await changeEach(scope, form, {
    check: async (study) => {
      assertNot(refuseAssigner(factsOf(study, scope.session)));
      // An undo ends only what the caller did: another user may have assigned the study again.
      const isUndone = (assignedBy: string | null) => !form.isUndo || assignedBy === scope.session.userId;
      const users = (await activeAssignmentsOf(scope, study.id, form.userIds)).filter(({ assigned_by }) =>
        isUndone(assigned_by),
      );
      const groups = (await activeGroupAssignmentsOf(scope, study.id, form.groupIds)).filter(({ assignedBy }) =>
        isUndone(assignedBy),
      );
      return users.length + groups.length > 0
        ? { plan: { users, groups } }
        : { unchanged: t`The study is not assigned to these users or groups` };
    },
    write: async (study, { users, groups }) => {
      // The status goes back when the last assignment ends, so each one sees how many are left.
      const left = (ended: number) => ({ ...study, active_assignments: study.active_assignments - ended });
      for (const [index, assignment] of users.entries()) {
        await removeQuietly(scope, { study: left(index), assignment });
        note(lostBy.users, assignment.user_id, study.id);
      }
      for (const [index, assignment] of groups.entries()) {
        await removeGroupQuietly(scope, left(users.length + index), assignment, form);
        note(lostBy.groups, assignment.groupId, study.id);
      }
    },
  });
  for (const [userId, studyIds] of lostBy.users) await notifyRemoved(scope, userId, studyIds);
  for (const [groupId, studyIds] of lostBy.groups) await notifyGroupRemoved(scope, groupId, studyIds);
  return outcomes;
};

/** Sets the priority of many studies. */
export const prioritize = async (scope: Scope, form: Body<typeof endpoints.prioritize>): Promise<StudyOutcome[]> => {
  const { priority, onlyFrom } = form;
  const { outcomes } = await changeEach(scope, form, {
    check: async (study) => {
      if (study.priority === priority) return { unchanged: t`The study already has this priority` };
      if (onlyFrom && study.priority !== onlyFrom) return { unchanged: t`Another user changed the priority` };
      return { plan: null };
    },
    write: (study) => setPriorityQuietly(scope, study, priority),
    before: (study) => study.priority,
  });
  return outcomes;
};

/** Changes the status of many studies, each as its status allows. */
export const changeStatuses = async (
  scope: Scope,
  form: Body<typeof endpoints.changeStatus>,
): Promise<StudyOutcome[]> => {
  const { newStatus, comments, onlyFrom } = form;
  const isStale = t`Another user changed the study`;
  const { outcomes, changed } = await changeEach(scope, form, {
    check: async (study) => {
      if (study.status === newStatus) return { unchanged: t`The study is already ${studyStatusLabels[newStatus]}` };
      const seen = onlyFrom?.[study.id];
      if (seen !== undefined && study.status !== seen) return { unchanged: isStale };
      assertNot(refuseStatus(factsOf(study, scope.session), newStatus));
      // The caller saw that this study could not change, and did not agree to its change.
      if (onlyFrom && seen === undefined) return { unchanged: isStale };
      return { plan: null };
    },
    write: async (study) => {
      await setStatusQuietly(scope, study, newStatus, comments);
      await auditStudy(scope, 'study.status', study, { from: study.status, to: newStatus });
    },
    before: (study) => study.status,
  });
  await notifyOfStatuses(scope, changed, newStatus);
  return outcomes;
};
