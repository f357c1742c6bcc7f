import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { get, post, put, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { arrivalConditions } from '../imaging/arrival-conditions.ts';

/** Maximum number of rules of an organization. */
export const mostAssignmentRules = 100;

/** Assignee of a rule. LEAST_LOADED: the radiologist of a group with the fewest open studies. */
export const ruleAssigneeKinds = ['USER', 'GROUP', 'LEAST_LOADED'] as const;
export type RuleAssigneeKind = (typeof ruleAssigneeKinds)[number];

export const ruleAssigneeKindLabels: Record<RuleAssigneeKind, string> = translated({
  USER: 'A user',
  GROUP: 'A group',
  LEAST_LOADED: 'The radiologist of a group with the fewest open studies',
});

const mostOpenStudies = 999;

const ruleFields = z.object({
  name: z
    .string({ error: () => t`Name is required` })
    .trim()
    .min(1, { error: () => t`Name is required` })
    .max(80, { error: () => t`The name is longer than 80 characters` }),
  isActive: z.boolean().default(true),
  conditions: arrivalConditions,
  assignee: z.object({
    kind: z.enum(ruleAssigneeKinds, { error: () => t`Choose an assignee` }),
    /** User or group. Null after the group was deleted; the rule can then be stored only when it is off. */
    id: z.uuid({ error: () => t`Choose an assignee` }).nullable(),
  }),
  /**
   * Maximum number of open studies of a user. The rule assigns no further study to a user who has this many. Null for
   * no maximum.
   */
  mostOpen: z
    .number()
    .int({ error: () => t`Use whole numbers` })
    .min(1, { error: () => t`Use at least 1 study` })
    .max(mostOpenStudies, { error: () => t`Use at most ${mostOpenStudies} studies` })
    .nullable()
    .default(null),
});

export const assignmentRuleForm = ruleFields.refine(({ isActive, assignee }) => !isActive || assignee.id !== null, {
  path: ['assignee', 'id'],
  error: () => t`Choose an assignee`,
});
export type AssignmentRuleForm = z.output<typeof ruleFields>;

/** Why a rule assigns nothing at present. */
export const ruleFaults = ['DELETED', 'INACTIVE', 'EMPTY'] as const;
export type RuleFault = (typeof ruleFaults)[number];

export const ruleFaultLabels: Record<RuleFault, string> = translated({
  DELETED: 'The group was deleted',
  INACTIVE: 'The user is not an active reader',
  EMPTY: 'The group has no active reader',
});

export const assignmentRule = ruleFields.extend({
  id: z.string(),
  /** Name of the user or group. Empty if deleted. */
  assigneeName: z.string(),
  fault: z.enum(ruleFaults).nullable(),
});
export type AssignmentRule = z.output<typeof assignmentRule>;

export const assignmentRuleList = z.object({ revision: z.number().int(), rules: z.array(assignmentRule) });
export type AssignmentRuleList = z.output<typeof assignmentRuleList>;

const most = { error: () => t`Use at most ${mostAssignmentRules} rules` };

/** Periods of a dry run, in hours. */
export const dryRunHours = { DAY: 24, WEEK: 168 } as const;
export type DryRunPeriod = keyof typeof dryRunHours;
export const dryRunPeriods = ['DAY', 'WEEK'] as const satisfies readonly DryRunPeriod[];

/** Maximum number of studies of a dry run: the newest of the period. */
export const mostDryRunStudies = 500;

/**
 * Maximum number of days between the date of a study and its arrival. Rules skip older studies, such as imported
 * priors, because they need no reader.
 */
export const mostDaysBeforeArrival = 7;

/** Why a rule that matched a study did not assign it. */
export const passCauses = ['DELETED', 'NO_READER', 'HIDDEN', 'FULL'] as const;
export type PassCause = (typeof passCauses)[number];

export const passCauseLabels: Record<PassCause, string> = translated({
  DELETED: 'group was deleted',
  NO_READER: 'no active reader',
  HIDDEN: 'hidden by groups',
  FULL: 'maximum of open studies reached',
});

const passed = z.object({ rule: z.number().int(), cause: z.enum(passCauses) });

/** Outcome of a dry run for one study. `rule` is the place of a rule in the request, from 0. */
const dryRunStudy = z.object({
  id: z.string(),
  /** Modality and description, which name no patient. */
  description: z.string(),
  arrivedAt: z.string(),
  /** Null if no rule would have assigned the study. */
  rule: z.number().int().nullable(),
  /** Name of the user or group; empty without a rule. */
  assignee: z.string(),
  /** Whether the study was too old for rules when it arrived. */
  isOld: z.boolean(),
  /** Rules that matched but found no assignee, in their order. */
  passed: z.array(passed),
});
export type DryRunStudy = z.output<typeof dryRunStudy>;

export const dryRun = z.object({
  /** Studies that arrived in the period, up to 10,000. The newest `mostDryRunStudies` of them are judged. */
  arrived: z.number().int(),
  /** The latest arrival first. */
  studies: z.array(dryRunStudy),
});
export type DryRun = z.output<typeof dryRun>;

/**
 * Rules that assign arriving studies. A study arrives when its images and data have stayed the same for a minute. Rules
 * assign only studies that no user has assigned, that are neither read nor reported, and that are not old.
 */
export const assignmentRules = {
  read: get('/assignment-rules', { can: 'config.manage', audited: notAudited.noPatient, reply: assignmentRuleList }),
  /**
   * Replaces all rules, in this order. A rule with an id is changed, others are created, and missing ones are deleted.
   * Throws 409 if another user has changed the rules, and 422 for an unknown user or group.
   */
  save: put('/assignment-rules', {
    can: 'config.manage',
    audited: 'assignment_rule.save',
    body: z.object({
      revision: z.number().int(),
      rules: z.array(assignmentRuleForm.safeExtend({ id: z.uuid().optional() })).max(mostAssignmentRules, most),
    }),
    reply: assignmentRuleList,
  }),
  /** Returns what these rules would have done with the studies of a period. Changes nothing. */
  dryRun: post('/assignment-rules/dry-run', {
    can: 'config.manage',
    audited: notAudited.noPatient,
    body: z.object({
      period: z.enum(dryRunPeriods, { error: () => t`Choose a period` }),
      /** Also rules whose group was deleted. The reply says so for each study that they match. */
      rules: z.array(ruleFields).max(mostAssignmentRules, most),
    }),
    reply: dryRun,
  }),
};

export const noun = {
  calls: [assignmentRules],
  entities: ['assignment_rule'],
  actions: {
    Configuration: {
      'assignment_rule.save': 'Changed assignment rules',
    },
  },
} as const satisfies Noun;
