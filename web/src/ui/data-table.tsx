import { ActionIcon } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import {
  type ColumnDef,
  type Header,
  metaHelper,
  type Row,
  rowExpandingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { Fragment, type ReactNode, useRef } from 'react';
import styles from './data-table.module.css';
import { useCurrentRow } from './current-row.ts';
import type { Shortcut } from './shortcuts.ts';

type ColumnMeta = {
  /** Gets the room that the other columns leave, and is cut where that is too little. */
  takesRest?: boolean;
  /** The direction of the first click on the head of a column that can be sorted by. */
  sort?: 'asc' | 'desc';
  /** The cell that names the row to those who hear the table. */
  isRowName?: boolean;
  /** How the value stands where the table is too narrow for columns and its rows become cards; a corner is the upper right one. */
  card?: { label?: string; order?: number; isCorner?: boolean };
  /** Only for those who hear the table: the column of buttons needs no visible head. */
  isTitleHidden?: boolean;
};

const features = tableFeatures({ rowExpandingFeature, columnMeta: metaHelper<ColumnMeta>() });
type Features = typeof features;

/** A column; one whose `meta` has `sort` can be sorted by, under its id. */
export type Column<Item extends object> = ColumnDef<Features, Item>;

/** Something a key does with the row one is on. */
export type RowShortcut<Item> = Omit<Shortcut, 'run'> & { run: (item: Item) => void };

/** How the rows are sorted, "field,asc" or "field,desc", and what the heads of the columns do. Not given: as they come. */
type Sorting = { sort: string; onSort: (sort: string) => void } | { sort?: never; onSort?: never };

type Props<Item extends object> = Sorting & {
  /** What the table lists, in the plural and lower case: "studies". */
  label: string;
  /** Undefined while the first answer is awaited. */
  items: readonly Item[] | undefined;
  idOf: (item: Item) => string;
  columns: Column<Item>[];
  /** What an opened row shows below itself, and what to call that. */
  details: { label: string; show: (item: Item) => ReactNode };
  /** Rows that are open from the start. */
  opened?: readonly string[];
  onOpen: (item: Item) => void;
  rowShortcuts?: readonly RowShortcut<Item>[];
  density?: 'standard' | 'compact';
  /** Whether newer rows are on their way; the old ones stay until then. */
  isRefreshing?: boolean;
  /** What to show in the place of rows when there are none, or when they could not be fetched. */
  children?: ReactNode;
};

const noItems: never[] = [];

/** Rows one can walk with the keyboard, sort by their heads and open in place. It scrolls by itself, its head stays. */
export function DataTable<Item extends object>(props: Props<Item>) {
  const { label, items, idOf, columns, details, density = 'standard', isRefreshing = false } = props;
  const table = useTable({
    features,
    columns,
    // The library asks for a mutable array and never writes to it.
    data: (items ?? noItems) as Item[],
    getRowId: idOf,
    getRowCanExpand: () => true,
    // What somebody opened stays open when newer rows arrive.
    autoResetExpanded: false,
    initialState: { expanded: Object.fromEntries((props.opened ?? []).map((id) => [id, true])) },
  });
  const { rows } = table.getRowModel();
  const scroller = useRef<HTMLDivElement>(null);
  const currentRow = useCurrentRow({ ...props, rows, scroller });

  return (
    <div ref={scroller} className={styles.scroller} data-density={density}>
      <table className={styles.table} role="table" aria-label={label} aria-busy={items === undefined || isRefreshing}>
        <thead role="rowgroup">
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} role="row">
              <th className={styles.expander} scope="col" role="columnheader">
                <span className="visually-hidden">Show {details.label}</span>
              </th>
              {group.headers.map((header) => (
                <HeadCell key={header.id} header={header} sort={props.sort} onSort={props.onSort}>
                  <table.FlexRender header={header} />
                </HeadCell>
              ))}
            </tr>
          ))}
        </thead>
        <tbody role="rowgroup">
          {items === undefined && !props.children && <SkeletonRows columns={columns.length + 1} />}
          {rows.map((row) => (
            <Fragment key={row.id}>
              <tr
                role="row"
                className={styles.row}
                data-row={row.id}
                data-open={row.getIsExpanded() || undefined}
                aria-current={currentRow.id === row.id || undefined}
                tabIndex={-1}
                onFocus={({ target }) => currentRow.moveTo(row.id, target)}
                onBlur={currentRow.leave}
                onDoubleClick={(event) => isOnControl(event.target) || props.onOpen(row.original)}
              >
                <td role="cell" className={styles.expander}>
                  <Expander row={row} label={details.label} />
                </td>
                {row.getAllCells().map((cell) => {
                  const { isRowName, takesRest, card } = cell.column.columnDef.meta ?? {};
                  const Cell = isRowName ? 'th' : 'td';
                  return (
                    <Cell
                      key={cell.id}
                      role={isRowName ? 'rowheader' : 'cell'}
                      data-label={card?.label}
                      data-rest={takesRest}
                      data-corner={card?.isCorner}
                      style={{ order: card?.order }}
                    >
                      <table.FlexRender cell={cell} />
                    </Cell>
                  );
                })}
              </tr>
              {row.getIsExpanded() && (
                <tr role="row" className={styles.details} id={`details-${row.id}`}>
                  <td role="cell" colSpan={columns.length + 1}>
                    {details.show(row.original)}
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
      {props.children}
    </div>
  );
}

/** Two quick presses of a button in the row are two presses of the button. */
const isOnControl = (target: EventTarget): boolean => target instanceof Element && target.closest('button, a') !== null;

function Expander<Item extends object>({ row, label }: { row: Row<Features, Item>; label: string }) {
  const isOpen = row.getIsExpanded();
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <ActionIcon
      size={24}
      aria-expanded={isOpen}
      aria-controls={isOpen ? `details-${row.id}` : undefined}
      aria-label={`${isOpen ? 'Hide' : 'Show'} ${label}`}
      onClick={() => row.toggleExpanded()}
    >
      <Icon size={15} />
    </ActionIcon>
  );
}

type HeadProps<Item extends object> = {
  header: Header<Features, Item>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
  children: ReactNode;
};

function HeadCell<Item extends object>({ header, sort = '', onSort, children }: HeadProps<Item>) {
  const { sort: firstDirection, isTitleHidden } = header.column.columnDef.meta ?? {};
  const title = isTitleHidden ? <span className="visually-hidden">{children}</span> : children;
  if (!firstDirection || !onSort) {
    return (
      <th scope="col" role="columnheader">
        {title}
      </th>
    );
  }
  const [field, direction] = sort.split(',');
  const isSorted = field === header.column.id;
  const opposite = direction === 'asc' ? 'desc' : 'asc';
  const Arrow = direction === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <th
      scope="col"
      role="columnheader"
      data-sortable
      aria-sort={isSorted ? (direction === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort(`${header.column.id},${isSorted ? opposite : firstDirection}`)}
      >
        {title}
        {isSorted && <Arrow size={13} aria-hidden />}
      </button>
    </th>
  );
}

const skeletonRows = 10;

function SkeletonRows({ columns }: { columns: number }) {
  return Array.from({ length: skeletonRows }, (_, row) => (
    <tr key={row} className={styles.skeleton} aria-hidden>
      <td colSpan={columns}>
        <div style={{ width: `${88 - ((row * 17) % 31)}%` }} />
      </td>
    </tr>
  ));
}
