import { sectionOfHeading } from '@radwork/contract/reading/report-sections';
import { isPositive } from './is-positive.ts';
import { tidy } from './tidy-sentence.ts';

/** Marks normal text from a template. The reader has not dictated it and must confirm or delete it. */
export const notConfirmed = '[not confirmed]';

/**
 * A statement with the sentences that continue it, with corrected spaces and units. Words and their order are the
 * reader's.
 */
export type Finding = {
  text: string;
  /** The first sentence before tidying. It decides the heading. */
  subject: string;
  isPositive: boolean;
  /** The text without its normal sentences, for an impression. */
  abnormal: string;
};

/** Abbreviations after which a full stop does not end the sentence. */
const abbreviated =
  /(?:^|[\s(])(?:no|nos|nr|fig|approx|ca|vs|dr|prof|im|ser|st|resp|incl|max|min|cf|e\.g|i\.e|etc|bzw|z\.b|(?<!(?:rads|grade|category|stage|type|score) )\d{1,2})\.$/i;

/** Splits a line into sentences. In doubt the line is not split, because a part may lose its meaning. */
export const sentencesOf = (line: string): string[] => {
  const sentences: string[] = [];
  let from = 0;
  for (const { index, 0: gap } of line.matchAll(/(?<=[.;!?])\s+(?=[\p{Lu}\d[])/gu)) {
    const sentence = line.slice(from, index);
    if (abbreviated.test(sentence)) continue;
    sentences.push(sentence);
    from = index + gap.length;
  }
  return [...sentences, line.slice(from)];
};

/** Beginnings of sentences that continue the previous sentence. */
const goesOn =
  /^(?:it|its|this|these|that|those|they|their|them|both|which|the (?:same|latter|former|largest|smallest|other|lesion|mass|nodule)|there(?:of)?|here|also|again|otherwise|previously|(?:un)?changed|stable|increased|decreased|new|measur(?:es|ing)|likely|probably|possibly|suspicious|suggest(?:s|ive|ing)|consistent|compatible|dd|ddx|recommend|advise|follow|correlat|clinical|diese[rs]?|sie|es|unverändert|messend)\b/i;

const bullet = /^\s*[-*•–]\s+/;

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.replace(bullet, '').trim())
    .filter((line) => line !== '');

/**
 * Reads typed findings. `belongs` returns whether a sentence names a part of the body. A sentence that names none
 * continues the sentence before it.
 */
export const readFindings = (text: string, belongs: (sentence: string) => boolean): Finding[] =>
  linesOf(text).flatMap((line) => {
    // A line that is already marked as not confirmed keeps this mark and its whole text.
    if (line.includes(notConfirmed)) return [{ text: tidy(line), subject: line, isPositive: false, abnormal: '' }];
    const groups: [string, ...string[]][] = [];
    for (const sentence of sentencesOf(line)) {
      const last = groups.at(-1);
      if (last && (goesOn.test(sentence) || !belongs(sentence))) last.push(sentence);
      else groups.push([sentence]);
    }
    return groups.map((sentences) => ({
      text: sentences.map(tidy).join(' '),
      subject: sentences[0],
      isPositive: sentences.some(isPositive),
      abnormal: sentences.filter(isPositive).map(tidy).join(' '),
    }));
  });

const headingOf = (line: string) => sectionOfHeading(line.replace(/:\s*$/, '').trim());

/**
 * Returns the lines under the findings heading of a report. Without such a heading, returns the lines that are under no
 * other heading.
 */
export const findingsIn = (text: string): string => {
  const lines = text.split(/\r?\n/);
  const hasFindings = lines.some((line) => headingOf(line) === 'findings');
  let isInside = !hasFindings;
  const remaining = lines.filter((line) => {
    const section = headingOf(line);
    if (section) isInside = section === 'findings';
    return isInside && !section;
  });
  return remaining.join('\n').trim();
};
