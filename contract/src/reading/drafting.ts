import { plural, t } from '../core/translate.ts';
import { z } from 'zod';
import { get, post, asReading } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { aiProviders } from './reporting-settings.ts';

/** Kinds of drafts: an impression, a whole report, or another wording of the selected text. */
export const passageKinds = ['IMPRESSION', 'REPORT', 'ENHANCEMENT'] as const;
export type PassageKind = (typeof passageKinds)[number];

export const passageDecisions = ['ACCEPTED', 'REJECTED'] as const;
export type PassageDecision = (typeof passageDecisions)[number];

/** HTML attribute that marks drafted text with the ID of its passage, until the user decides on it. */
export const passageAttribute = 'data-ai-passage';

/** Returns the IDs of undecided passages in a report text, each once. Expects HTML that Radwork produced. */
export const openPassagesIn = (html: string): string[] => [
  ...new Set(Array.from(html.matchAll(/ data-ai-passage="([\da-f-]{36})"/g), ([, id = '']) => id)),
];

/**
 * Returns the message for a report that cannot be signed because the user has not accepted or rejected some passages.
 * Undefined if there are no such passages.
 */
export const openPassagesFault = (html: string): string | undefined => {
  const { length } = openPassagesIn(html);
  if (length === 0) return undefined;
  return plural(length, {
    one: 'The report has an undecided AI passage. Accept or reject it first.',
    other: 'The report has # undecided AI passages. Accept or reject them first.',
  });
};

/** Maximum length in characters. It is far above the length of a report with its instructions. */
const longest = 20_000;
const words = z.string().max(longest, { error: () => t`The text is longer than 20,000 characters` });
const required = (error: () => string) => z.string({ error }).trim().min(1, { error }).max(longest, { error });

/**
 * Study to which the text and the passage belong. The patient's identifiers are removed from the text. Without a study,
 * only the built-in drafter answers, because no model must receive text about an unknown patient.
 */
const studyId = z.uuid().optional();

/** With `stream`, the answer arrives in pieces, as server-sent events (`draftingEvent`). */
const query = z.object({ stream: z.literal('1').optional() });

/** All text that is sent to a provider, without the patient's identifiers. */
export const sentText = z.object({ instructions: z.string(), prompt: z.string() });
export type SentText = z.infer<typeof sentText>;

/** A drafted passage to propose in a report. A draft of a whole report has one passage per section. */
export const draftedPassage = z.object({
  /** ID of the passage; null if the request named no study. The passage then belongs to no report. */
  id: z.string().nullable(),
  kind: z.enum(passageKinds),
  text: z.string(),
  html: z.string(),
  provider: z.enum(aiProviders),
  providerName: z.string(),
  model: z.string(),
  isRuleBased: z.boolean(),
  /** Numbers in the draft that occur in none of the source texts. The user must check them. */
  strangeNumbers: z.array(z.string()),
  /** Sides and findings that the draft states and the source texts do not. The user must check them. English only. */
  strangeWords: z.array(z.string()),
});
export type DraftedPassage = z.infer<typeof draftedPassage>;

/**
 * Event of a streamed answer: the text sent, a piece of the answer, or the end. A whole report ends with one passage
 * per section, because the user decides on each.
 */
export const draftingEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sent'), sent: sentText.nullable() }),
  z.object({ kind: z.literal('piece'), text: z.string() }),
  z.object({ kind: z.literal('done'), passages: z.array(draftedPassage).min(1) }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);
export type DraftingEvent = z.infer<typeof draftingEvent>;

/** A free prompt. `kind` is for the built-in drafter, which does not understand instructions. */
export const generateForm = z.object({
  prompt: required(() => t`Prompt is required`),
  kind: z.enum(passageKinds).default('ENHANCEMENT'),
  studyId,
});

/** Findings of a study. Other clients send the findings as `prompt` and clinical data as `clinicalInfo`. */
export const medicalReportForm = z
  .object({
    studyDescription: words.optional(),
    findings: words.optional(),
    prompt: words.optional(),
    clinicalInfo: words.optional(),
    studyId,
  })
  .superRefine((form, context) => {
    for (const [path, message] of Object.entries(medicalReportFaults(form))) {
      context.addIssue({ code: 'custom', path: [path], message });
    }
  });

type MedicalReport = {
  studyDescription?: string | undefined;
  findings?: string | undefined;
  prompt?: string | undefined;
};

const isBlank = (text: string | undefined): boolean => !text?.trim();

/**
 * Returns errors for missing fields of a report request, by name. If the request has its own prompt, no field is
 * required.
 */
export const medicalReportFaults = ({ studyDescription, findings, prompt }: MedicalReport): Record<string, string> => {
  if (!isBlank(prompt)) return {};
  return {
    ...(isBlank(studyDescription) && { studyDescription: t`Study description is required` }),
    ...(isBlank(findings) && { findings: t`Findings are required` }),
  };
};

const decided = z.object({ id: z.string(), decision: z.enum(passageDecisions).nullable() });

export const drafting = {
  /** Returns plain text. The paths kept the name "gemini" when the provider became a setting. */
  generate: post('/gemini/generate', {
    can: 'report.edit',
    audited: 'ai_passage.draft',
    query,
    body: generateForm,
    reply: z.string(),
  }),
  /** Returns HTML for a report. */
  medicalReport: post('/gemini/medical-report', {
    can: 'report.edit',
    audited: 'ai_passage.draft',
    query,
    body: medicalReportForm,
    reply: z.string(),
  }),
  /** Returns source and decision of each passage. */
  passages: get('/studies/:id/ai-passages', {
    can: 'report.edit',
    audited: asReading('ai_passage.view', 'study', 'study'),
    reply: z.array(
      decided.extend({
        kind: z.enum(passageKinds),
        provider: z.enum(aiProviders),
        model: z.string(),
        createdAt: z.string(),
      }),
    ),
  }),
  decide: post('/studies/:id/ai-passages/:passageId/decision', {
    can: 'report.edit',
    audited: 'ai_passage.accept',
    body: z.object({ decision: z.enum(passageDecisions) }),
    reply: decided,
  }),
};

export const noun = {
  calls: [drafting],
  entities: ['ai_passage'],
  actions: {
    Report: {
      'ai_passage.draft': 'Requested AI draft',
      'ai_passage.view': 'Viewed AI draft',
      'ai_passage.accept': 'Accepted AI draft',
      'ai_passage.reject': 'Rejected AI draft',
    },
  },
} as const satisfies Noun;
