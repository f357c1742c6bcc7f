import { placeholders } from '@radwork/contract/core/placeholders';
import { type ReportSection, sectionAtStart, sectionOfHeading } from '@radwork/contract/reading/report-sections';
import type { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { TextSelection } from '@tiptap/pm/state';

type Block = { at: number; node: Node; section: ReportSection | undefined; level: number };

/** Level of a paragraph that begins a section. Every heading has a higher rank. */
const paragraphLevel = 9;

/** Returns paragraphs and headings in order, with the section that each begins. */
const blocksOf = ({ state }: Editor): Block[] => {
  const blocks: Block[] = [];
  state.doc.descendants((node, at) => {
    if (!node.isTextblock) return true;
    const level = node.type.name === 'heading' ? Number(node.attrs.level) : paragraphLevel;
    const section = sectionOfHeading(node.textContent) ?? sectionAtStart(node.textContent)?.section;
    blocks.push({ at, node, section, level });
    return false;
  });
  return blocks;
};

const select = (editor: Editor, from: number, to = from) =>
  editor.view.dispatch(editor.state.tr.setSelection(TextSelection.create(editor.state.doc, from, to)).scrollIntoView());

const endOf = ({ at, node }: Block) => at + 1 + node.content.size;

/**
 * Moves the cursor to a section: to its first empty line, or after its last words. Returns false if the report has no
 * such section.
 */
export const goToSection = (editor: Editor, section: ReportSection): boolean => {
  const blocks = blocksOf(editor);
  const start = blocks.findIndex((block) => block.section === section);
  const named = blocks[start];
  if (!named) return false;
  const behind = blocks.slice(start + 1);
  const end = behind.findIndex((block) => block.section !== undefined || block.level <= Math.min(named.level, 3));
  const inside = end === -1 ? behind : behind.slice(0, end);
  const free = inside.find(({ node }) => node.content.size === 0);
  const place = free ?? inside.at(-1);
  if (place) select(editor, endOf(place));
  else if (named.node.type.name === 'heading') beginBelow(editor, named);
  else select(editor, endOf(named));
  return true;
};

/** Adds an empty line below a heading that has no text. */
const beginBelow = (editor: Editor, { at, node }: Block) => {
  const below = at + node.nodeSize;
  const { paragraph } = editor.schema.nodes;
  if (!paragraph) return;
  editor.view.dispatch(editor.state.tr.insert(below, paragraph.create()));
  select(editor, below + 1);
};

/** Selects the next field after the cursor, or else the first field of the text. Returns false if there is none. */
export const goToNextField = (editor: Editor): boolean => {
  const fields = blocksOf(editor).flatMap(({ at, node }) => {
    const text = node.textBetween(0, node.content.size, undefined, ' ');
    return Array.from(text.matchAll(placeholders()), ({ 0: field, index }) => ({
      from: at + 1 + index,
      to: at + 1 + index + field.length,
    }));
  });
  const { from, empty } = editor.state.selection;
  const next = fields.find((field) => field.from > from || (empty && field.from === from)) ?? fields[0];
  if (!next) return false;
  select(editor, next.from, next.to);
  return true;
};
