import { plural, t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { get, asReading } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { criticalSeverities, type CriticalSeverity } from './critical-finding-states.ts';
import { placeholders } from '../core/placeholders.ts';
import { ageConflicts, checkFacts, type CheckFacts, modalityConflicts, sexConflicts } from './report-check-facts.ts';
import { bodyPartConflicts, studySideConflicts } from './report-check-body-part.ts';
import { contradictions } from './report-check-contradictions.ts';
import { comparisonConflicts, dateConflicts, priorConflicts } from './report-check-dates.ts';
import { isReference, withoutFields } from './report-check-fields.ts';
import { measurementConflicts } from './report-check-measurements.ts';
import { criticalWords } from './report-check-critical.ts';
import { type CheckLexicon, checkLexiconOf, languageOf } from './report-check-lexicon.ts';
import { sideConflicts } from './report-check-sides.ts';
import { type Place, type ReportBlock, type Sentence, sentencesOf, visibleText } from './report-check-text.ts';
import { knownLanguageOf } from './report-language.ts';
import { sectionAtStart, sectionOfHeading } from './report-sections.ts';

/** Kinds of warnings before signing, sorted by possible harm. None of them prevents signing. */
export const reportWarningKinds = [
  'CRITICAL_OPEN',
  'CRITICAL_WORD',
  'IMAGES',
  'SIDE',
  'CONTRADICTION',
  'SEX',
  'MEASUREMENT',
  'NOT_IN_FINDINGS',
  'AGE',
  'STUDY_DATE',
  'MODALITY',
  'BODY_PART',
  'PRIOR',
  'IMPRESSION',
  'LANGUAGE',
  'PLACEHOLDER',
] as const;
export type ReportWarningKind = (typeof reportWarningKinds)[number];

export const reportWarningLabels: Record<ReportWarningKind, string> = translated({
  SIDE: 'Side',
  SEX: 'Sex',
  AGE: 'Age',
  MODALITY: 'Modality',
  BODY_PART: 'Body part',
  CONTRADICTION: 'Contradiction',
  NOT_IN_FINDINGS: 'Not in the findings',
  MEASUREMENT: 'Measurement',
  STUDY_DATE: 'Study date',
  PRIOR: 'Prior',
  IMPRESSION: 'Impression',
  PLACEHOLDER: 'Unfilled field',
  CRITICAL_WORD: 'Not flagged as critical',
  CRITICAL_OPEN: 'Not communicated',
  IMAGES: 'New images',
  LANGUAGE: 'Not checked',
});

export const reportWarning = z.object({
  kind: z.enum(reportWarningKinds),
  /** Message with the problem and its reason, for the user. */
  message: z.string(),
  /** Quoted text; empty if the warning is not about a certain text. */
  quote: z.string(),
  /** Subject of the line, such as "Pleura" for "Pleura: ..."; empty if it has none. */
  about: z.string(),
  /** Position in the visible text, in characters (see report-check-text.ts); null if it has none. */
  from: z.number().nullable(),
  to: z.number().nullable(),
  /** Class of the critical finding that the words name. Only for CRITICAL_WORD. */
  severity: z.enum(criticalSeverities).optional(),
  /** Text to put in place of the quoted text, such as the date of the prior that hangs. */
  offer: z.string().optional(),
});
export type ReportWarning = z.infer<typeof reportWarning>;

/**
 * Returns all warnings about a report, in text order. Browser and server get the same result, because it depends only
 * on text and facts. The checks match words and have no medical knowledge, so a report without warnings may still be
 * wrong.
 */
export const checkReport = (blocks: readonly ReportBlock[], facts: CheckFacts): ReportWarning[] => {
  const text = visibleText(blocks);
  const written = sentencesOf(blocks);
  // An unfilled field such as "[Pneumothorax]" states nothing.
  const sentences = sentencesOf(blocks.map(withoutFields));
  const lexicon = checkLexiconOf(languageOf(text));
  const candidates = [
    ...emptyImpression(blocks, sentences),
    ...placeholdersLeft(text),
    ...dateConflicts(sentences, facts),
    ...modalityConflicts(sentences, facts),
    ...comparisonConflicts(sentences, facts),
    ...(lexicon ? inWords(sentences, facts, lexicon, text) : []),
    ...(lexicon && isEnglish(written) ? inEnglish(sentences, facts, lexicon) : []),
  ];
  const warnings = candidates.map(({ kind, message, place, ...more }) => ({
    kind,
    message,
    ...more,
    quote: text.slice(place.from, place.to),
    about: aboutOf(text, blocks, place),
    from: place.from,
    to: place.to,
  }));
  warnings.sort((one, other) => one.from - other.from);
  return [...warnings, ...uncommunicated(facts), ...imagesMeanwhile(facts), ...unread(written)];
};

/** Sorts warnings by possible harm, then by position. */
export const byHarm = (warnings: readonly ReportWarning[]): ReportWarning[] =>
  warnings.toSorted((one, other) => reportWarningKinds.indexOf(one.kind) - reportWarningKinds.indexOf(other.kind));

/**
 * Returns the label of a line, or of its paragraph if the line has none. A conditional part that is not shown counts as
 * a line break.
 */
const aboutOf = (text: string, blocks: readonly ReportBlock[], { from }: Place): string => {
  let start = 0;
  for (const block of blocks) {
    if (from <= start + block.text.length) break;
    start += block.text.length + 1;
  }
  return labelIn(text.slice(text.lastIndexOf('\n', from - 1) + 1, from)) || labelIn(text.slice(start, from));
};

const labelIn = (words: string): string => /^([^:：[\]\n]{2,60})[:：]/.exec(words)?.[1]?.trim() ?? '';

type WarningDraft = {
  kind: ReportWarningKind;
  message: string;
  place: Place;
  severity?: CriticalSeverity;
  offer?: string;
};

const inWords = (
  sentences: readonly Sentence[],
  facts: CheckFacts,
  lexicon: CheckLexicon,
  text: string,
): WarningDraft[] => [
  ...sideConflicts(sentences, lexicon).map(({ side, impression, findings }) => ({
    kind: 'SIDE' as const,
    message: t`The impression says ${side}. The findings say “${sentenceAt(sentences, text, findings)}”.`,
    place: { from: impression.from, to: endOfPhrase(text, impression.to) },
  })),
  ...sexConflicts(sentences, facts, lexicon),
  ...ageConflicts(sentences, facts, lexicon),
  ...priorConflicts(sentences, facts, lexicon),
  ...(facts.isFlaggedCritical ? [] : criticalWords(sentences, lexicon)),
];

/** Ignores section names, which may come from a template in another language. */
const recognizedLanguage = (sentences: readonly Sentence[]) =>
  knownLanguageOf(sentences.map(({ text }) => text).join('\n'));

const isEnglish = (sentences: readonly Sentence[]): boolean => recognizedLanguage(sentences) === 'en';

/** Checks whose terms exist in English only. They do not run if the language is not recognized. */
const inEnglish = (sentences: readonly Sentence[], facts: CheckFacts, lexicon: CheckLexicon): WarningDraft[] => [
  ...bodyPartConflicts(sentences, facts),
  ...studySideConflicts(sentences, facts),
  ...measurementConflicts(sentences, facts),
  ...contradictions(sentences, lexicon),
];

/** Returns the sentence at a place as it is written, with its unfilled fields. */
const sentenceAt = (sentences: readonly Sentence[], text: string, place: Place): string => {
  const sentence = sentences.find(({ from, to }) => from <= place.from && place.to <= to);
  return sentence ? text.slice(sentence.from, sentence.to) : '';
};

/** Returns the end of a quote. Includes a few words after the side, so that the quote shows what is on that side. */
const endOfPhrase = (text: string, from: number): number => {
  const [words = ''] = /^(?:[^\S\n][^\s.,;]+){0,4}/.exec(text.slice(from)) ?? [];
  return from + words.length;
};

/** Matches gaps such as underscores and braces. */
const otherGaps = /\{\{[^}\n]{1,80}\}\}|_{3,}|\*{3,}|\?{3,}|(?<![\p{L}\p{N},])X{3,}(?![\p{L}\p{N}])|\b(?:TBD|TODO)\b/gu;

const placeholdersLeft = (text: string): WarningDraft[] =>
  [...text.matchAll(placeholders()), ...text.matchAll(otherGaps)]
    .filter(({ 0: gap }) => !isReference(gap))
    .map(({ 0: gap, index }) => ({
      kind: 'PLACEHOLDER' as const,
      message: t`Unfilled field: ${gap}`,
      place: { from: index, to: index + gap.length },
    }));

const emptyImpression = (blocks: readonly ReportBlock[], sentences: readonly Sentence[]): WarningDraft[] => {
  const isWritten = sentences.some(
    ({ section, isHeading, text }) =>
      section === 'impression' && !isHeading && /[\p{L}\p{N}]/u.test(text.replaceAll(placeholders(), '')),
  );
  if (isWritten) return [];
  const sectionOf = ({ text }: ReportBlock) => sectionOfHeading(text) ?? sectionAtStart(text)?.section;
  const place = (section: 'impression' | 'findings'): Place | undefined => {
    const index = blocks.findIndex((block) => sectionOf(block) === section);
    const from = blocks.slice(0, index).reduce((sum, { text }) => sum + text.length + 1, 0);
    return index === -1 ? undefined : { from, to: from + (blocks[index]?.text.length ?? 0) };
  };
  const empty = place('impression');
  if (empty) return [{ kind: 'IMPRESSION', message: t`The impression is empty.`, place: empty }];
  const findings = place('findings');
  if (!findings) return [];
  return [{ kind: 'IMPRESSION', message: t`The report has findings but no impression.`, place: findings }];
};

const uncommunicated = ({ openCriticalFindings: open }: CheckFacts): ReportWarning[] =>
  open === 0
    ? []
    : [
        placeless(
          'CRITICAL_OPEN',
          plural(open, {
            one: 'A critical finding of this report is not communicated.',
            other: '# critical findings of this report are not communicated.',
          }),
        ),
      ];

/**
 * Warns of images that arrived while the report was being written. A report on half of the study would look complete.
 */
const imagesMeanwhile = ({ newImages: count }: CheckFacts): ReportWarning[] => {
  const message = plural(count, {
    one: '# image arrived since the text was started or last saved. View it before you sign.',
    other: '# images arrived since the text was started or last saved. View them before you sign.',
  });
  return count === 0 ? [] : [placeless('IMAGES', message)];
};

const placeless = (kind: ReportWarningKind, message: string): ReportWarning => ({
  kind,
  message,
  quote: '',
  about: '',
  from: null,
  to: null,
});

/**
 * Warns that checks were skipped because the language is unknown. Without this warning, the report would look checked.
 */
const unread = (sentences: readonly Sentence[]): ReportWarning[] => {
  const language = recognizedLanguage(sentences);
  if (language !== undefined && checkLexiconOf(language)) return [];
  // Section names of the impression are known in more languages than those of the checks.
  const message =
    language === undefined
      ? t`The text was not recognized as English. Not checked: sides, sex, age, body part, measurements, contradictions, study date, priors, impression and critical findings.`
      : t`The text was not recognized as English. Not checked: sides, sex, age, body part, measurements, contradictions, study date, priors and critical findings.`;
  return [placeless('LANGUAGE', message)];
};

export const checkedReport = z.object({
  /** SHA-256 of the checked text, in hexadecimal. */
  contentHash: z.string(),
  warnings: z.array(reportWarning),
});
export type CheckedReport = z.infer<typeof checkedReport>;

export const reportChecks = {
  /** Facts with which to check a report while it is being written. */
  facts: get('/studies/:id/report-check-facts', {
    can: 'report.edit',
    audited: asReading('report.viewChecks', 'study', 'study'),
    /**
     * `patientRecordId` is the patient record of the study. After an event about a correction of this record, fetch the
     * facts again.
     */
    reply: checkFacts.extend({ patientRecordId: z.string() }),
  }),
  /** Checks the stored text on the server. Before signing, the server repeats this check. */
  check: get('/reports/:id/checks', {
    can: 'report.edit',
    audited: asReading('report.viewChecks', 'report', 'report'),
    reply: checkedReport,
  }),
};

export const noun = {
  calls: [reportChecks],
  actions: {
    Report: {
      'report.viewChecks': 'Checked report',
    },
  },
} as const satisfies Noun;
