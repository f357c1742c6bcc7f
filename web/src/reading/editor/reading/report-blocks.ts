import type { Place, ReportBlock } from '@radwork/contract/reading/report-check-text';
import type { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { TextSelection } from '@tiptap/pm/state';

export type PositionedBlock = ReportBlock & { start: number };

/**
 * Returns the headings and paragraphs of a document in order. The server reads blocks the same way
 * (server/src/reading/report-records/report-blocks.ts), so the offsets agree.
 */
export const positionedBlocks = (document: Node): PositionedBlock[] => {
  const blocks: PositionedBlock[] = [];
  document.descendants((node, at) => {
    if (!node.isTextblock) return true;
    // Each inline node other than text takes one position, so it counts as one character.
    const text = node.textBetween(0, node.content.size, undefined, '\n');
    blocks.push({ text, isHeading: node.type.name === 'heading', start: at + 1 });
    return false;
  });
  return blocks;
};

export const blocksOf = ({ state }: Editor): ReportBlock[] => positionedBlocks(state.doc);

/** Returns the document position of a character of the visible text; undefined if out of range. */
export const positionOf = (blocks: readonly PositionedBlock[], offset: number): number | undefined => {
  let from = 0;
  for (const { text, start } of blocks) {
    if (offset <= from + text.length) return start + offset - from;
    from += text.length + 1;
  }
  return undefined;
};

/**
 * Selects words of the visible text and scrolls to them. If the words have moved, selects their next occurrence.
 * Returns false if the text no longer contains them.
 */
export const selectWords = (editor: Editor, { from }: Place, words: string): boolean => {
  const blocks = positionedBlocks(editor.state.doc);
  const text = blocks.map((block) => block.text).join('\n');
  const isThere = text.startsWith(words, from);
  const offset = isThere ? from : text.indexOf(words);
  const start = offset === -1 ? undefined : positionOf(blocks, offset);
  if (start === undefined) return false;
  // The words lie in one block, unless they end with a line end.
  const end = positionOf(blocks, offset + words.length) ?? start;
  editor.view.dispatch(
    editor.state.tr.setSelection(TextSelection.create(editor.state.doc, start, end)).scrollIntoView(),
  );
  editor.view.focus();
  return true;
};
