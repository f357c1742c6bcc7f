import type { Place, ReportBlock } from '@radwork/contract/report-check-text';
import type { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { TextSelection } from '@tiptap/pm/state';

type PlacedBlock = ReportBlock & { start: number };

/**
 * The headings and paragraphs of a document, in the order in which they are read. The server takes the same text for the
 * same blocks (server/src/features/report-checks/report-blocks.ts), so that a place in one is that place in the other.
 */
const placedBlocks = (document: Node): PlacedBlock[] => {
  const blocks: PlacedBlock[] = [];
  document.descendants((node, at) => {
    if (!node.isTextblock) return true;
    // Whatever stands in a line besides words takes one position, and so one character.
    const text = node.textBetween(0, node.content.size, undefined, '\n');
    blocks.push({ text, isHeading: node.type.name === 'heading', start: at + 1 });
    return false;
  });
  return blocks;
};

export const blocksOf = ({ state }: Editor): ReportBlock[] => placedBlocks(state.doc);

/** Where a character of the visible text is in the document, as ProseMirror counts; undefined when it is in none of it. */
const positionOf = (blocks: readonly PlacedBlock[], offset: number): number | undefined => {
  let from = 0;
  for (const { text, start } of blocks) {
    if (offset <= from + text.length) return start + offset - from;
    from += text.length + 1;
  }
  return undefined;
};

/**
 * Selects words of the visible text and brings them into view. When they have moved since they were found, the next place
 * where they stand; false when they are gone.
 */
export const selectWords = (editor: Editor, { from }: Place, words: string): boolean => {
  const blocks = placedBlocks(editor.state.doc);
  const text = blocks.map((block) => block.text).join('\n');
  const isThere = text.startsWith(words, from);
  const offset = isThere ? from : text.indexOf(words);
  const start = offset === -1 ? undefined : positionOf(blocks, offset);
  if (start === undefined) return false;
  // What is quoted stands in one block, except where a line ends.
  const end = positionOf(blocks, offset + words.length) ?? start;
  editor.view.dispatch(
    editor.state.tr.setSelection(TextSelection.create(editor.state.doc, start, end)).scrollIntoView(),
  );
  editor.view.focus();
  return true;
};
