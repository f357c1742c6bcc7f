import type { Editor } from '@tiptap/core';
import { isToFill } from '@radwork/contract/core/placeholders';
import { type ReportSection, sectionAtStart, sectionOfHeading } from '@radwork/contract/reading/report-sections';
import { Fragment, type Node } from '@tiptap/pm/model';
import type { Transaction } from '@tiptap/pm/state';
import { contentOf, insertAfter, type Range } from './draft-passage.ts';

/** A section of the present text: from its heading to the next section or heading of the same level. */
type ExistingSection = Range & { section: ReportSection; heading: Range };

/** Drafted part of a report. `section` names the section if the HTML has no heading. */
type Drafted = { id: string; html: string; section?: ReportSection };

/** Drafted section: its name, its heading and its body. */
type DraftedSection = { id: string; section: ReportSection | undefined; heading: Fragment; body: Fragment };

const textOf = (node: Node): string => node.textBetween(0, node.content.size, '\n');

const sectionOf = (node: Node): ReportSection | undefined => {
  if (!node.isTextblock) return undefined;
  const text = node.textContent.trim();
  return sectionOfHeading(text) ?? sectionAtStart(text)?.section;
};

/** Returns the section headings of a text, each with the range below it. */
const existingSections = (document: Node): ExistingSection[] => {
  const sections: ExistingSection[] = [];
  let level = 0;
  document.forEach((node, offset) => {
    const end = offset + node.nodeSize;
    const section = sectionOf(node);
    const rank = node.type.name === 'heading' ? Number(node.attrs['level']) : Number.POSITIVE_INFINITY;
    const last = sections.at(-1);
    if (section) {
      sections.push({ section, heading: { from: offset, to: end }, from: end, to: end });
      level = Math.min(rank, 3);
    } else if (rank <= level) level = 0;
    else if (last && level > 0) last.to = end;
  });
  return sections;
};

/** Returns the position after the last block of a section; undefined if the text does not have the section. */
export const endOfSection = (document: Node, section: ReportSection): number | undefined =>
  existingSections(document).findLast((one) => one.section === section)?.to;

/** Returns the words of the text without unfilled fields, as a source for a draft. Empty if only headings remain. */
export const textWithoutFields = ({ state }: Editor, { from, to }: Range): string => {
  const lines = state.doc
    .textBetween(from, to, '\n')
    .split('\n')
    .filter((line) => line.trim() !== '' && !isToFill(line));
  return lines.every((line) => sectionOfHeading(line) !== undefined) ? '' : lines.join('\n');
};

/**
 * Inserts a drafted report in one undo step. Each section goes under its heading, or else after the previous section. A
 * section replaces unfilled fields and the findings used as source; other words stay.
 * @param place Insertion point if the text has none of the headings.
 * @param source Range of the findings used as source.
 * @returns Whether the report was inserted. The length limit may refuse it.
 */
export const proposeSections = (
  editor: Editor,
  drafted: readonly Drafted[],
  { place, source }: { place: Range; source: string },
): boolean => {
  if (editor.isDestroyed || !editor.isEditable) return false;
  const { doc, tr: transaction } = editor.state;
  const existing = existingSections(doc);
  const sections = drafted.map((one) => draftedSection(editor, one));
  const homeOf = ({ section }: DraftedSection) => existing.findLast((one) => section && one.section === section);
  const homes = sections.map(homeOf);
  if (homes.every((home) => !home)) {
    const all = sections.reduce((sum, { heading, body }) => sum.append(heading).append(body), Fragment.empty);
    insertAfter(transaction, place, all);
  } else {
    const sourceLines = new Set(source.split('\n').map((line) => line.trim()));
    for (const [index, section] of sections.entries()) {
      const home = homes[index];
      if (home) putUnder(transaction, doc, home, section, sourceLines);
      else {
        const at = homes.slice(0, index).findLast(Boolean)?.to ?? homes.find(Boolean)?.heading.from ?? place.to;
        transaction.insert(transaction.mapping.map(at), section.heading.append(section.body));
      }
    }
  }
  if (!transaction.docChanged) return false;
  editor.view.dispatch(transaction);
  return editor.state.doc !== doc;
};

const draftedSection = (editor: Editor, drafted: Drafted): DraftedSection => {
  const content = contentOf(editor, drafted);
  const first = content.firstChild;
  const section = first?.type.name === 'heading' ? sectionOfHeading(first.textContent) : undefined;
  if (!first || !section) return { id: drafted.id, section: drafted.section, heading: Fragment.empty, body: content };
  return { id: drafted.id, section, heading: Fragment.from(first), body: content.cut(first.nodeSize) };
};

/** Marks the words that a section replaces and inserts the section after them, or directly after the heading. */
const putUnder = (
  transaction: Transaction,
  doc: Node,
  home: ExistingSection,
  { id, section, body }: DraftedSection,
  sourceLines: ReadonlySet<string>,
): void => {
  const isGiven = (line: string) => section === 'findings' && sourceLines.has(line.trim());
  const goes = (text: string) =>
    text.trim() !== '' && text.split('\n').every((line) => line.trim() === '' || isToFill(line) || isGiven(line));
  const replaced = blocksIn(doc, home).filter(({ text }) => goes(text));
  const mark = doc.type.schema.mark('replacedWords', { id });
  for (const { from, to } of replaced) {
    transaction.addMark(transaction.mapping.map(from), transaction.mapping.map(to), mark);
  }
  transaction.insert(transaction.mapping.map(replaced.at(-1)?.to ?? home.from), body);
};

/** Returns the blocks of a section. Words on the heading line count too: "Impression: [conclusion]". */
const blocksIn = (doc: Node, { from, to, heading }: ExistingSection): (Range & { text: string })[] => {
  const blocks: (Range & { text: string })[] = [];
  const head = doc.nodeAt(heading.from);
  const sectionStart =
    head && sectionOfHeading(head.textContent) === undefined ? sectionAtStart(head.textContent) : undefined;
  if (head && sectionStart) {
    const start = heading.from + 1 + sectionStart.length;
    blocks.push({ from: start, to: heading.to, text: head.textContent.slice(sectionStart.length) });
  }
  doc.nodesBetween(from, to, (node, at, parent) => {
    if (parent !== doc || at < from) return false;
    blocks.push({ from: at, to: at + node.nodeSize, text: textOf(node) });
    return false;
  });
  return blocks;
};
