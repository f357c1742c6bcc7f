import { visibleText } from '@radwork/contract/reading/report-check-text';
import type { Mark, Node, ResolvedPos } from '@tiptap/pm/model';
import type { EditorState, Transaction } from '@tiptap/pm/state';
import { canSplit } from '@tiptap/pm/transform';
import { type PositionedBlock, positionedBlocks, positionOf } from '#reading/editor/reading/report-blocks.ts';
import { documentText, placeOfRange, type Range, textOfRange } from './document-places.ts';
import { suggestedWords } from './suggested-words.ts';

/** A change of the text, and the range of the document before the change that undo restores. */
export type SuggestedChange = { transaction: Transaction; range: Range };

/** Returns the formatting for new words in place of a range. */
type MarksAt = (range: Range) => readonly Mark[];

/**
 * Builds the change of a suggestion that adds, removes, joins or splits paragraphs and list items. Lines that stay keep
 * their formatting and kind. A new line is a paragraph, or an item in a list.
 * @returns Undefined if the text would not be exactly as suggested. Also undefined if the change would remove a picture
 * or a conditional part, or change the cells of a table.
 */
export const changeLines = (
  state: EditorState,
  place: Range,
  replacement: string,
  marksAt: MarksAt,
): SuggestedChange | undefined => {
  const { doc, tr: transaction } = state;
  const blocks = positionedBlocks(doc);
  const text = visibleText(blocks);
  const base = placeOfRange(doc, place).from;
  let expected = text;
  for (const { from, to, added } of suggestedWords(textOfRange(doc, place), replacement).toReversed()) {
    const words = { from: base + from, to: base + to };
    const [start, end] = [positionOf(blocks, words.from), positionOf(blocks, words.to)];
    if (start === undefined || end === undefined || !mayReplace(doc, { from: start, to: end })) return undefined;
    const lines = added === '' ? wholeLines(doc, blocks, words, replacement === '') : undefined;
    if (lines && !removeBlocks(transaction, lines.blocks)) return undefined;
    if (!lines && end > start) transaction.delete(start, end);
    if (!lines && !insertLines(transaction, start, added, marksAt({ from: start, to: end }))) return undefined;
    const cut = lines ?? words;
    expected = expected.slice(0, cut.from) + added + expected.slice(cut.to);
  }
  if (documentText(transaction.doc) !== expected) return undefined;
  return { transaction, range: containedBlocks(doc, place) };
};

/** Whether a range covers whole blocks that can be removed without an empty block in their place. */
export const isOfWholeBlocks = (document: Node, { from, to }: Range): boolean => {
  const [$from, $to] = [document.resolve(from), document.resolve(to)];
  return $from.parentOffset === 0 && isAtEnd($to) && depthToRemove($from) !== undefined;
};

const isAtEnd = ({ parentOffset, parent }: ResolvedPos): boolean => parentOffset === parent.content.size;

const isOfTable = (node: Node): boolean => node.type.spec['tableRole'] !== undefined;

/** Whether replacing a range keeps pictures, conditional parts and table cells. */
const mayReplace = (document: Node, { from, to }: Range): boolean => {
  let isKept = true;
  document.nodesBetween(from, to, (node) => {
    if (node.isLeaf && !node.isText && node.type.name !== 'hardBreak') isKept = false;
  });
  const [$from, $to] = [document.resolve(from), document.resolve(to)];
  const shared = $from.sharedDepth(to);
  for (const $side of [$from, $to]) {
    for (let depth = shared + 1; depth <= $side.depth; depth += 1) {
      if (isOfTable($side.node(depth))) isKept = false;
    }
  }
  return isKept;
};

type Lines = Range & { blocks: readonly PositionedBlock[] };

/**
 * Returns the blocks that a removal takes away as a whole, with the range of the visible text that goes with them.
 * `isWholePassage`: the suggestion removes all its words, so no empty line stays.
 */
const wholeLines = (
  document: Node,
  blocks: readonly PositionedBlock[],
  { from, to }: Range,
  isWholePassage: boolean,
): Lines | undefined => {
  const placed = blocks.map((block, index) => {
    const start = blocks.slice(0, index).reduce((sum, { text }) => sum + text.length + 1, 0);
    return { block, start, end: start + block.text.length };
  });
  const begins = placed.some(({ start }) => start === from);
  const ends = placed.some(({ end }) => end === to);
  const between = (first: number, last: number) =>
    placed.filter(({ start, end }) => start >= first && end <= last).map(({ block }) => block);
  // "Line\n" before a line that stays, and "\nLine" after a line that stays.
  if (begins && placed.some(({ start }) => start === to) && to > from)
    return { from, to, blocks: between(from, to - 1) };
  if (ends && placed.some(({ end }) => end === from) && to > from) return { from, to, blocks: between(from + 1, to) };
  const removed = between(from, to);
  const [first] = removed;
  if (!isWholePassage || !begins || !ends || !first) return undefined;
  if (depthToRemove(document.resolve(first.start)) === undefined) return undefined;
  return from > 0 ? { from: from - 1, to, blocks: removed } : { from, to: to + 1, blocks: removed };
};

const wrappers = new Set(['listItem', 'taskItem', 'bulletList', 'orderedList', 'taskList', 'blockquote']);

/**
 * Returns the depth of the node to remove with a block: the item or list of which it is the only content. Undefined for
 * the only block of the text or of a table cell.
 */
const depthToRemove = ($block: ResolvedPos): number | undefined => {
  let { depth } = $block;
  while (depth > 1 && $block.node(depth - 1).childCount === 1 && wrappers.has($block.node(depth - 1).type.name)) {
    depth -= 1;
  }
  return $block.node(depth - 1).childCount === 1 ? undefined : depth;
};

/** Removes blocks, the last first, so that the positions of the others stay valid. */
const removeBlocks = (transaction: Transaction, blocks: readonly PositionedBlock[]): boolean => {
  for (const { start } of blocks.toReversed()) {
    const $block = transaction.doc.resolve(start);
    const depth = depthToRemove($block);
    if (depth === undefined) return false;
    transaction.delete($block.before(depth), $block.after(depth));
  }
  return blocks.length > 0;
};

const isFirstInItem = ($at: ResolvedPos): boolean =>
  $at.depth > 1 &&
  ['listItem', 'taskItem'].includes($at.node($at.depth - 1).type.name) &&
  $at.index($at.depth - 1) === 0;

/** Inserts words, which may have several lines. Returns false if a line cannot be split there. */
const insertLines = (transaction: Transaction, at: number, added: string, marks: readonly Mark[]): boolean => {
  if (added === '') return true;
  const lines = added.split('\n');
  const $at = transaction.doc.resolve(at);
  const { schema } = $at.doc.type;
  if (lines.length > 1 && lines.at(-1) === '' && $at.parentOffset === 0 && $at.parent.content.size > 0) {
    return insertBefore(transaction, $at, lines.slice(0, -1));
  }
  const nested = lines[0] === '' ? startOfNested($at) : undefined;
  if (nested !== undefined) return insertBefore(transaction, transaction.doc.resolve(nested), lines.slice(1));
  let place = at;
  for (const [index, line] of lines.entries()) {
    const depth = index === 0 ? 0 : splitAt(transaction, place);
    if (depth === undefined) return false;
    place += 2 * depth;
    // Whole new lines have no formatting. A bold label would otherwise make the line after it bold.
    const isNew = index > 0 || ($at.parentOffset === 0 && lines.length > 1);
    if (line !== '') transaction.insert(place, schema.text(line, isNew ? [] : marks));
    place += line.length;
  }
  return true;
};

/** Returns the start of a list inside an item, if a position is at the end of the item's own line. */
const startOfNested = ($at: ResolvedPos): number | undefined => {
  if (!isAtEnd($at) || !isFirstInItem($at) || $at.node($at.depth - 1).childCount === 1) return undefined;
  return positionedBlocks($at.doc).find(({ start }) => start > $at.pos)?.start;
};

/** Inserts whole lines before a block: items before an item of a list, else paragraphs. */
const insertBefore = (transaction: Transaction, $at: ResolvedPos, lines: readonly string[]): boolean => {
  const { schema } = $at.doc.type;
  const isItem = isFirstInItem($at);
  const nodes = lines.map((line) => {
    const paragraph = schema.node('paragraph', null, line === '' ? [] : schema.text(line));
    return isItem ? $at.node($at.depth - 1).type.create(null, paragraph) : paragraph;
  });
  transaction.insert($at.before(isItem ? $at.depth - 1 : $at.depth), nodes);
  return true;
};

/** Splits the paragraph or list item at a position. Returns the number of nodes that were split. */
const splitAt = (transaction: Transaction, at: number): number | undefined => {
  const $at = transaction.doc.resolve(at);
  const { type, attrs } = $at.parent;
  const paragraph = { type: $at.doc.type.schema.nodes['paragraph'] ?? type };
  const isItem = isFirstInItem($at);
  const plain = type.name === 'heading' ? paragraph : { type, attrs };
  const types = isItem ? [{ type: $at.node($at.depth - 1).type }, paragraph] : [plain];
  if (!canSplit(transaction.doc, at, types.length, types)) return undefined;
  transaction.split(at, types.length, types);
  return types.length;
};

const cells = new Set(['cell', 'header_cell']);

/** Returns the range of the blocks with a passage, directly in the text or in a table cell. Lists are whole. */
const containedBlocks = (document: Node, { from, to }: Range): Range => {
  const [$from, $to] = [document.resolve(from), document.resolve(to)];
  let depth = Math.min($from.sharedDepth(to), $from.depth - 1);
  while (depth > 0 && !cells.has(String($from.node(depth).type.spec['tableRole']))) depth -= 1;
  return { from: $from.before(depth + 1), to: $to.after(depth + 1) };
};
