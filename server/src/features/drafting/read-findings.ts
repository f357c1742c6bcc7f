import { sectionOfHeading } from '@radwork/contract/report-sections';
import { isPositive } from './is-positive.ts';
import { tidy } from './tidy.ts';

/** Stands before what a template says is normal and the reader has not said. It is to be confirmed or struck. */
export const notConfirmed = '[not confirmed]';

/** A statement with what was said about it in the same breath, tidied, in the reader's own words and order. */
export type Finding = {
  text: string;
  /** What its first sentence said, before it was tidied: where it belongs is read from this. */
  subject: string;
  isPositive: boolean;
};

/** After these a full stop ends no sentence. */
const abbreviated =
  /(?:^|[\s(])(?:no|nos|nr|fig|approx|ca|vs|dr|prof|im|ser|st|resp|incl|max|min|cf|e\.g|i\.e|etc|bzw|z\.b|\d{1,2})\.$/i;

/** The sentences of a line. In doubt two stay together: what is apart may lose its meaning. */
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

/** What cannot stand by itself: it goes on about what was said before. */
const goesOn =
  /^(?:it|its|this|these|that|those|they|their|them|both|which|the (?:same|latter|former|largest|smallest|other|lesion|mass|nodule)|there(?:of)?|here|also|again|otherwise|previously|(?:un)?changed|stable|increased|decreased|new|measur(?:es|ing)|likely|probably|possibly|suspicious|suggest(?:s|ive|ing)|consistent|compatible|dd|ddx|recommend|advise|follow|correlat|clinical|diese[rs]?|sie|es|unverändert|messend)\b/i;

const bullet = /^\s*[-*•–]\s+/;

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.replace(bullet, '').trim())
    .filter((line) => line !== '');

/** Findings as they were typed, each statement once. `belongs` tells whether a sentence names what it is about. */
export const readFindings = (text: string, belongs: (sentence: string) => boolean): Finding[] =>
  linesOf(text).flatMap((line) => {
    // Drafted again, what nobody has confirmed keeps its mark, and all of its words stay behind it.
    if (line.includes(notConfirmed)) return [{ text: tidy(line), subject: line, isPositive: false }];
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
    }));
  });

const headingOf = (line: string) => sectionOfHeading(line.replace(/:\s*$/, '').trim());

/**
 * Of a report the lines under its findings; where no heading says which they are, all that stand under none of the
 * other headings.
 */
export const findingsIn = (text: string): string => {
  const lines = text.split(/\r?\n/);
  const hasFindings = lines.some((line) => headingOf(line) === 'findings');
  let isInside = !hasFindings;
  const kept = lines.filter((line) => {
    const section = headingOf(line);
    if (section) isInside = section === 'findings';
    return isInside && !section;
  });
  return kept.join('\n').trim();
};
