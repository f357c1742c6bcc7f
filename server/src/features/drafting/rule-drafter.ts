import type { PassageKind } from '@radwork/contract/drafting';
import { Problem } from '#core/problem.ts';
import { type Arranged, arrangeFindings } from './arrange-findings.ts';
import type { Drafter, DraftRequest } from './drafter.ts';
import { findingsIn, readFindings } from './read-findings.ts';
import { tidy } from './tidy.ts';

/** Stands before what a template says is normal and the reader has not said. It is to be confirmed or struck. */
export const notConfirmed = '[not confirmed]';
/** Stands for an impression where nothing that was found suggests one. */
export const impressionToWrite = '[impression]';

/** A line of a report that says "Lungs: …" says where it belongs already. */
const withLabel = (heading: string, text: string): string =>
  text.toLowerCase().startsWith(`${heading.toLowerCase()}:`) ? text : `${heading}: ${text}`;

const sectionLine = ({ heading, findings, normal }: Arranged): string[] => {
  if (findings.length > 0) return [withLabel(heading, findings.map(({ text }) => text).join(' '))];
  return normal === '' ? [] : [`${heading}: ${notConfirmed} ${normal}`];
};

const impressionOf = (positive: readonly string[]): string[] =>
  positive.length > 1 ? positive.map((text) => `- ${text}`) : [...positive];

const positiveIn = (arranged: readonly Arranged[]): string[] =>
  arranged.flatMap(({ findings }) => findings.filter(({ isPositive }) => isPositive).map(({ text }) => text));

const draftReport = ({ text, sections }: DraftRequest): string => {
  const given = findingsIn(text) || text;
  const arranged = arrangeFindings(given, sections);
  const lines =
    sections.length > 0
      ? arranged.flatMap(sectionLine)
      : arranged.flatMap(({ findings }) => findings.map((finding) => finding.text));
  const positive = positiveIn(arranged);
  const impression = positive.length > 0 ? impressionOf(positive) : [impressionToWrite];
  return ['Findings:', ...lines, '', 'Impression:', ...impression].join('\n');
};

const draftImpression = ({ text }: DraftRequest): string => {
  const given = findingsIn(text) || text;
  const positive = readFindings(given, () => true).filter((finding) => finding.isPositive);
  if (positive.length === 0) {
    throw new Problem(422, 'drafting.nothing', 'None of the findings reads as positive: write the impression yourself');
  }
  return impressionOf(positive.map((finding) => finding.text)).join('\n');
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
 * Drafts by rules, without any model, and sends nothing anywhere. It puts the reader's own words in order and tidies
 * them: every statement once, every number as it was, nothing invented. What a template calls normal and the reader has
 * not said is marked as not confirmed.
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
