import { t } from '@radwork/contract/core/translate';
import type { PassageKind } from '@radwork/contract/reading/drafting';
import { knownLanguageOf } from '@radwork/contract/reading/report-language';
import type { ReportLanguage } from '@radwork/contract/reading/report-sections';
import { Problem } from '#core/http/problem.ts';
import { type Arranged, arrangeFindings, otherHeading } from './arrange-findings.ts';
import type { Drafter, DraftRequest, Section } from './drafter.ts';
import { type Finding, findingsIn, notConfirmed, readFindings } from './read-findings.ts';
import { tidy } from './tidy-sentence.ts';
import { mostUrgentFirst } from './urgency.ts';

/** Text of the impression when no finding suggests one. The reader replaces it. */
export const impressionToWrite = '[impression]';

/** Adds the heading, unless the line already starts with it. */
const withLabel = (heading: string, text: string): string =>
  text.toLowerCase().startsWith(`${heading.toLowerCase()}:`) ? text : `${heading}: ${text}`;

/** The heading before findings that the rules cannot arrange. */
export const notArranged = '[not arranged: the rules do not read this language]';

const sectionLine = ({ heading, findings, normal }: Arranged): string[] => {
  if (findings.length > 0)
    return [
      withLabel(
        heading,
        abnormalFirst(findings)
          .map(({ text }) => text)
          .join(' '),
      ),
    ];
  return normal === '' ? [] : [`${heading}: ${notConfirmed} ${normal}`];
};

/** Puts abnormal findings before normal ones. Otherwise keeps the order of the reader. */
const abnormalFirst = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((one, other) => Number(other.isPositive) - Number(one.isPositive));

const impressionOf = (positive: readonly string[]): string[] =>
  positive.length > 1 ? positive.map((text) => `- ${text}`) : [...positive];

const positiveIn = (arranged: readonly Arranged[]): string[] => concluded(arranged.flatMap(({ findings }) => findings));

/** Returns the lines of the impression: the positive findings without their normal sentences, the most urgent first. */
const concluded = (findings: readonly Finding[]): string[] =>
  mostUrgentFirst(findings.filter(({ isPositive }) => isPositive).map(({ abnormal }) => abnormal));

/** Languages in which the rules know how to say "absent" and "normal" (is-positive.ts). */
const concludedFrom: readonly (ReportLanguage | undefined)[] = ['en', 'de', 'fr', 'es', 'it', 'pt'];

const isRecognized = (arranged: readonly Arranged[]) =>
  arranged.some(({ heading, findings }) => heading !== otherHeading && findings.length > 0);

const draftReport = ({ text, sections }: DraftRequest): string => {
  const findingsText = findingsIn(text) || text;
  const language = knownLanguageOf(findingsText);
  const arranged = arrangeFindings(findingsText, language === 'en' ? sections : sections.map(withoutNormal));
  const positive = concludedFrom.includes(language) ? positiveIn(arranged) : [];
  const impression = positive.length > 0 ? impressionOf(positive) : [impressionToWrite];
  return [
    'Findings:',
    ...linesOf(findingsText, arranged, { language, sections }),
    '',
    'Impression:',
    ...impression,
  ].join('\n');
};

type ReadSource = { language: ReportLanguage | undefined; sections: readonly Section[] };

/** Returns the arranged findings. If the rules recognize nothing, returns the text unchanged. */
const linesOf = (findingsText: string, arranged: readonly Arranged[], { language, sections }: ReadSource): string[] => {
  if (language !== 'en' && sections.length > 0 && !isRecognized(arranged)) return [notArranged, findingsText];
  if (sections.length > 0) return arranged.flatMap(sectionLine);
  return arranged.flatMap(({ findings }) => findings.map((finding) => finding.text));
};

/** In other languages the rules miss many findings, so they must not add normal text. */
const withoutNormal = (section: Section): Section => ({ ...section, normal: '' });

const draftImpression = ({ text }: DraftRequest): string => {
  const findingsText = findingsIn(text) || text;
  if (!concludedFrom.includes(knownLanguageOf(findingsText))) {
    throw new Problem(
      422,
      'drafting.language',
      t`The built-in drafter does not support this language. Write the impression yourself.`,
    );
  }
  const positive = concluded(readFindings(findingsText, () => true));
  if (positive.length === 0) {
    throw new Problem(422, 'drafting.nothing', t`No positive finding was recognized. Write the impression yourself.`);
  }
  return impressionOf(positive).join('\n');
};

const tidyLines = ({ text }: DraftRequest): string =>
  text
    .split(/\r?\n/)
    .map((line) => (line.trim() === '' ? '' : tidy(line)))
    .join('\n')
    .trim();

const draft: Record<PassageKind, (request: DraftRequest) => string> = {
  REPORT: draftReport,
  IMPRESSION: draftImpression,
  ENHANCEMENT: tidyLines,
};

/**
 * Drafts by rules, without a model, and sends nothing. Arranges and tidies the reader's words: every statement once,
 * every number unchanged, nothing invented. Normal text from a template is marked as not confirmed. Recognizes body
 * parts by their English names and by the headings. Says so when it recognizes nothing.
 */
export const ruleDrafter: Drafter = {
  provider: 'RULES',
  model: '',
  sentFor: () => null,
  answer: async (request) => draft[request.kind](request),
  pieces: async function* (request) {
    yield draft[request.kind](request);
  },
};
