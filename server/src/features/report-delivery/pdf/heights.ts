import { isBlock, isElement, type Node } from './content.ts';
import { widthOf } from './fonts.ts';

/*
 * How high something is on paper at most. pdfmake leaves out what it is told to keep in one piece and no page is high
 * enough for, without a word: in one piece stays only what is low for certain, whatever is in it.
 */

/** The height of a line with the room above it, in parts of the size of its letters; Chinese ones have the most. */
const lineHeight = 1.5;
/** The room around a block. */
const around = 10;
/** A picture in a cell, with the room around it (blocks.ts). */
const pictureHeight = 300 + around;

/** How many lines words fill at most. Those of a wrapped text are half full at least, and a break ends one anywhere. */
export const mostLines = (nodes: readonly Node[], width: number, size: number): number =>
  nodes
    .map(brokenText)
    .join('')
    .split('\n')
    .reduce((lines, words) => lines + 1 + Math.floor((2 * widthOf(words, size)) / width), 0);

/** The words in an element, with a line feed for each break. */
const brokenText = (node: Node): string => {
  if (!isElement(node)) return 'value' in node ? node.value.replaceAll(/\s+/g, ' ') : '';
  return node.tagName === 'br' ? '\n' : node.childNodes.map(brokenText).join('');
};

/** The largest letters of a text: those of its first heading. */
const largest: Record<string, number> = { h1: 16, h2: 13, h3: 12 };
/** How far lists, tasks and quotes stand in. */
const indent = 20;

/** How high the blocks of a cell are at most, in points. What has a table in it may be of any height. */
export const mostHeight = (nodes: readonly Node[], width: number, size: number): number => {
  let height = around;
  for (const node of nodes) {
    if (isElement(node) && node.tagName === 'table') return Number.POSITIVE_INFINITY;
    if (isElement(node) && node.tagName === 'img') height += pictureHeight;
    else if (isElement(node) && node.childNodes.some(isBlock)) {
      height += mostHeight(node.childNodes, Math.max(width - indent, size), size);
    } else height += linesHeight(node, width, size);
  }
  return height;
};

const linesHeight = (node: Node, width: number, size: number): number => {
  const letters = isElement(node) ? (largest[node.tagName] ?? size) : size;
  const words = isElement(node) ? node.childNodes : [node];
  return mostLines(words, width, letters) * letters * lineHeight + around;
};
