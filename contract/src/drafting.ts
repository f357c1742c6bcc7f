import { z } from 'zod';
import { get, post } from './endpoint.ts';
import { aiProviders } from './reporting-settings.ts';

/** What a program can be asked for: a conclusion, a whole text, or other words for what is marked. */
export const passageKinds = ['IMPRESSION', 'REPORT', 'ENHANCEMENT'] as const;
export type PassageKind = (typeof passageKinds)[number];

export const passageDecisions = ['ACCEPTED', 'REJECTED'] as const;
export type PassageDecision = (typeof passageDecisions)[number];

/** The attribute by which drafted words carry the id of their passage until somebody decides about it (D-24). */
export const passageAttribute = 'data-ai-passage';

/** The ids of the passages in the text of a report that nobody has decided about, each once. The text is one of ours. */
export const openPassagesIn = (html: string): string[] => [
  ...new Set(Array.from(html.matchAll(/ data-ai-passage="([\da-f-]{36})"/g), ([, id = '']) => id)),
];

/** Why a text is not signed yet: it holds passages that nobody has read and decided about. Undefined when it holds none. */
export const openPassagesFault = (html: string): string | undefined => {
  const { length } = openPassagesIn(html);
  if (length === 0) return undefined;
  return `This report holds ${length === 1 ? 'an AI passage' : `${length} AI passages`} that nobody has accepted or rejected`;
};

/** Far above what a report has room for: a whole text and what is said about it. */
const longest = 20_000;
const words = z.string().max(longest, 'The text is longer than 20,000 characters');
const required = (message: string) => z.string(message).trim().min(1, message).max(longest, message);

/**
 * The study that the text is about: its patient's identifiers are taken out of it, and the answer belongs to it. Without it
 * only the built-in drafter answers: to a model goes no text of which nobody says whose it is.
 */
const studyId = z.uuid().optional();

/** Whether the answer comes piece by piece, as server-sent events (`draftingEvent`). */
const query = z.object({ stream: z.literal('1').optional() });

/** Only text goes to a provider, without the identifiers of the patient, and this is all of it. */
export const sentText = z.object({ instructions: z.string(), prompt: z.string() });
export type SentText = z.infer<typeof sentText>;

/** What has been drafted, ready to be put into a report as a proposal: of a whole report, one of its sections. */
export const draftedPassage = z.object({
  /** Null when no study was named: such an answer belongs to no report. */
  id: z.string().nullable(),
  kind: z.enum(passageKinds),
  text: z.string(),
  html: z.string(),
  provider: z.enum(aiProviders),
  providerName: z.string(),
  model: z.string(),
  isRuleBased: z.boolean(),
  /** Numbers that stand in none of the texts that it was drafted from: somebody has to look where they come from. */
  strangeNumbers: z.array(z.string()),
});
export type DraftedPassage = z.infer<typeof draftedPassage>;

/**
 * An event of a streamed answer: what was sent, pieces of the answer as they come, and how it ended. A whole report ends
 * in one passage for each of its sections, so that each is read and decided about by itself (D-24).
 */
export const draftingEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sent'), sent: sentText.nullable() }),
  z.object({ kind: z.literal('piece'), text: z.string() }),
  z.object({ kind: z.literal('done'), passages: z.array(draftedPassage).min(1) }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);
export type DraftingEvent = z.infer<typeof draftingEvent>;

/** A prompt as text. What it asks for decides how the built-in drafter, which understands no instructions, reads it. */
export const generateForm = z.object({
  prompt: required('Prompt is required'),
  kind: z.enum(passageKinds).default('ENHANCEMENT'),
  studyId,
});

/** The findings of a study; other clients call them `prompt`, and what is known of the patient `clinicalInfo`. */
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

/** What is missing in a request for a report, by field (check 146); a request with a prompt of its own misses nothing. */
export const medicalReportFaults = ({ studyDescription, findings, prompt }: MedicalReport): Record<string, string> => {
  if (!isBlank(prompt)) return {};
  return {
    ...(isBlank(studyDescription) && { studyDescription: 'Study description is required' }),
    ...(isBlank(findings) && { findings: 'Findings are required' }),
  };
};

const decided = z.object({ id: z.string(), decision: z.enum(passageDecisions).nullable() });

export const drafting = {
  /** Answers with text (check 144). The paths kept their name when the provider became a setting (C67). */
  generate: post('/gemini/generate', { can: 'report.edit', query, body: generateForm, reply: z.string() }),
  /** Answers with HTML that is ready to be put into a report (check 145). */
  medicalReport: post('/gemini/medical-report', {
    can: 'report.edit',
    query,
    body: medicalReportForm,
    reply: z.string(),
  }),
  /** What a passage came from, and what became of it. */
  passages: get('/studies/:id/ai-passages', {
    can: 'report.edit',
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
    body: z.object({ decision: z.enum(passageDecisions) }),
    reply: decided,
  }),
};
