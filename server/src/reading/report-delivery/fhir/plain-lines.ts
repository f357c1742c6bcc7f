import { sectionAtStart, sectionOfHeading } from '@radwork/contract/reading/report-sections';
import { parseFragment } from 'parse5';
import { rebuildStoredHtml } from '#reading/report-records/report-html.ts';
import { attribute, type Element, isElement, type Node } from '#reading/report-delivery/pdf/content.ts';
import { gridOf } from '#reading/report-delivery/pdf/grid.ts';

/**
 * A line of a report: a paragraph, list item, table row, or text up to a line break. Ranks 1 to 3 are headings, 4 is a
 * bold line, which is often used as a heading, and 5 any other line.
 */
export type Line = { text: string; rank: number };

export const boldRank = 4;

/** Converts a text to lines in reading order. Formatting that has a meaning is written as characters. */
export const plainLines = (content: string): Line[] =>
  readLines(parseFragment(rebuildStoredHtml(content).html).childNodes);

const ranks: Record<string, number> = { h1: 1, h2: 2, h3: 3, p: 5 };

const readLines = (nodes: readonly Node[]): Line[] =>
  nodes.filter(isElement).flatMap((element) => {
    const rank = ranks[element.tagName];
    if (rank !== undefined) return linesOf(runsOf(element.childNodes), rank);
    if (element.tagName === 'ol') return numbered(element);
    if (element.tagName === 'li') return ticked(element);
    if (element.tagName === 'table') return rowLines(element);
    return readLines(element.childNodes);
  });

const numbered = (list: Element): Line[] => {
  const start = Number(attribute(list, 'start') ?? 1);
  return list.childNodes
    .filter(isElement)
    .flatMap((item, index) => marked(`${start + index}. `, readLines(item.childNodes)));
};

const ticked = (item: Element): Line[] => {
  const lines = readLines(item.childNodes);
  const state = attribute(item, 'data-checked');
  return state === undefined ? lines : marked(state === 'true' ? '[x] ' : '[ ] ', lines);
};

const marked = (sign: string, [first, ...others]: Line[]): Line[] =>
  first ? [{ ...first, text: sign + first.text }, ...others] : [];

/** Converts the rows of a table, with each cell in its column. */
const rowLines = (table: Element): Line[] => {
  const { cells, rows, columns } = gridOf(table);
  return Array.from({ length: rows }, (_, row) => cells.filter((cell) => cell.row === row)).flatMap((inRow) => {
    const lines = inRow.map(({ element }) => readLines(element.childNodes));
    // Cells with headings or report sections mean that the table is only used for layout. Its cells are then read one
    // after another.
    if (columns === 1 || lines.flat().some(namesPart)) return lines.flat();
    const words = Array.from({ length: columns }, () => '');
    for (const [index, { column }] of inRow.entries())
      words[column] = (lines[index] ?? []).map(({ text }) => text).join(' / ');
    const text = words.join(' | ').trim();
    return words.some((word) => word !== '') ? [{ text, rank: 5 }] : [];
  });
};

const namesPart = ({ text }: Line): boolean => (sectionOfHeading(text) ?? sectionAtStart(text)) !== undefined;

type Look = { isBold: boolean; isStruck: boolean };
type Run = Look & { text: string };

const runsOf = (nodes: readonly Node[], look: Look = { isBold: false, isStruck: false }): Run[] =>
  nodes.flatMap((node) => {
    if (!isElement(node)) return 'value' in node ? [{ ...look, text: node.value.replaceAll(/\s+/g, ' ') }] : [];
    if (node.tagName === 'br') return [{ ...look, text: '\n' }];
    const runs = runsOf(node.childNodes, {
      isBold: look.isBold || node.tagName === 'strong',
      isStruck: look.isStruck || node.tagName === 's',
    });
    const moved = node.tagName === 'sup' ? raised : node.tagName === 'sub' ? lowered : undefined;
    return moved ? runs.map((run) => ({ ...run, text: moved(run.text) })) : runs;
  });

const signs = '0123456789+-−()n';
const raisedSigns = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁿ';
const loweredSigns = '₀₁₂₃₄₅₆₇₈₉₊₋₋₍₎ₙ';

const inSigns = (text: string, others: string): string | undefined => {
  const characters = text
    .trim()
    .split('')
    .map((sign) => others[signs.indexOf(sign)]);
  return characters.every((sign) => sign !== undefined) ? characters.join('') : undefined;
};

/** Marks superscript, because "10" with a raised "3" must not become 103. */
const raised = (text: string): string => inSigns(text, raisedSigns) ?? `^(${text.trim()})`;
/** Reads subscript as normal letters: "Tmax". */
const lowered = (text: string): string => inSigns(text, loweredSigns) ?? text;

const linesOf = (runs: readonly Run[], rank: number): Line[] => {
  const lines: Run[][] = [[]];
  for (const run of runs) {
    if (run.text === '\n') lines.push([]);
    else lines.at(-1)?.push(run);
  }
  return lines.flatMap((line) => {
    const text = wordsOf(line).replaceAll(/\s+/g, ' ').trim();
    const isBold = line.every((run) => run.isBold || run.text.trim() === '');
    return text === '' ? [] : [{ text, rank: isBold ? Math.min(rank, boldRank) : rank }];
  });
};

/** Returns the text of a line, and marks text that was struck out. */
const wordsOf = (line: readonly Run[]): string => {
  const merged: Pick<Run, 'text' | 'isStruck'>[] = [];
  for (const { text, isStruck } of line) {
    const last = merged.at(-1);
    if (last?.isStruck === isStruck) last.text += text;
    else merged.push({ text, isStruck });
  }
  return merged
    .map(({ text, isStruck }) => (isStruck && text.trim() !== '' ? ` [struck out: ${text.trim()}] ` : text))
    .join('');
};
