import {
  attribute,
  type Content,
  type Element,
  type Node,
  picturesIn,
  type LayoutContext,
  style,
  textOf,
} from './content.ts';
import { widthOf } from './fonts.ts';
import { type Cell, type Grid, gridOf } from './grid.ts';
import { mostHeight } from './heights.ts';

type BlocksOf = (nodes: readonly Node[], place: LayoutContext) => Content[];

/** Points: text size and padding of cells, by number of columns. */
const fits = [
  { columns: 6, size: 12, padding: 4 },
  { columns: 9, size: 10, padding: 3 },
  { columns: 14, size: 8, padding: 2 },
  { columns: 24, size: 6, padding: 1.5 },
];
/** Maximum nesting of tables. In deeper tables there is no space for text. */
const deepest = 2;

/** Converts a table. If the table is too wide for the page, its cells become a list, so that no text is lost. */
export const tableOf = (element: Element, place: LayoutContext, blocksOf: BlocksOf): Content[] => {
  const grid = gridOf(element);
  const fit = fits.find(({ columns }) => grid.columns <= columns);
  if (!fit || place.tables >= deepest || roomOf(grid, place, fit.padding) < grid.columns * fit.size) {
    return grid.cells.flatMap((cell) => blocksOf(cell.element.childNodes, { ...place, isTight: true }));
  }
  if (grid.cells.length === 0) return [];
  const size = Math.min(fit.size, place.size);
  const widths = widthsOf(grid, place, { size, padding: fit.padding });
  const bodyOf = (cell: Cell) =>
    contentOf(cell, widths, { ...place, size, isTight: true, tables: place.tables + 1 }, blocksOf);
  return [
    {
      table: { ...rowsKeptWhole(grid, widths, size), widths, body: bodyRows(grid, bodyOf) },
      fontSize: size,
      layout: layoutWith(fit.padding),
      margin: [0, 4, 0, 8],
    },
  ];
};

const layoutWith = (padding: number) => ({
  hLineWidth: () => 0.5,
  vLineWidth: () => 0.5,
  paddingLeft: () => padding,
  paddingRight: () => padding,
  paddingTop: () => 2.5,
  paddingBottom: () => 2.5,
});

/** Maximum heights in points. A row and the head of its table fit on a page, even below the longest letterhead. */
const lowRow = 380;
const lowHead = 280;
const mostHeadRows = 3;

/**
 * Keeps low rows in one piece, and repeats the head of the table on each page. A block higher than a page must be
 * allowed to break.
 */
const rowsKeptWhole = ({ cells, rows }: Grid, widths: readonly number[], size: number): Content => {
  const byRow = Map.groupBy(cells, ({ row }) => row);
  const heightOf = (row: number) => {
    const inRow = byRow.get(row) ?? [];
    return Math.max(0, ...inRow.map((cell) => mostHeight(cell.element.childNodes, widthOfCell(cell, widths), size)));
  };
  const firstOther = Array.from({ length: rows }, (_, row) => row).find(
    (row) => !(byRow.get(row) ?? []).every(({ isHead }) => isHead) || (byRow.get(row) ?? []).length === 0,
  );
  const head = firstOther ?? 0;
  const isWhole = cells.every((cell) => cell.row >= head || cell.row + cell.rows <= head);
  const isRepeated =
    head > 0 &&
    head <= mostHeadRows &&
    isWhole &&
    sumOf(Array.from({ length: head }, (_, row) => heightOf(row))) <= lowHead;
  const areLow =
    cells.every((cell) => cell.rows === 1) && Array.from({ length: rows }).every((_, row) => heightOf(row) <= lowRow);
  return {
    headerRows: isRepeated ? head : 0,
    ...(isRepeated && areLow && { keepWithHeaderRows: 1 }),
    dontBreakRows: areLow,
  };
};

const bodyRows = ({ cells, rows, columns }: Grid, bodyOf: (cell: Cell) => Content): Content[][] => {
  const body = Array.from({ length: rows }, () => Array.from({ length: columns }, (): Content => ({ text: '' })));
  for (const cell of cells) {
    const row = body[cell.row];
    if (row) row[cell.column] = bodyOf(cell);
  }
  return body;
};

const contentOf = (cell: Cell, widths: readonly number[], place: LayoutContext, blocksOf: BlocksOf): Content => {
  const { element, columns, rows, isHead } = cell;
  const width = widthOfCell(cell, widths);
  const fillColor = style(element, 'background-color') ?? (isHead ? '#eeeeee' : undefined);
  const alignment = style(element, 'text-align');
  return {
    stack: blocksOf(element.childNodes, { ...place, width: Math.max(width, place.size) }),
    ...(columns > 1 && { colSpan: columns }),
    ...(rows > 1 && { rowSpan: rows }),
    ...(isHead && { bold: true }),
    ...(fillColor && { fillColor }),
    ...(alignment && { alignment }),
  };
};

const widthOfCell = ({ column, columns }: Cell, widths: readonly number[]): number =>
  sumOf(widths.slice(column, column + columns));

/** For the widest cell of a column: the width of its longest word, and of all its text on one line. */
type ColumnWidth = { least: number; most: number };

const largestPicture = 150;

/** Returns the widths of the columns in points: as the writer set them, or else by their content. */
const widthsOf = (grid: Grid, place: LayoutContext, { size, padding }: { size: number; padding: number }): number[] => {
  const room = roomOf(grid, place, padding);
  const pictureWidths = drawnWidths(grid);
  if (pictureWidths) return scaled(pictureWidths, room);
  const wishes = wishesOf(grid, size);
  const least = wishes.map((wish) => wish.least);
  const total = sumOf(least);
  if (total >= room) return scaled(least, room);
  const most = wishes.map((wish) => wish.most);
  if (sumOf(most) <= room) return scaled(most, room);
  const extra = wishes.map((wish) => wish.most - wish.least);
  const totalExtra = sumOf(extra);
  return wishes.map((wish, index) => wish.least + ((room - total) * (extra[index] ?? 0)) / totalExtra);
};

/** Returns the width for text that lines and padding leave. In a narrow cell it may be zero or negative. */
const roomOf = ({ columns }: Grid, { width }: LayoutContext, padding: number): number =>
  width - columns * (2 * padding + 0.5) - 0.5;

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

const scaled = (widths: readonly number[], room: number): number[] => {
  const total = sumOf(widths);
  return widths.map((width) => (width / total) * room);
};

const drawnWidths = ({ cells, columns }: Grid): number[] | undefined => {
  const widthByColumn = new Map<number, number>();
  for (const { element, column } of cells) {
    for (const [index, width] of (attribute(element, 'colwidth') ?? '').split(',').map(Number).entries()) {
      if (width > 0) widthByColumn.set(column + index, width);
    }
  }
  const widths = Array.from({ length: columns }, (_, column) => widthByColumn.get(column) ?? 0);
  return widths.every((width) => width > 0) ? widths : undefined;
};

const wishesOf = ({ cells, columns }: Grid, size: number): ColumnWidth[] => {
  const wishes = Array.from({ length: columns }, (): ColumnWidth => ({ least: size, most: size }));
  for (const { element, column, columns: span } of cells) {
    const text = textOf(element);
    const pictured = picturesIn(element.childNodes).length > 0 ? largestPicture : 0;
    const longest = Math.max(pictured, ...text.split(/\s+/).map((word) => widthOf(word, size)));
    const fullWidth = Math.max(pictured, widthOf(text, size));
    for (const wish of wishes.slice(column, column + span)) {
      wish.least = Math.max(wish.least, longest / span + 1);
      wish.most = Math.max(wish.most, wish.least, fullWidth / span + 1);
    }
  }
  return wishes;
};
