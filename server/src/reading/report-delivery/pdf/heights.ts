import { isBlock, isElement, type Node } from './content.ts';
import { widthOf } from './fonts.ts';

/*
 * Estimates maximum heights on paper. pdfmake drops, without an error, an unbreakable block that is higher than a page.
 * Only blocks that are certainly low enough are marked as unbreakable.
 */

/** Line height as a fraction of the letter size. Chinese characters need the most. */
const lineHeight = 1.5;
/** Height of the space around a block. */
const around = 10;
/** Height of an image in a cell, with the space around it (blocks.ts). */
const pictureHeight = 300 + around;

/**
 * Returns the maximum number of lines that a text can need. A wrapped line is at least half full, and the text may
 * begin new lines at line breaks.
 */
export const mostLines = (nodes: readonly Node[], width: number, size: number): number =>
  nodes
    .map(brokenText)
    .join('')
    .split('\n')
    .reduce((lines, words) => lines + 1 + Math.floor((2 * widthOf(words, size)) / width), 0);

/** Returns the text of an element, with a line feed for each line break. */
const brokenText = (node: Node): string => {
  if (!isElement(node)) return 'value' in node ? node.value.replaceAll(/\s+/g, ' ') : '';
  return node.tagName === 'br' ? '\n' : node.childNodes.map(brokenText).join('');
};

/** Text size of headings. */
const largest: Record<string, number> = { h1: 16, h2: 13, h3: 12 };
/** Indentation of lists, tasks and quotes. */
const indent = 20;

/** Returns the maximum height in points of the blocks in a cell. Infinite for blocks with a table. */
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
