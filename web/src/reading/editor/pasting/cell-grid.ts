import { Fragment, type Node, type Schema, Slice } from '@tiptap/pm/model';

/** Cell with its place in the grid of its table, counted from 0. */
type PlacedCell = { cell: Node; row: number; column: number; rowspan: number; colspan: number };

export type CellGrid = { rows: number; columns: number; cells: readonly PlacedCell[] };

/**
 * Maximum number of columns and rows that a report stores for one cell
 * (server/src/reading/report-records/html-schema.ts).
 */
export const widestSpan = { colspan: 50, rowspan: 200 } as const;

/**
 * Reads a span of a pasted cell. Spreadsheets copy spans over thousands of columns, and a row span of 0 means the rest
 * of the table (HTML Living Standard, 4.9.11).
 */
export const spanOf = (cell: HTMLElement, name: 'colspan' | 'rowspan'): number => {
  const text = cell.getAttribute(name)?.trim() ?? '';
  if (!/^\d+$/.test(text)) return 1;
  if (name === 'rowspan' && Number(text) === 0) return widestSpan.rowspan;
  return Math.min(Math.max(Number(text), 1), widestSpan[name]);
};

/**
 * Places the cells of rows as a browser does (HTML Living Standard, 4.9.12). No cell reaches beyond the last row or over
 * another cell. In a very wide table, columns that only continue the cells to their left are left out.
 */
export const gridOf = (rows: readonly Fragment[]): CellGrid => {
  const occupied = rows.map((): (PlacedCell | undefined)[] => []);
  const cells: PlacedCell[] = [];
  for (const [row, content] of rows.entries()) {
    let column = 0;
    content.forEach((cell) => {
      while (occupied[row]?.[column]) column += 1;
      const gridCell = { cell, row, column, rowspan: 1, colspan: 1 };
      const { rowspan, colspan } = cell.attrs as { rowspan: number; colspan: number };
      while (gridCell.colspan < colspan && !occupied[row]?.[column + gridCell.colspan]) gridCell.colspan += 1;
      const isFree = (below: (PlacedCell | undefined)[] | undefined) =>
        below && !below.slice(column, column + gridCell.colspan).some(Boolean);
      while (gridCell.rowspan < rowspan && isFree(occupied[row + gridCell.rowspan])) gridCell.rowspan += 1;
      for (const line of occupied.slice(row, row + gridCell.rowspan)) {
        for (let at = column; at < column + gridCell.colspan; at += 1) line[at] = gridCell;
      }
      cells.push(gridCell);
    });
  }
  return withoutContinuedColumns(rows.length, cells);
};

/** Maximum number of columns of a table in which each span stays as pasted. */
const usualColumns = 20;

const withoutContinuedColumns = (rows: number, cells: readonly PlacedCell[]): CellGrid => {
  const columns = Math.max(0, ...cells.map(({ column, colspan }) => column + colspan));
  if (columns <= usualColumns) return { rows, columns, cells };
  const starts = [...new Set(cells.map(({ column }) => column))].toSorted((one, other) => one - other);
  const between = (from: number, to: number) => starts.filter((start) => start >= from && start < to).length;
  return {
    rows,
    columns: starts.length,
    cells: cells.map((gridCell) => ({
      ...gridCell,
      column: between(0, gridCell.column),
      colspan: between(gridCell.column, gridCell.column + gridCell.colspan),
    })),
  };
};

const withSpans = ({ cell, rowspan, colspan }: PlacedCell): Node => {
  if (cell.attrs['rowspan'] === rowspan && cell.attrs['colspan'] === colspan) return cell;
  const isNarrower = cell.attrs['colspan'] !== colspan;
  const colwidth = isNarrower ? null : cell.attrs['colwidth'];
  return cell.type.create({ ...cell.attrs, rowspan, colspan, colwidth }, cell.content, cell.marks);
};

/**
 * Corrects the spans of all tables of a pasted slice, and fills short rows. Otherwise the table extension would add
 * cells at the start of some rows and push other cells into merged cells. A slice that contains only part of a table
 * gets no new cells.
 */
export const withSoundSpans = (slice: Slice): Slice =>
  new Slice(soundFragment(slice.content, slice.openStart === 0 && slice.openEnd === 0), slice.openStart, slice.openEnd);

const soundFragment = (content: Fragment, isClosed: boolean): Fragment => {
  const nodes: Node[] = [];
  content.forEach((node) => nodes.push(node.isTextblock ? node : node.copy(soundFragment(node.content, isClosed))));
  if (!nodes.every(isRow)) return Fragment.from(nodes);
  const grid = gridOf(nodes.map((node) => node.content));
  return Fragment.from(
    nodes.map((node, row) => {
      const cells = grid.cells.filter((cell) => cell.row === row).map(withSpans);
      return node.copy(Fragment.from(isClosed ? [...cells, ...missingCells(grid, row, node.type.schema)] : cells));
    }),
  );
};

const missingCells = ({ cells, columns }: CellGrid, row: number, schema: Schema): Node[] => {
  const covering = cells.filter((cell) => cell.row <= row && row < cell.row + cell.rowspan);
  const missing = columns - covering.reduce((sum, { colspan }) => sum + colspan, 0);
  const empty = schema.nodes['tableCell']?.createAndFill();
  return empty ? Array.from({ length: missing }, () => empty) : [];
};

const isRow = (node: Node) => node.type.spec['tableRole'] === 'row';

/**
 * Returns rows without merged cells. A merged cell stays in its first place and leaves empty cells in its other places.
 */
export const unmergedRows = ({ rows, columns, cells }: CellGrid, schema: Schema): Fragment[] => {
  const empty = schema.nodes['tableCell']?.createAndFill();
  const at = (row: number, column: number): Node[] => {
    const gridCell = cells.find((cell) => isWithin(cell, row, column));
    const isFirst = gridCell?.row === row && gridCell.column === column;
    if (gridCell && isFirst) return [withSpans({ ...gridCell, rowspan: 1, colspan: 1 })];
    const filler = gridCell?.cell.type.createAndFill() ?? empty;
    return filler ? [filler] : [];
  };
  return Array.from({ length: rows }, (_, row) =>
    Fragment.from(Array.from({ length: columns }, (__, column) => at(row, column)).flat()),
  );
};

const isWithin = ({ row, column, rowspan, colspan }: PlacedCell, atRow: number, atColumn: number): boolean =>
  atRow >= row && atRow < row + rowspan && atColumn >= column && atColumn < column + colspan;

/** Repeats a grid downward and to the right until it covers at least this size. */
export const repeated = (grid: CellGrid, size: { rows: number; columns: number }): CellGrid => {
  const rows = Math.max(grid.rows, size.rows);
  const columns = Math.max(grid.columns, size.columns);
  const cells: PlacedCell[] = [];
  for (let row = 0; row < rows; row += grid.rows) {
    for (let column = 0; column < columns; column += grid.columns) {
      for (const cell of grid.cells) {
        const gridCell = { ...cell, row: cell.row + row, column: cell.column + column };
        if (gridCell.row >= rows || gridCell.column >= columns) continue;
        const rowspan = Math.min(gridCell.rowspan, rows - gridCell.row);
        const colspan = Math.min(gridCell.colspan, columns - gridCell.column);
        cells.push({ ...gridCell, rowspan, colspan });
      }
    }
  }
  return { rows, columns, cells };
};
