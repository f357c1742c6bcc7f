import { partTitle } from '@radwork/contract/report-parts';
import { sectionAtStart, sectionOfHeading } from '@radwork/contract/report-sections';
import { parseFragment } from 'parse5';
import { rebuildStoredHtml } from '#features/reports/report-html.ts';
import { isElement, type Node, textOf } from '../pdf/content.ts';
import type { ReportDocument } from '../report-document.ts';

/** A line of a report: the words of one paragraph, list item or cell. */
type Line = { text: string; isHeading: boolean };

/**
 * What a report comes to: its impression, or all of it where it has none; and what was signed beneath it. Plain text,
 * one line for each paragraph.
 */
export const conclusionOf = ({ parts }: ReportDocument): string =>
  parts
    .map((part) => {
      const lines = linesOf(part.content);
      if (part.kind === 'REPORT') return textFrom(impressionIn(lines) ?? lines);
      const instead = part.passage === '' ? '' : ` (instead of "${part.passage}")`;
      return `${partTitle(part)}${instead}: ${textFrom(lines)}`;
    })
    .filter((text) => text !== '')
    .join('\n\n');

const textFrom = (lines: readonly Line[]): string => lines.map(({ text }) => text).join('\n');

/** The words of a text as lines, in the order in which they are read. */
const linesOf = (content: string): Line[] => readLines(parseFragment(rebuildStoredHtml(content).html).childNodes);

const lineTags = new Set(['p', 'h1', 'h2', 'h3']);

const readLines = (nodes: readonly Node[]): Line[] =>
  nodes.filter(isElement).flatMap((element) => {
    if (!lineTags.has(element.tagName)) return readLines(element.childNodes);
    const text = textOf(element).replaceAll(/\s+/g, ' ').trim();
    const isBold = element.childNodes.every((node) => isElement(node) && node.tagName === 'strong');
    return text === '' ? [] : [{ text, isHeading: element.tagName !== 'p' || isBold }];
  });

/** The lines under the headings that begin an impression, or after its name at the beginning of a line. */
const impressionIn = (lines: readonly Line[]): Line[] | undefined => {
  const found: Line[] = [];
  let isImpression = false;
  for (const line of lines) {
    const named = line.isHeading ? sectionOfHeading(line.text) : undefined;
    const begun = named ? undefined : sectionAtStart(line.text);
    if (line.isHeading || begun) isImpression = (named ?? begun?.section) === 'impression';
    if (!isImpression || named) continue;
    const text = begun ? line.text.slice(begun.length).trim() : line.text;
    if (text !== '') found.push({ ...line, text });
  }
  return found.length > 0 ? found : undefined;
};
