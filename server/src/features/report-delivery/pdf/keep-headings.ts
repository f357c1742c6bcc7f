import type { Content } from './content.ts';

/** Marks what must not stand alone at the end of a page. */
export const isHeading = { headlineLevel: 1 };

const isMarked = ({ headlineLevel }: Content): boolean => headlineLevel === isHeading.headlineLevel;

/** The room for the first lines of what follows a heading, in points: three lines, or the head of a table and a row. */
const room = 48;

/** So many headings one after the other stay with what follows them: more might be higher than a page. */
const mostHeadings = 3;

/** The blocks, with each heading on the page on which what follows it begins. pdfmake itself has nothing for that. */
export const keepHeadings = (blocks: readonly Content[]): Content[] => {
  const kept: Content[] = [];
  let headings: Content[] = [];
  for (const block of blocks) {
    if (isMarked(block)) {
      headings.push(block);
      if (headings.length > mostHeadings) kept.push(...headings.splice(0, 1));
    } else {
      kept.push(...(headings.length > 0 ? together(headings, block) : [block]));
      headings = [];
    }
  }
  return [...kept, ...headings];
};

/** What is short stays with its heading as a whole; of anything longer only as much as has to be there. */
const together = (headings: readonly Content[], block: Content): Content[] =>
  block['unbreakable'] === true
    ? [{ unbreakable: true, stack: [...headings, block] }]
    : [
        { unbreakable: true, stack: [...headings, spacer()] },
        { ...block, margin: raised(block['margin']) },
      ];

/** Nothing, of the height of `room`; what follows stands in its place. */
const spacer = (): Content => ({ canvas: [{ type: 'rect', x: 0, y: 0, w: 0, h: room, color: '#ffffff' }] });

const raised = (margin: unknown): number[] => {
  const [left = 0, top = 0, right = 0, bottom = 0] = Array.isArray(margin) ? margin.map(Number) : [];
  return [left, top - room, right, bottom];
};
