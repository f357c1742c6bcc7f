import { type ReportSection, sectionAtStart, sectionOfHeading } from './report-sections.ts';

/** A heading, a paragraph, a point of a list or a cell of a table, as it can be read. */
export type ReportBlock = { text: string; isHeading: boolean };

/**
 * A stretch of a report, in characters from its beginning. The text that they count in is that of all blocks with one line
 * break between each; an editor and a server which split a report alike mean the same words by the same numbers.
 */
export type Place = { from: number; to: number };

export type Sentence = Place & { text: string; section: ReportSection | undefined; isHeading: boolean };

/** The text of a report as one; see `Place`. */
export const visibleText = (blocks: readonly ReportBlock[]): string => blocks.map(({ text }) => text).join('\n');

const abbreviations = /(?:^|[\s(])(?:e\.g|i\.e|approx|vs|cf|ca|dr|mr|mrs|ms|prof|fig|no|st|resp|max|min)\.$/i;

/** What ends a sentence: a sign with a space behind it, or the end of a line. Decimals and abbreviations do not. */
const sentencesIn = (text: string): Place[] => {
  const found: Place[] = [];
  let from = 0;
  for (const { 0: end, index } of text.matchAll(/(?<![.!?;。！？；])[.!?;。！？；]+(?=\s|$)|[。！？；]|\n/g)) {
    const to = index + (end === '\n' ? 0 : end.length);
    if (abbreviations.test(text.slice(from, to))) continue;
    found.push({ from, to });
    from = index + end.length;
  }
  found.push({ from, to: text.length });
  return found.map((place) => trimmed(text, place)).filter(({ from: start, to }) => to > start);
};

const trimmed = (text: string, { from, to }: Place): Place => {
  const words = text.slice(from, to);
  return { from: from + words.length - words.trimStart().length, to: to - words.length + words.trimEnd().length };
};

/** The sentences of a report with their places, and the part of the report that each stands in. */
export const sentencesOf = (blocks: readonly ReportBlock[]): Sentence[] => {
  const sentences: Sentence[] = [];
  let section: ReportSection | undefined;
  let start = 0;
  for (const { text, isHeading } of blocks) {
    const named = sectionAtStart(text);
    const heading = sectionOfHeading(text);
    // A heading that names no part of a report, such as "Liver", stands inside the part that has begun.
    section = heading ?? named?.section ?? section;
    const skipped = named?.length ?? 0;
    if (heading === undefined) {
      for (const { from, to } of sentencesIn(text.slice(skipped))) {
        const place = { from: start + skipped + from, to: start + skipped + to };
        sentences.push({ ...place, text: text.slice(skipped + from, skipped + to), section, isHeading });
      }
    }
    start += text.length + 1;
  }
  return sentences;
};
