import { partTitle } from '@radwork/contract/reading/report-parts';
import { type ReportSection, sectionAtStart, sectionOfHeading } from '@radwork/contract/reading/report-sections';
import type { ReportDocument } from '#reading/report-delivery/report-document.ts';
import { boldRank, type Line, plainLines } from './plain-lines.ts';

/**
 * Returns the conclusion of a report: its impression and the signed addenda, or without an impression the whole text.
 * Plain text, one line for each paragraph.
 */
export const conclusionOf = ({ parts }: ReportDocument): string =>
  parts
    .map((part) => {
      const lines = plainLines(part.content);
      if (part.kind === 'REPORT') return (impressionIn(lines) ?? wordsIn(lines)).join('\n');
      const instead = part.passage === '' ? '' : ` (replaces "${part.passage}")`;
      return `${partTitle(part)}${instead}: ${wordsIn(lines).join('\n')}`;
    })
    .filter((text) => text !== '')
    .join('\n\n');

const wordsIn = (lines: readonly Line[]): string[] => lines.map(({ text }) => text);

/** A line that begins a section, and the rest of its text. */
type SectionStart = { section: ReportSection; rank: number; text: string };

const partBegunBy = ({ text, rank }: Line): SectionStart | undefined => {
  const section = rank <= boldRank ? sectionOfHeading(text) : undefined;
  if (section) return { section: section, rank, text: '' };
  const sectionStart = sectionAtStart(text);
  return (
    sectionStart && {
      section: sectionStart.section,
      rank: Math.min(rank, boldRank),
      text: text.slice(sectionStart.length).trim(),
    }
  );
};

/**
 * Returns the lines of the impression. The impression ends at the next section with the same kind of heading or a
 * larger one. Headings that name no section, bold lines and "Comparison:" are part of the impression.
 */
const impressionIn = (lines: readonly Line[]): string[] | undefined => {
  const texts: string[] = [];
  let rank: number | undefined;
  for (const line of lines) {
    const sectionStart = partBegunBy(line);
    if (sectionStart && (rank === undefined || sectionStart.rank <= rank)) {
      rank = sectionStart.section === 'impression' ? sectionStart.rank : undefined;
      if (rank !== undefined && sectionStart.text !== '') texts.push(sectionStart.text);
    } else if (rank !== undefined) texts.push(line.text);
  }
  return texts.length > 0 ? texts : undefined;
};
