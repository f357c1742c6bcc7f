import { attribute, type Element, isElement } from './content.ts';

/** A cell and its position. */
export type Cell = { element: Element; row: number; column: number; columns: number; rows: number; isHead: boolean };
export type Grid = { cells: Cell[]; rows: number; columns: number };

const rowsIn = (element: Element): Element[] =>
  element.childNodes.filter(isElement).flatMap((child) => (child.tagName === 'tr' ? [child] : rowsIn(child)));

/** Returns the position of each cell, with its column and row spans as in HTML. */
export const gridOf = (element: Element): Grid => {
  const rows = rowsIn(element);
  const occupied = new Set<string>();
  const cells = rows.flatMap((tr, row) => {
    let column = 0;
    return tr.childNodes.filter(isElement).map((td): Cell => {
      while (occupied.has(`${row} ${column}`)) column += 1;
      const columns = free(occupied, row, column, spanOf(td, 'colspan'));
      const span = Math.min(spanOf(td, 'rowspan'), rows.length - row);
      for (let y = 0; y < span; y += 1) for (let x = 0; x < columns; x += 1) occupied.add(`${row + y} ${column + x}`);
      return { element: td, row, column, columns, rows: span, isHead: td.tagName === 'th' };
    });
  });
  const width = Math.max(0, ...cells.map((cell) => cell.column + cell.columns));
  return { cells, rows: rows.length, columns: width };
};

/** Returns how many of the requested columns no cell from a row above occupies. */
const free = (occupied: ReadonlySet<string>, row: number, column: number, span: number): number => {
  for (let x = 1; x < span; x += 1) if (occupied.has(`${row} ${column + x}`)) return x;
  return span;
};

const spanOf = (cell: Element, name: 'colspan' | 'rowspan'): number => {
  const span = Number(attribute(cell, name) ?? 1);
  return Number.isInteger(span) && span >= 1 ? Math.min(span, 200) : 1;
};
