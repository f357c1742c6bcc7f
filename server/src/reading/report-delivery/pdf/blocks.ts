import {
  attribute,
  type Content,
  type Element,
  isBlock,
  isElement,
  type Node,
  type LayoutContext,
  style,
  textOf,
} from './content.ts';
import { mostLines } from './heights.ts';
import { isHeading } from './keep-headings-with-text.ts';
import { inlinesOf, wordsOf } from './inlines.ts';
import { tableOf } from './tables.ts';
import { runsRightToLeft } from './visual-order.ts';

/** Converts the blocks of a report's text for pdfmake. Text outside paragraphs gets its own paragraph. */
export const blocksOf = (nodes: readonly Node[], place: LayoutContext): Content[] => {
  const blocks: Content[] = [];
  let loose: Node[] = [];
  const flush = () => {
    if (loose.some((node) => textOf(node).trim() !== '')) blocks.push(paragraph(loose, place, {}));
    loose = [];
  };
  for (const node of nodes) {
    if (!isElement(node) || !isBlock(node)) {
      loose.push(node);
      continue;
    }
    flush();
    blocks.push(...blockOf(node, place));
  }
  flush();
  return blocks;
};

const largestHeading = 16;
const headings: Record<string, Content> = {
  h1: { fontSize: largestHeading, margin: [0, 6, 0, 6] },
  h2: { fontSize: 13, margin: [0, 8, 0, 3] },
  h3: { fontSize: 12, margin: [0, 6, 0, 3] },
};

const blockOf = (element: Element, place: LayoutContext): Content[] => {
  const { tagName, childNodes } = element;
  switch (tagName) {
    case 'h1':
    case 'h2':
    case 'h3':
      return [headingOf(element, place, headings[tagName])];
    case 'p':
      return [paragraph(childNodes, place, aligned(element))];
    case 'hr':
      return [{ ...ruleOf(place.width), margin: [0, 5, 0, 6] }];
    case 'img':
      return [pictureOf(element, place)];
    case 'ul':
      return attribute(element, 'data-type') === 'taskList' ? tasksOf(element, place) : [listOf(element, 'ul', place)];
    case 'ol':
      return [listOf(element, 'ol', place)];
    case 'blockquote':
      return [{ stack: blocksOf(childNodes, within(place, 16)), margin: [16, 0, 0, 6], color: '#404040' }];
    case 'table':
      return tableOf(element, place, blocksOf);
    default:
      return blocksOf(childNodes, place);
  }
};

export const aligned = (element: Element): Content => {
  const alignment = style(element, 'text-align');
  return alignment && /^(left|center|right|justify)$/.test(alignment) ? { alignment } : {};
};

/**
 * Maximum number of estimated lines of a block that must stay on one page. For full lines, the estimate is twice the
 * real number.
 */
const linesKept = 8;
/** Maximum number of estimated lines of a heading. A longer heading may be separated from the text after it. */
const headingLines = 4;

const headingOf = (element: Element, place: LayoutContext, look: Content = {}): Content => {
  const isShort = mostLines(element.childNodes, place.width, largestHeading) <= headingLines;
  const direction = directionOf(element.childNodes);
  const text = inlinesOf(element.childNodes, place, direction);
  return { text, bold: true, ...(isShort && isHeading), ...look, ...startOf(direction), ...aligned(element) };
};

const paragraph = (nodes: readonly Node[], place: LayoutContext, more: Content): Content => {
  const direction = directionOf(nodes);
  const text = inlinesOf(nodes, place, direction);
  const isShort = mostLines(nodes, place.width, place.size) <= linesKept;
  return {
    // Keeps the height of an empty line.
    text: text.length > 0 ? text : ' ',
    margin: place.isTight ? [0, 0, 0, 0] : [0, 0, 0, 6],
    ...(isShort && !place.isTight && { unbreakable: true }),
    ...startOf(direction),
    ...more,
  };
};

type Direction = { isRightToLeft: boolean };

const directionOf = (nodes: readonly Node[]): Direction => ({
  isRightToLeft: runsRightToLeft(nodes.map(textOf).join('')),
});

/** Returns the default alignment for the reading direction. */
const startOf = ({ isRightToLeft }: Direction): Content => (isRightToLeft ? { alignment: 'right' } : {});

export const ruleOf = (width: number): Content => ({
  canvas: [{ type: 'line', x1: 0, y1: 0, x2: width, y2: 0, lineWidth: 0.5 }],
});

/** Screen pixels are three quarters of a point. */
const pointsPerPixel = 0.75;
const mostHeight = { page: 560, cell: 300 };

const pictureOf = (element: Element, { width, size, pictures, tables }: LayoutContext): Content => {
  const picture = pictures.get(attribute(element, 'src') ?? '');
  const name = attribute(element, 'alt') ?? '';
  if (!picture) return { text: wordsOf(`[Image not available${name && `: ${name}`}]`, { width, size }) };
  const requestedWidth = Number(attribute(element, 'width') ?? picture.width) * pointsPerPixel;
  const height = tables > 0 ? mostHeight.cell : mostHeight.page;
  return {
    image: picture.source,
    width: Math.min(requestedWidth, width, (height * picture.width) / picture.height),
    margin: [0, 4, 0, 6],
  };
};

const within = (place: LayoutContext, indent: number): LayoutContext => ({
  ...place,
  width: Math.max(place.width - indent, 20),
});

const listOf = (element: Element, kind: 'ul' | 'ol', place: LayoutContext): Content => {
  const inner = { ...within(place, 20), isTight: true };
  const items = element.childNodes.filter(isElement).map((item) => ({
    stack: blocksOf(item.childNodes, inner),
    margin: [0, 0, 0, 2],
  }));
  return {
    [kind]: items,
    ...(kind === 'ol' && { start: Number(attribute(element, 'start') ?? 1) }),
    margin: place.isTight ? [0, 0, 0, 0] : [8, 0, 0, 6],
  };
};

const tasksOf = (element: Element, place: LayoutContext): Content[] =>
  element.childNodes.filter(isElement).map((item) => ({
    columns: [
      { ...tickOf(attribute(item, 'data-checked') === 'true'), width: 10 },
      { stack: blocksOf(item.childNodes.filter(isNoBox), { ...within(place, 18), isTight: true }), width: '*' },
    ],
    columnGap: 6,
    margin: [0, 0, 0, 3],
  }));

const isNoBox = (node: Node): boolean => !isElement(node) || node.tagName !== 'input';

const tickOf = (isDone: boolean): Content => ({
  canvas: [
    { type: 'rect', x: 0, y: 3, w: 8, h: 8, lineWidth: 0.8 },
    ...(isDone ? [{ type: 'polyline', lineWidth: 1.1, points: [point(1.5, 7), point(3.4, 9), point(6.7, 4.6)] }] : []),
  ],
});

const point = (x: number, y: number) => ({ x, y });
