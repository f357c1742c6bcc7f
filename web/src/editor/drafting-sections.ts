import type { Editor } from '@tiptap/core';
import { placeholders } from '@radwork/contract/placeholders';
import { type ReportSection, sectionAtStart, sectionOfHeading } from '@radwork/contract/report-sections';
import { Fragment, type Node } from '@tiptap/pm/model';
import type { Transaction } from '@tiptap/pm/state';
import { contentOf, insertBehind, type Range } from './drafting-passage.ts';

/** A section that the text has already: behind its heading, and until the next section or heading of the same rank. */
type StandingSection = Range & { section: ReportSection; heading: Range };

/** What was drafted of a report; `section` says which part it is where its HTML has no heading. */
type Drafted = { id: string; html: string; section?: ReportSection };

/** A drafted section: which one it is, and what stands under its heading. */
type DraftedSection = { id: string; section: ReportSection | undefined; heading: Fragment; body: Fragment };

const textOf = (node: Node): string => node.textBetween(0, node.content.size, '\n');

const sectionOf = (node: Node): ReportSection | undefined => {
  if (!node.isTextblock) return undefined;
  const text = node.textContent.trim();
  return sectionOfHeading(text) ?? sectionAtStart(text)?.section;
};

/** The headings of a text that are those of a report, each with what stands under it. */
const standingSections = (document: Node): StandingSection[] => {
  const sections: StandingSection[] = [];
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

/** A line in which nothing was written yet: "Pleura: [effusion, thickening]". */
export const isToFill = (line: string): boolean => {
  const rest = line.replaceAll(placeholders(), '');
  return rest !== line && !/[\p{L}\p{N}]/u.test(rest.replaceAll(/\p{L}[^:.\n]{0,60}:/gu, ''));
};

/**
 * Words of the text from which something can be drafted: without the places that are left to fill in, and empty where
 * nothing but headings is left.
 */
export const writtenWords = ({ state }: Editor, { from, to }: Range): string => {
  const lines = state.doc
    .textBetween(from, to, '\n')
    .split('\n')
    .filter((line) => line.trim() !== '' && !isToFill(line));
  return lines.every((line) => sectionOfHeading(line) !== undefined) ? '' : lines.join('\n');
};

/**
 * Puts a drafted report into the text, in one step that can be undone: each section under its heading, where the text
 * has that heading, and else behind the section before it. In the place of what is left to fill in there, and of those
 * findings from which it was drafted; other words of the writer stay as they are.
 *
 * @param place Where it stands when the text has none of its headings.
 * @param source The findings from which it was drafted.
 * @returns Whether it is in the text now; a report that would grow too long refuses it.
 */
export const proposeSections = (
  editor: Editor,
  drafted: readonly Drafted[],
  { place, source }: { place: Range; source: string },
): boolean => {
  if (editor.isDestroyed || !editor.isEditable) return false;
  const { doc, tr: transaction } = editor.state;
  const standing = standingSections(doc);
  const sections = drafted.map((one) => draftedSection(editor, one));
  const homeOf = ({ section }: DraftedSection) => standing.findLast((one) => section && one.section === section);
  const homes = sections.map(homeOf);
  if (homes.every((home) => !home)) {
    const all = sections.reduce((sum, { heading, body }) => sum.append(heading).append(body), Fragment.empty);
    insertBehind(transaction, place, all);
  } else {
    const given = new Set(source.split('\n').map((line) => line.trim()));
    for (const [index, section] of sections.entries()) {
      const home = homes[index];
      if (home) putUnder(transaction, doc, home, section, given);
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

/** Marks what a section takes the place of, and puts it behind that, or right behind the heading. */
const putUnder = (
  transaction: Transaction,
  doc: Node,
  home: StandingSection,
  { id, section, body }: DraftedSection,
  given: ReadonlySet<string>,
): void => {
  const isGiven = (line: string) => section === 'findings' && given.has(line.trim());
  const goes = (text: string) =>
    text.trim() !== '' && text.split('\n').every((line) => line.trim() === '' || isToFill(line) || isGiven(line));
  const replaced = blocksIn(doc, home).filter(({ text }) => goes(text));
  const mark = doc.type.schema.mark('replacedWords', { id });
  for (const { from, to } of replaced) {
    transaction.addMark(transaction.mapping.map(from), transaction.mapping.map(to), mark);
  }
  transaction.insert(transaction.mapping.map(replaced.at(-1)?.to ?? home.from), body);
};

/** The blocks of a section, and the words behind its name where they stand in one line: "Impression: [conclusion]". */
const blocksIn = (doc: Node, { from, to, heading }: StandingSection): (Range & { text: string })[] => {
  const blocks: (Range & { text: string })[] = [];
  const head = doc.nodeAt(heading.from);
  const named = head && sectionOfHeading(head.textContent) === undefined ? sectionAtStart(head.textContent) : undefined;
  if (head && named) {
    const start = heading.from + 1 + named.length;
    blocks.push({ from: start, to: heading.to, text: head.textContent.slice(named.length) });
  }
  doc.nodesBetween(from, to, (node, at, parent) => {
    if (parent !== doc || at < from) return false;
    blocks.push({ from: at, to: at + node.nodeSize, text: textOf(node) });
    return false;
  });
  return blocks;
};
