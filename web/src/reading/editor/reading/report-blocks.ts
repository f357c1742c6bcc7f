import type { Place, ReportBlock } from '@radwork/contract/reading/report-check-text';
import type { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { TextSelection } from '@tiptap/pm/state';

type PlacedBlock = ReportBlock & { start: number };

/**
 * Headings and paragraphs of a document in reading order. The server reads blocks the same way
 * (server/src/reading/report-checks/report-blocks.ts), so offsets agree.
 */
const placedBlocks = (document: Node): PlacedBlock[] => {
  const blocks: PlacedBlock[] = [];
  document.descendants((node, at) => {
    if (!node.isTextblock) return true;
    // Each inline node other than text takes one position, so it counts as one character.
    const text = node.textBetween(0, node.content.size, undefined, '\n');
    blocks.push({ text, isHeading: node.type.name === 'heading', start: at + 1 });
    return false;
  });
  return blocks;
};

export const blocksOf = ({ state }: Editor): ReportBlock[] => placedBlocks(state.doc);

/** Document position of a character of the visible text, or undefined if outside. */
const positionOf = (blocks: readonly PlacedBlock[], offset: number): number | undefined => {
  let from = 0;
  for (const { text, start } of blocks) {
    if (offset <= from + text.length) return start + offset - from;
    from += text.length + 1;
  }
  return undefined;
};

/**
 * Selects words of the visible text and scrolls to them. If they moved, it selects the next occurrence. Returns false
 * if they are gone.
 */
export const selectWords = (editor: Editor, { from }: Place, words: string): boolean => {
  const blocks = placedBlocks(editor.state.doc);
  const text = blocks.map((block) => block.text).join('\n');
  const isThere = text.startsWith(words, from);
  const offset = isThere ? from : text.indexOf(words);
  const start = offset === -1 ? undefined : positionOf(blocks, offset);
  if (start === undefined) return false;
  // A quotation lies in one block, unless a line ends in it.
  const end = positionOf(blocks, offset + words.length) ?? start;
  editor.view.dispatch(
    editor.state.tr.setSelection(TextSelection.create(editor.state.doc, start, end)).scrollIntoView(),
  );
  editor.view.focus();
  return true;
};
