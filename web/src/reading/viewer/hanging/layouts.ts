import { plural, t } from '@lingui/core/macro';
import { type KeptLayoutName, layoutNames } from '@radwork/contract/reading/kept-layouts';

/** Layouts in the order in which the layout key steps through them. */
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

/** Returns a label such as "2 rows, 3 columns". */
export const layoutLabel = (layout: Layout): string => {
  const { rows, columns } = sizeOf(layout);
  if (layout === '1x1') return t`One viewport`;
  return t`${plural(rows, { one: '# row', other: '# rows' })}, ${plural(columns, { one: '# column', other: '# columns' })}`;
};

/** Digit that selects a layout after the layout key: its number of panes, or the next unused digit. */
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

/** Returns the next layout. After the last layout comes the first. */
export const layoutAfter = (layout: Layout): Layout =>
  layoutNames[(layoutNames.indexOf(layout) + 1) % layoutNames.length] ?? '1x1';

/** Returns the smallest usual layout with room for `count` images, up to nine. */
export const layoutFor = (count: number): Layout =>
  (['1x1', '1x2', '1x3', '2x2', '2x3'] as const).find((layout) => panesOf(layout) >= count) ?? '3x3';

/** Returns the pane next to a pane. Panes count row by row from 0. At the edge, returns the same pane. */
export const neighborPane = (layout: Layout, pane: number, way: 'left' | 'right' | 'up' | 'down'): number => {
  const { rows, columns } = sizeOf(layout);
  const [row, column] = [Math.floor(pane / columns), pane % columns];
  if (way === 'left') return column > 0 ? pane - 1 : pane;
  if (way === 'right') return column < columns - 1 ? pane + 1 : pane;
  if (way === 'up') return row > 0 ? pane - columns : pane;
  return row < rows - 1 ? pane + columns : pane;
};
