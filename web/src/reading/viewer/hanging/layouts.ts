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

/** Key that selects a layout after the layout key: its number of panes, or else an unused key. */
export const layoutDigits: Record<Layout, string> = {
  '1x1': '1',
  '1x2': '2',
  '1x3': '3',
  '3x1': '0',
  '2x2': '4',
  '2x1': '5',
  '2x3': '6',
  '3x2': '7',
  '2x4': '8',
  '4x2': 'v',
  '3x3': '9',
};

/** Returns the next layout. After the last layout comes the first. */
export const layoutAfter = (layout: Layout): Layout =>
  layoutNames[(layoutNames.indexOf(layout) + 1) % layoutNames.length] ?? '1x1';

/** Returns the smallest usual layout with room for `count` images, up to nine. */
export const layoutFor = (count: number): Layout =>
  (['1x1', '1x2', '1x3', '2x2', '2x3'] as const).find((layout) => panesOf(layout) >= count) ?? '3x3';

/** Layouts that show the same panes in the same order. */
const alike: readonly (readonly [Layout, ...Layout[]])[] = [
  ['1x2', '2x1'],
  ['2x1', '1x2'],
  ['1x3', '2x2', '3x1'],
  ['2x3', '3x2'],
  ['2x4', '4x2'],
];

/** Returns the layouts that a hanging may use instead of a layout, because the order of their panes has no meaning. */
export const shapesOf = (layout: Layout): readonly Layout[] => alike.find(([first]) => first === layout) ?? [layout];

/**
 * Returns the layout in which square images are largest. `aspect` is the width of the space divided by its height. Of
 * equal layouts, the layout with fewer panes wins, then the first layout.
 */
export const layoutInSpace = (shapes: readonly Layout[], aspect: number): Layout => {
  const side = (layout: Layout) => {
    const { rows, columns } = sizeOf(layout);
    return Math.min(aspect / columns, 1 / rows);
  };
  const isBetter = (one: Layout, other: Layout) =>
    side(one) > side(other) * 1.001 || (side(one) > side(other) * 0.999 && panesOf(one) < panesOf(other));
  return shapes.reduce((best, one) => (isBetter(one, best) ? one : best), shapes[0] ?? '1x1');
};

/** Returns the pane next to a pane. Panes count row by row from 0. At the edge, returns the same pane. */
export const neighborPane = (layout: Layout, pane: number, way: 'left' | 'right' | 'up' | 'down'): number => {
  const { rows, columns } = sizeOf(layout);
  const [row, column] = [Math.floor(pane / columns), pane % columns];
  if (way === 'left') return column > 0 ? pane - 1 : pane;
  if (way === 'right') return column < columns - 1 ? pane + 1 : pane;
  if (way === 'up') return row > 0 ? pane - columns : pane;
  return row < rows - 1 ? pane + columns : pane;
};
