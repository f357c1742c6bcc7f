import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { userTypes } from '../core/access.ts';
import { del, get, post, put, stream, asReading, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { page, pageQuery, sortQuery } from '../core/paging.ts';
import { studyStatuses } from '../imaging/study-status.ts';

export const taskTypes = ['STUDY_STATUS_CHANGE', 'STUDY_ASSIGNMENT', 'REPORT_STATUS', 'CRITICAL_FINDING'] as const;
export type TaskType = (typeof taskTypes)[number];

export const taskTypeDescriptions: Record<TaskType, string> = translated({
  STUDY_STATUS_CHANGE: 'Study status',
  STUDY_ASSIGNMENT: 'Assignment',
  REPORT_STATUS: 'Report',
  CRITICAL_FINDING: 'Critical finding',
});

export const assignmentStatuses = ['ACTIVE', 'COMPLETED', 'CANCELLED', 'OVERDUE'] as const;
export type AssignmentStatus = (typeof assignmentStatuses)[number];

/**
 * Returns the status of an assignment at a time. OVERDUE means ACTIVE after the due date; it is computed when read and
 * never stored.
 */
export const assignmentStatusAt = (
  stored: Exclude<AssignmentStatus, 'OVERDUE'>,
  dueDate: string | null,
  now: Date,
): AssignmentStatus => (stored === 'ACTIVE' && dueDate !== null && new Date(dueDate) < now ? 'OVERDUE' : stored);

const personOfWork = z.object({ id: z.string(), username: z.string(), name: z.string(), userType: z.enum(userTypes) });

export const assignment = z.object({
  id: z.string(),
  user: personOfWork,
  assignedBy: z.object({ username: z.string(), name: z.string() }),
  assignedAt: z.string(),
  completedAt: z.string().nullable(),
  dueDate: z.string().nullable(),
  status: z.enum(assignmentStatuses),
  notes: z.string(),
  /**
   * Whether the assignment has ended but its user still has access. A user with study.assign can revoke this access.
   */
  keepsAccess: z.boolean(),
});
export type Assignment = z.infer<typeof assignment>;

export const taskEntry = z.object({
  id: z.string(),
  type: z.enum(taskTypes),
  typeDescription: z.string(),
  timestamp: z.string(),
  displayValue: z.string(),
  details: z.string(),
  /** The user, or "system" for an automatic change; `details` then gives the reason. */
  user: z.object({ username: z.string() }),
});
export type TaskEntry = z.infer<typeof taskEntry>;

export const assignableUser = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  userType: z.enum(userTypes),
  specialization: z.string(),
  department: z.string(),
});
export type AssignableUser = z.infer<typeof assignableUser>;

const comments = z
  .string()
  .trim()
  .max(2000, { error: () => t`Comments are longer than 2,000 characters` })
  .default('');
const notes = z
  .string()
  .trim()
  .max(2000, { error: () => t`Notes are longer than 2,000 characters` })
  .default('');

/** Time with UTC offset. Only the browser knows the time zone of a datetime-local field. */
const moment = z.iso.datetime({ offset: true, error: () => t`Use a date and time with a UTC offset` });

/** Assignment of a study to a group. Its members find the study among theirs. */
export const groupAssignment = z.object({
  id: z.string(),
  group: z.object({ id: z.string(), name: z.string() }),
  assignedBy: z.object({ username: z.string(), name: z.string() }),
  assignedAt: z.string(),
  completedAt: z.string().nullable(),
  dueDate: z.string().nullable(),
  status: z.enum(assignmentStatuses),
  notes: z.string(),
});
export type GroupAssignment = z.infer<typeof groupAssignment>;

/** Reason why the caller may not do this at present; null if allowed. */
const reason = z.string().nullable();

/** Workflow of a study, as shown on its page. */
export const studyWork = z.object({
  status: z.enum(studyStatuses),
  /** Statuses that the caller may set at present; may be empty. */
  moves: z.array(z.enum(studyStatuses)),
  revision: z.number(),
  /** Active assignments, followed by ended assignments, newest first. */
  assignments: z.array(assignment),
  /** In the same order. */
  groupAssignments: z.array(groupAssignment),
  /** `assigning` is about new assignments, `assigner` about existing assignments. */
  refusals: z.object({ status: reason, assigning: reason, assigner: reason, reinstating: reason }),
});
export type StudyWork = z.infer<typeof studyWork>;

const statusForm = z.object({
  newStatus: z.enum(studyStatuses, { error: () => t`Please select a new status` }),
  comments,
});

export const assignForm = z.object({
  userIds: z.array(z.string()).max(50, { error: () => t`Assign at most 50 users at a time` }),
  /** Groups to which the study is assigned. They become groups of the study. Users and groups cannot both be empty. */
  groupIds: z
    .array(z.uuid({ error: () => t`Choose groups of this organization` }))
    .max(20, { error: () => t`Assign at most 20 groups at a time` })
    .default([]),
  /** Must be in the future. */
  dueDate: moment.nullish(),
  notes,
});

/** Error message for an assignment without users and groups. */
export const noAssignees = () => t`Please select at least one user`;

export const workflow = {
  read: get('/workflow/studies/:id', {
    can: 'study.view',
    audited: asReading('study.view', 'study', 'study'),
    reply: studyWork,
  }),
  /** Changes the status. 409 with the current status if `newStatus` cannot follow it, or if `revision` is outdated. */
  changeStatus: put('/workflow/studies/:id/status', {
    can: 'study.status',
    audited: 'study.status',
    query: statusForm.extend({ revision: z.coerce.number().int().optional() }),
    reply: studyWork,
  }),
  /** Returns a canceled study to the status that its report and assignments imply. */
  reinstate: post('/workflow/studies/:id/reinstate', {
    can: 'tenant.manage',
    audited: 'study.reinstate',
    body: z.object({
      reason: z
        .string()
        .trim()
        .min(1, { error: () => t`Reason is required` })
        .max(2000),
    }),
    reply: studyWork,
  }),
  assign: post('/workflow/studies/:id/assignments', {
    can: 'study.assign',
    audited: 'study.assign',
    body: assignForm.refine(({ userIds, groupIds }) => userIds.length + groupIds.length > 0, {
      path: ['userIds'],
      error: noAssignees,
    }),
    reply: studyWork,
  }),
  /**
   * Removes an active assignment (ACTIVE), or the access that remained after it ended (ENDED). The caller names which
   * of the two. If two users do this at the same time, the second call then removes nothing else.
   */
  removeAssignment: del('/workflow/studies/:id/assignments/:userId', {
    can: 'study.assign',
    audited: 'study.unassign',
    query: z.object({ state: z.enum(['ACTIVE', 'ENDED']).default('ACTIVE') }),
    reply: studyWork,
  }),
  /** Removes the active assignment of a group. The study keeps the group. Throws 404 without an active assignment. */
  removeGroupAssignment: del('/workflow/studies/:id/group-assignments/:groupId', {
    can: 'study.assign',
    audited: 'study.unassign',
    reply: studyWork,
  }),
  /** Postpones the due date. The new date must be in the future. */
  extend: put('/workflow/studies/:id/assignments/:userId/due-date', {
    can: 'study.assign',
    audited: 'study.extendAssignment',
    body: z.object({ dueDate: moment }),
    reply: studyWork,
  }),
  /** Completes an assignment. Allowed for the assignee, and for users with study.assign. */
  complete: put('/workflow/studies/:id/assignments/:userId/complete', {
    can: 'study.view',
    audited: 'study.completeAssignment',
    body: z.object({ notes }),
    reply: studyWork,
  }),
  history: get('/workflow/studies/:id/history', {
    can: 'study.view',
    audited: asReading('study.viewHistory', 'study', 'study'),
    query: z.object({ ...pageQuery, sort: sortQuery(['timestamp'], 'timestamp,desc') }),
    reply: page(taskEntry),
  }),
  /**
   * Returns active referring physicians and radiologists, without those who have an assignment of the study, if one is
   * given: the first 100 by name.
   */
  assignable: get('/users/assignable', {
    can: 'study.assign',
    audited: notAudited.noPatient,
    query: z.object({
      studyId: z.string().optional(),
      active: z.string().optional(),
      userType: z.enum(['REFERRING_PHYSICIAN', 'RADIOLOGIST']).optional(),
      query: z.string().trim().max(100).default(''),
    }),
    reply: z.array(assignableUser),
  }),
};

/** Exports the task history as CSV, newest first, with formulas escaped. */
export const historyExport = stream(
  'GET',
  '/api/workflow/studies/:id/history/export',
  'study.view',
  'study.exportHistory',
);

export const noun = {
  calls: [workflow],
  streams: [historyExport],
  actions: {
    Study: {
      'study.viewHistory': 'Viewed task history',
      'study.status': 'Changed status',
      'study.reinstate': 'Reinstated study',
      'study.assign': 'Assigned study',
      'study.unassign': 'Removed assignment',
      'study.takeAccess': 'Revoked access to study',
      'study.extendAssignment': 'Extended assignment',
      'study.completeAssignment': 'Completed assignment',
      'study.takeOverReading': 'Took over reading lock',
      'study.exportHistory': 'Exported task history',
    },
  },
} as const satisfies Noun;
