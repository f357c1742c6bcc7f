import { type Place, visibleText } from '@radwork/contract/reading/report-check-text';
import type { Node } from '@tiptap/pm/model';
import { positionedBlocks, positionOf } from '#reading/editor/reading/report-blocks.ts';

/** Range of a document, in ProseMirror positions. */
export type Range = { from: number; to: number };

/** Returns the visible text of a document, as the server reads it. */
export const documentText = (document: Node): string => visibleText(positionedBlocks(document));

/** Returns the document range of a place in the visible text; undefined if out of range. */
export const rangeOfPlace = (document: Node, place: Place): Range | undefined => {
  const blocks = positionedBlocks(document);
  const [from, to] = [positionOf(blocks, place.from), positionOf(blocks, place.to)];
  return from === undefined || to === undefined ? undefined : { from, to };
};

/** Returns the place of a document range in the visible text. */
export const placeOfRange = (document: Node, { from, to }: Range): Place => {
  const blocks = positionedBlocks(document);
  const offsetOf = (position: number): number => {
    let offset = 0;
    for (const { text, start } of blocks) {
      if (position <= start + text.length) return offset + Math.max(0, position - start);
      offset += text.length + 1;
    }
    return Math.max(0, offset - 1);
  };
  return { from: offsetOf(from), to: offsetOf(to) };
};

/** Returns the visible text of a range. Blocks, line breaks and pictures are line breaks. */
export const textOfRange = (document: Node, { from, to }: Range): string => document.textBetween(from, to, '\n', '\n');
