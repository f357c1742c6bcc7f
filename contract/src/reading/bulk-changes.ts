import { t } from '../core/translate.ts';
import { z } from 'zod';
import { post } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { priorities } from '../core/priorities.ts';
import { mostSelected } from '../imaging/studies.ts';
import { studyStatuses } from '../imaging/study-status.ts';
import { assignForm, noAssignees } from './workflow.ts';

const selection = {
  studyIds: z
    .array(z.uuid({ error: () => t`Choose a study` }))
    .min(1, { error: () => t`Choose at least one study` })
    .max(mostSelected, { error: () => t`Choose at most ${mostSelected} studies` }),
  /** If true, the call writes nothing and only returns what would change. */
  isDryRun: z.boolean().default(false),
};

/** Users and groups of a change. Not both may be empty. */
const assignees = {
  userIds: assignForm.shape.userIds.default([]),
  groupIds: assignForm.shape.groupIds,
};

const hasAssignees = ({ userIds, groupIds }: { userIds: string[]; groupIds: string[] }): boolean =>
  userIds.length + groupIds.length > 0;

const withoutAssignees = { path: ['userIds'], error: noAssignees };

export const bulkOutcomes = ['CHANGED', 'UNCHANGED', 'REFUSED'] as const;
export type BulkOutcome = (typeof bulkOutcomes)[number];

const studyOutcome = z.object({
  studyId: z.string(),
  outcome: z.enum(bulkOutcomes),
  /** Why the study stays as it is; empty if it changes. */
  reason: z.string(),
  /** Status or priority before the change; empty for other changes. */
  before: z.string(),
});
export type StudyOutcome = z.infer<typeof studyOutcome>;

/** One outcome for each study, in the order of the request. */
const reply = z.array(studyOutcome);

/**
 * Changes of up to `mostSelected` studies in one transaction. Each study has its own outcome: a study that the caller
 * may not change is refused, and the others change. Recipients get one notification for all studies.
 */
export const bulkChanges = {
  /**
   * Assigns users and groups to each study, all of them or none. Refuses a study to which one of them is assigned. The
   * groups become groups of the study, so that their members see it.
   */
  assign: post('/bulk-changes/assignments', {
    can: 'study.assign',
    audited: 'study.assign',
    body: assignForm.extend({ ...selection, ...assignees }).refine(hasAssignees, withoutAssignees),
    reply,
  }),
  /**
   * Removes the active assignments of these users and groups. With `isUndo`, studies also lose the groups that these
   * assignments added to them, unless an assignee would then not see the study.
   */
  unassign: post('/bulk-changes/unassignments', {
    can: 'study.assign',
    audited: 'study.unassign',
    body: z
      .object({ ...selection, ...assignees, isUndo: z.boolean().default(false) })
      .refine(hasAssignees, withoutAssignees),
    reply,
  }),
  /** Sets the priority. With `onlyFrom`, leaves out studies that have another priority by now. */
  prioritize: post('/bulk-changes/priorities', {
    can: 'study.edit',
    audited: 'study.update',
    body: z.object({
      ...selection,
      priority: z.enum(priorities, { error: () => t`Choose a priority` }),
      onlyFrom: z.enum(priorities).optional(),
    }),
    reply,
  }),
  /**
   * Changes the status of each study whose status may become the new one. `onlyFrom` has the status of each study that
   * the caller saw (`before` of a dry run). If it is given, the call skips studies whose status has changed since, and
   * studies that it does not contain.
   */
  changeStatus: post('/bulk-changes/statuses', {
    can: 'study.status',
    audited: 'study.status',
    body: z.object({
      ...selection,
      newStatus: z.enum(studyStatuses, { error: () => t`Please select a new status` }),
      comments: z
        .string()
        .trim()
        .max(2000, { error: () => t`Comments are longer than 2,000 characters` })
        .default(''),
      onlyFrom: z.record(z.uuid(), z.enum(studyStatuses)).optional(),
    }),
    reply,
  }),
};

export const noun = { calls: [bulkChanges] } as const satisfies Noun;
