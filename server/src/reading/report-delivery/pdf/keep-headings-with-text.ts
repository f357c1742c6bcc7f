import type { Content } from './content.ts';

/** Marks blocks that must not be last on a page. */
export const isHeading = { headlineLevel: 1 };

const isMarked = ({ headlineLevel }: Content): boolean => headlineLevel === isHeading.headlineLevel;

/** Space for the first lines after a heading, in points: three lines, or the head of a table and one row. */
const room = 48;

/** Number of consecutive headings that are kept together. More headings could be higher than a page. */
const mostHeadings = 3;

/** Keeps each heading on the page on which the next block begins. pdfmake has no option for this. */
export const keepHeadingsWithText = (blocks: readonly Content[]): Content[] => {
  const content: Content[] = [];
  let headings: Content[] = [];
  for (const block of blocks) {
    if (isMarked(block)) {
      headings.push(block);
      if (headings.length > mostHeadings) content.push(...headings.splice(0, 1));
    } else {
      content.push(...(headings.length > 0 ? together(headings, block) : [block]));
      headings = [];
    }
  }
  return [...content, ...headings];
};

/** Keeps a short block completely on the page of its heading. Keeps the first lines of a longer block on that page. */
const together = (headings: readonly Content[], block: Content): Content[] =>
  block['unbreakable'] === true
    ? [{ unbreakable: true, stack: [...headings, block] }]
    : [
        { unbreakable: true, stack: [...headings, spacer()] },
        { ...block, margin: raised(block['margin']) },
      ];

/** An invisible block of height `room`. The next block is drawn over it. */
const spacer = (): Content => ({ canvas: [{ type: 'rect', x: 0, y: 0, w: 0, h: room, color: '#ffffff' }] });

const raised = (margin: unknown): number[] => {
  const [left = 0, top = 0, right = 0, bottom = 0] = Array.isArray(margin) ? margin.map(Number) : [];
  return [left, top - room, right, bottom];
};
