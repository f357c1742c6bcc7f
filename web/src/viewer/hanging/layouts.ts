import { type KeptLayoutName, layoutNames } from '@radwork/contract/kept-layouts';

/** How pictures can stand side by side, in the order in which a key goes through them. */
export { layoutNames };

export type Layout = KeptLayoutName;

export const sizeOf = (layout: Layout): { rows: number; columns: number } => {
  const [rows = 1, columns = 1] = layout.split('x').map(Number);
  return { rows, columns };
};

export const panesOf = (layout: Layout): number => {
  const { rows, columns } = sizeOf(layout);
  return rows * columns;
};

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** "2 rows, 3 columns" */
export const layoutLabel = (layout: Layout): string => {
  const { rows, columns } = sizeOf(layout);
  if (layout === '1x1') return 'One picture';
  return `${counted(rows, 'row')}, ${counted(columns, 'column')}`;
};

/** The digit that chooses a layout after the key for layouts: how many panes it has, and the next free one for the others. */
export const layoutDigits: Record<Layout, string> = {
  '1x1': '1',
  '1x2': '2',
  '1x3': '3',
  '2x2': '4',
  '2x1': '5',
  '2x3': '6',
  '3x2': '7',
  '3x3': '9',
};

/** The layout after this one, and round to the first. */
export const layoutAfter = (layout: Layout): Layout =>
  layoutNames[(layoutNames.indexOf(layout) + 1) % layoutNames.length] ?? '1x1';

/** The smallest of the usual layouts that has room for so many pictures, nine at most. */
export const layoutFor = (count: number): Layout =>
  (['1x1', '1x2', '1x3', '2x2', '2x3'] as const).find((layout) => panesOf(layout) >= count) ?? '3x3';

/** The pane beside another one, counted row by row from 0; the same one at the edge. */
export const paneBeside = (layout: Layout, pane: number, way: 'left' | 'right' | 'up' | 'down'): number => {
  const { rows, columns } = sizeOf(layout);
  const [row, column] = [Math.floor(pane / columns), pane % columns];
  if (way === 'left') return column > 0 ? pane - 1 : pane;
  if (way === 'right') return column < columns - 1 ? pane + 1 : pane;
  if (way === 'up') return row > 0 ? pane - columns : pane;
  return row < rows - 1 ? pane + columns : pane;
};
