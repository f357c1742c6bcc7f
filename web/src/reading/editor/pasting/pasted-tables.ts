import { Extension } from '@tiptap/core';
import type { Slice } from '@tiptap/pm/model';
import { type EditorState, Plugin, type Transaction } from '@tiptap/pm/state';
import {
  __insertCells as insertCells,
  __pastedCells as cellsOf,
  CellSelection,
  fixTables,
  isInTable,
  selectionCell,
  TableMap,
} from '@tiptap/pm/tables';
import { type CellGrid, gridOf, repeated, unmergedRows, withSoundSpans } from './cell-grid.ts';

/**
 * Pastes tables with merged cells. ProseMirror throws when a pasted table ends in a merged cell (tiptap#7949), and
 * drops the cells for which the selection is too small. This extension therefore splits merged cells, pastes the table
 * and merges the cells again. It comes after the table extension in the list, because TipTap asks later extensions
 * first.
 */
export const PastedTables = Extension.create({
  name: 'pastedTables',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        transformPasted: withSoundSpans,
        handlePaste: (view, _, slice) => {
          // A stored table may have a row span beyond its last row, which the editor corrects with the next change.
          const correction = isInTable(view.state) ? fixTables(view.state) : undefined;
          if (correction) view.dispatch(correction);
          const paste = pasteOver(view.state, slice);
          if (paste) view.dispatch(paste.scrollIntoView());
          return paste !== undefined;
        },
      },
    }),
  ],
});

/** Returns the change that pastes cells into a table; undefined for other content and other places. */
const pasteOver = (state: EditorState, slice: Slice): Transaction | undefined => {
  const cells = isInTable(state) ? cellsOf(slice) : null;
  const grid = cells && gridOf(cells.rows);
  if (!grid || grid.cells.length === 0) return undefined;
  const { $cell, size } = target(state);
  const tableStart = $cell.start(-1);
  const all = repeated(grid, size);
  const rect = TableMap.get($cell.node(-1)).findCell($cell.pos - tableStart);
  let change: Transaction | undefined;
  insertCells(
    state,
    (transaction) => {
      change = transaction;
    },
    tableStart,
    rect,
    { width: all.columns, height: all.rows, rows: unmergedRows(all, state.schema) },
  );
  return change && mergeCells(change, tableStart, rect, all);
};

/** First cell to be replaced, and the number of selected rows and columns. */
const target = (state: EditorState) => {
  const { selection } = state;
  if (!(selection instanceof CellSelection)) return { $cell: selectionCell(state), size: { rows: 1, columns: 1 } };
  const table = selection.$anchorCell.node(-1);
  const start = selection.$anchorCell.start(-1);
  const map = TableMap.get(table);
  const { left, right, top, bottom } = map.rectBetween(
    selection.$anchorCell.pos - start,
    selection.$headCell.pos - start,
  );
  const first = map.map[top * map.width + left] ?? 0;
  return { $cell: state.doc.resolve(start + first), size: { rows: bottom - top, columns: right - left } };
};

const mergeCells = (
  change: Transaction,
  tableStart: number,
  { top, left }: { top: number; left: number },
  { cells, rows, columns }: CellGrid,
): Transaction => {
  const table = change.doc.nodeAt(tableStart - 1);
  if (!table) return change;
  const { map, width } = TableMap.get(table);
  const positionOf = (row: number, column: number) => tableStart + (map[(top + row) * width + left + column] ?? 0);
  const covered: number[] = [];
  for (const { cell, row, column, rowspan, colspan } of cells) {
    if (rowspan === 1 && colspan === 1) continue;
    const colwidth = cell.attrs['colspan'] === colspan ? cell.attrs['colwidth'] : null;
    change.setNodeMarkup(positionOf(row, column), undefined, { ...cell.attrs, rowspan, colspan, colwidth });
    for (let at = 0; at < rowspan * colspan; at += 1) {
      if (at > 0) covered.push(positionOf(row + Math.floor(at / colspan), column + (at % colspan)));
    }
  }
  const last = cells.find(
    ({ row, column, rowspan, colspan }) => row + rowspan === rows && column + colspan === columns,
  );
  const ends = [positionOf(0, 0), last ? positionOf(last.row, last.column) : positionOf(rows - 1, columns - 1)];
  const from = change.mapping.maps.length;
  for (const position of covered.toSorted((one, other) => other - one)) {
    const size = change.doc.nodeAt(position)?.nodeSize ?? 0;
    change.delete(position, position + size);
  }
  const [first = 0, end = 0] = ends.map((position) => change.mapping.slice(from).map(position));
  return change.setSelection(CellSelection.create(change.doc, first, end));
};
