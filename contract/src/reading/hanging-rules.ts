import { t } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, post, put, notAudited } from '../core/endpoint.ts';
import { modalitiesMatching } from '../core/modalities.ts';
import type { Noun } from '../core/noun.ts';
import { patientPlanes } from '../imaging/study-rows.ts';
import { type KeptLayoutName, layoutNames } from './kept-layouts.ts';

/** Maximum number of rules of one user, and of an organization. */
export const mostHangingRules = 100;

/** Body parts that the viewer tells apart, from BodyPartExamined (PS3.16 annex L) or the study description. */
export const bodyParts = [
  'breast',
  'spine',
  'head',
  'neck',
  'heart',
  'chest',
  'abdomen',
  'pelvis',
  'hip',
  'knee',
  'ankle',
  'foot',
  'shoulder',
  'elbow',
  'wrist',
  'hand',
] as const;

/**
 * Modalities that decide the hanging of a study in the standard viewer. Ultrasound opens in its own viewer; reports,
 * segmentations and curves never decide.
 */
export const hangingModalities = [
  'CT',
  'MR',
  'MG',
  'PT',
  'NM',
  'CR',
  'DX',
  'XR',
  'RF',
  'XA',
  'IO',
  'PX',
  'ES',
  'GM',
  'SM',
  'XC',
  'OT',
  'IVUS',
  'OCT',
  'OP',
  'OPT',
  'RTIMAGE',
  'BMD',
] as const;

/** Numbers of monitors of a rule. 3 stands for three and more. */
export const monitorCounts = [1, 2, 3] as const;
export type MonitorCount = (typeof monitorCounts)[number];

/**
 * Position of the prior of the same kind. `space`: beside or below, by the built-in hanging. `panes`: in the panes that
 * the rule gives to the prior.
 */
export const priorPlaces = ['never', 'space', 'beside', 'below', 'panes'] as const;
export type PriorPlace = (typeof priorPlaces)[number];

/** Whether viewports scroll together. `usual`: as the reader has set it in the viewer. */
export const linkedScrolls = ['usual', 'on', 'off'] as const;

/** Window presets of CT that a rule can apply. */
export const hangingWindows = [
  'Soft tissue',
  'Lung',
  'Bone',
  'Brain',
  'Subdural',
  'Stroke',
  'Liver',
  'Angiography',
  'Wide',
] as const;
export type HangingWindow = (typeof hangingWindows)[number];

/** Tools of the standard viewer that a rule can put on the left mouse button. */
export const hangingTools = [
  'window',
  'zoom',
  'magnify',
  'pan',
  'scroll',
  'length',
  'angle',
  'cobbAngle',
  'bidirectional',
  'ellipse',
  'rectangle',
  'outline',
  'probe',
  'arrow',
  'text',
] as const;
export type HangingTool = (typeof hangingTools)[number];

export const planes = patientPlanes;

/** Series of one viewport. A viewport without any condition shows the next series of the built-in order. */
export const hangingPane = z.object({
  /** Sequence, view or modality, such as "T2", "R CC" or "PT"; '' for any. */
  shows: z.string().trim().max(40).default(''),
  plane: z.enum(['', ...planes]).default(''),
  /** Words that the series description contains, in any order and case; '' for any. */
  words: z.string().trim().max(80).default(''),
  /** Whether the viewport shows the counterpart in the prior. Used with the prior place `panes`. */
  isPrior: z.boolean().default(false),
});
export type HangingPane = z.output<typeof hangingPane>;

const ruleFields = z.object({
  /** Modality that decides the hanging of a study; '' for any. */
  modality: z.enum(['', ...hangingModalities], { error: () => t`Choose a modality from the list` }),
  bodyPart: z.enum(['', ...bodyParts], { error: () => t`Choose a body part from the list` }),
  /** Number of monitors; null for any. */
  monitors: z.literal(monitorCounts).nullable(),
  /** Viewports for the study without its prior. Null: by the built-in hanging and the shape of the space. */
  layout: z.enum(layoutNames).nullable(),
  prior: z.enum(priorPlaces),
  panes: z.array(hangingPane).max(9),
  linkedScroll: z.enum(linkedScrolls),
  /** Initial window of CT; null for the window of the built-in hanging. */
  window: z.enum(hangingWindows).nullable(),
  /** Initial tool of the left mouse button; null for the usual one. Rules of earlier versions have none. */
  tool: z.enum(hangingTools).nullable().default(null),
});

/** Layouts of a study with its prior: the prior has as many viewports as the study. */
const doubled = (layout: KeptLayoutName, place: 'beside' | 'below'): string => {
  const [rows = 1, columns = 1] = layout.split('x').map(Number);
  return place === 'beside' ? `${rows}x${columns * 2}` : `${rows * 2}x${columns}`;
};

/** Returns the layout of a study and its prior. Undefined if the viewer has no such layout. */
export const layoutWithPrior = (layout: KeptLayoutName, place: 'beside' | 'below'): KeptLayoutName | undefined =>
  layoutNames.find((name) => name === doubled(layout, place));

/** Returns why the fields of a rule contradict each other. Undefined if they do not. */
export const hangingRuleFault = ({
  layout,
  prior,
  panes,
}: Pick<HangingRuleForm, 'layout' | 'prior' | 'panes'>): { field: 'prior' | 'layout'; message: string } | undefined => {
  if ((prior === 'beside' || prior === 'below') && layout && !layoutWithPrior(layout, prior)) {
    return { field: 'prior', message: t`This layout leaves no room for a prior. Choose a smaller layout.` };
  }
  if (prior === 'panes' && !panes.some(({ isPrior }) => isPrior)) {
    return { field: 'prior', message: t`Choose the viewports that show the prior` };
  }
  const [rows = 1, columns = 1] = (layout ?? '3x3').split('x').map(Number);
  if (panes.length > rows * columns) {
    return { field: 'layout', message: t`This layout has fewer viewports than the rule describes` };
  }
  return undefined;
};

export const hangingRuleForm = ruleFields;
export type HangingRuleForm = z.output<typeof ruleFields>;

export const hangingRule = ruleFields.extend({
  id: z.string(),
  /** Whether the rule applies to all users of the organization. If not, it applies to its owner. */
  isShared: z.boolean(),
  revision: z.number(),
  updatedBy: z.string(),
  updatedAt: z.string(),
});
export type HangingRule = z.output<typeof hangingRule>;

/** Properties of a study and workstation that decide its rule. Modality and body part are '' if unknown. */
export type HangingSubject = { modality: string; bodyPart: string; monitors: number };

type Conditions = Pick<HangingRuleForm, 'modality' | 'bodyPart' | 'monitors'>;

const matchesModality = (rule: string, modality: string): boolean =>
  rule === '' || modalitiesMatching(rule).includes(modality) || (rule === 'XR' && modality === 'RG');

/** Whether a rule applies to a study at a workstation. */
export const appliesTo = (rule: Conditions, { modality, bodyPart, monitors }: HangingSubject): boolean =>
  matchesModality(rule.modality, modality) &&
  (rule.bodyPart === '' || rule.bodyPart === bodyPart) &&
  (rule.monitors === null || rule.monitors === Math.min(Math.max(monitors, 1), 3));

/** Number of conditions of a rule. */
export const specificity = ({ modality, bodyPart, monitors }: Conditions): number =>
  Number(modality !== '') + Number(bodyPart !== '') + Number(monitors !== null);

/**
 * Returns the rule that hangs a study. The user's own rules come before those of the organization, then more
 * conditions before fewer, then the order of the list. Undefined if no rule applies.
 */
export const hangingRuleFor = <Rule extends Conditions & { isShared: boolean }>(
  rules: readonly Rule[],
  subject: HangingSubject,
): Rule | undefined =>
  rules
    .filter((rule) => appliesTo(rule, subject))
    .toSorted(
      (one, other) => Number(one.isShared) - Number(other.isShared) || specificity(other) - specificity(one),
    )[0];

/**
 * Rules that decide how studies hang. Each reader has own rules. The rules of the organization apply where the reader
 * has none.
 */
export const hangingRules = {
  /** The caller's own rules and those of the organization, each in their order. */
  list: get('/hanging-rules', { can: 'study.view', audited: notAudited.noPatient, reply: z.array(hangingRule) }),
  create: post('/hanging-rules', {
    can: 'study.view',
    audited: 'hanging_rule.create',
    /** `at`: place among the rules of the same owner, from 0. Default: last. */
    body: hangingRuleForm.extend({ isShared: z.boolean().default(false), at: z.number().int().min(0).optional() }),
    reply: hangingRule,
  }),
  update: put('/hanging-rules/:id', {
    can: 'study.view',
    audited: 'hanging_rule.update',
    body: hangingRuleForm.extend({ revision: z.number().int() }),
    reply: hangingRule,
  }),
  /** Moves a rule among the rules of the same owner, to a place from 0. */
  move: post('/hanging-rules/:id/move', {
    can: 'study.view',
    audited: 'hanging_rule.move',
    body: z.object({ at: z.number().int().min(0) }),
    reply: z.array(hangingRule),
  }),
  remove: del('/hanging-rules/:id', { can: 'study.view', audited: 'hanging_rule.delete' }),
};

export const noun = {
  calls: [hangingRules],
  entities: ['hanging_rule'],
  actions: {
    Configuration: {
      'hanging_rule.create': 'Created hanging rule',
      'hanging_rule.update': 'Edited hanging rule',
      'hanging_rule.move': 'Moved hanging rule',
      'hanging_rule.delete': 'Deleted hanging rule',
    },
  },
} as const satisfies Noun;
