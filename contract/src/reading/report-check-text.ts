import { type ReportSection, sectionAtStart, sectionOfHeading } from './report-sections.ts';

/** Visible text of a heading, paragraph, list item or table cell. */
export type ReportBlock = { text: string; isHeading: boolean };

/**
 * Range of a report in characters from its start. Positions count in the text of all blocks, with one line break
 * between blocks. Editor and server get the same positions if both split the report into blocks the same way.
 */
export type Place = { from: number; to: number };

export type Sentence = Place & { text: string; section: ReportSection | undefined; isHeading: boolean };

/** Joins the blocks of a report to its visible text; see `Place`. */
export const visibleText = (blocks: readonly ReportBlock[]): string => blocks.map(({ text }) => text).join('\n');

const abbreviations = /(?:^|[\s(])(?:e\.g|i\.e|approx|vs|cf|ca|dr|mr|mrs|ms|prof|fig|no|st|resp|max|min)\.$/i;

/**
 * Finds sentences. A sentence ends at punctuation followed by a space, or at the end of a line, but not at a decimal
 * point or abbreviation.
 */
const sentencesIn = (text: string): Place[] => {
  const places: Place[] = [];
  let from = 0;
  for (const { 0: end, index } of text.matchAll(/(?<![.!?;。！？；])[.!?;。！？；]+(?=\s|$)|[。！？；]|\n/g)) {
    const to = index + (end === '\n' ? 0 : end.length);
    if (abbreviations.test(text.slice(from, to))) continue;
    places.push({ from, to });
    from = index + end.length;
  }
  places.push({ from, to: text.length });
  return places.map((place) => trimmed(text, place)).filter(({ from: start, to }) => to > start);
};

const trimmed = (text: string, { from, to }: Place): Place => {
  const words = text.slice(from, to);
  return { from: from + words.length - words.trimStart().length, to: to - words.length + words.trimEnd().length };
};

/** Returns the sentences of a report with their positions and sections. */
export const sentencesOf = (blocks: readonly ReportBlock[]): Sentence[] => {
  const sentences: Sentence[] = [];
  let section: ReportSection | undefined;
  let start = 0;
  for (const { text, isHeading } of blocks) {
    const sectionStart = sectionAtStart(text);
    const heading = sectionOfHeading(text);
    // A heading that is not a section name, such as "Liver", belongs to the current section.
    section = heading ?? sectionStart?.section ?? section;
    const skipped = sectionStart?.length ?? 0;
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
