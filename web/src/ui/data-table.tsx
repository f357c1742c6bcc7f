import { type Row, useTable } from '@tanstack/react-table';
import { Children, type CSSProperties, Fragment, type ReactNode, type SyntheticEvent, useRef } from 'react';
import { useCurrentRow } from './current-row.ts';
import styles from './data-table.module.css';
import { type Arrangement, type Column, type Features, features, widthProperty } from './data-table-columns.ts';
import { TableHead } from './data-table-head.tsx';
import { SkeletonRows, TableRow } from './data-table-rows.tsx';
import type { Shortcut } from './shortcuts.ts';
import { tellCutWords } from './tell-cut-words.ts';

export type { Column } from './data-table-columns.ts';

/** Something a key does with the row one is on. */
export type RowShortcut<Item> = Omit<Shortcut, 'run'> & { run: (item: Item) => void };

/** How the rows are sorted, "field,asc" or "field,desc", and what the heads of the columns do. Not given: as they come. */
type Sorting = { sort: string; onSort: (sort: string) => void } | { sort?: never; onSort?: never };

/** The columns as they come, or as each person may arrange them. */
type Columns<Item extends object> =
  | { columns: Column<Item>[]; arrangement?: never }
  | { columns?: never; arrangement: Arrangement<Item> };

type Props<Item extends object> = Sorting &
  Columns<Item> & {
    /** What the table lists, in the plural and lower case: "studies". */
    label: string;
    /** Undefined while the first answer is awaited. */
    items: readonly Item[] | undefined;
    idOf: (item: Item) => string;
    /** What an opened row shows below itself, and what to call that. */
    details: { label: string; show: (item: Item) => ReactNode };
    /** Rows that are open from the start. */
    opened?: readonly string[];
    /** Left out where a row leads nowhere. */
    onOpen?: (item: Item) => void;
    /** Somebody points at a row or is on it: what they are likely to ask for next can be fetched. */
    onApproach?: (item: Item) => void;
    /** Whether somebody points at the rows or walks them, again with each step: they are not to move now. */
    onHold?: (isHeld: boolean) => void;
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
  const { label, items, idOf, details, arrangement, density = 'standard', isRefreshing = false } = props;
  const columns = props.columns ?? props.arrangement.visible;
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
  // What is shown only in some cases is there as false in the others.
  const isSilent = Children.toArray(props.children).length === 0;
  const scroller = useRef<HTMLDivElement>(null);
  const currentRow = useCurrentRow({ ...props, rows, scroller });
  const held = useRef({ isPointedAt: false, isWalked: false });
  const hold = (change: Partial<typeof held.current>) => {
    held.current = { ...held.current, ...change };
    props.onHold?.(held.current.isPointedAt || held.current.isWalked);
  };
  const atRow = (event: SyntheticEvent, act: (row: Row<Features, Item>, element: Element) => void) => {
    const element = event.target instanceof Element ? event.target : undefined;
    const id = element?.closest<HTMLElement>('[data-row]')?.dataset.row;
    const row = rows.find((candidate) => candidate.id === id);
    if (row && element) act(row, element);
  };

  return (
    <div ref={scroller} className={styles.scroller} data-density={density} style={widthsOf(arrangement)}>
      <table className={styles.table} role="table" aria-label={label} aria-busy={items === undefined || isRefreshing}>
        <thead role="rowgroup">
          {table.getHeaderGroups().map((group) => (
            <TableHead
              key={group.id}
              headers={group.headers}
              sort={props.sort}
              onSort={props.onSort}
              arrangement={arrangement}
              details={details.label}
            />
          ))}
        </thead>
        <tbody
          role="rowgroup"
          onFocus={(event) =>
            atRow(event, (row, element) => {
              currentRow.moveTo(row.id, element);
              hold({ isWalked: true });
              props.onApproach?.(row.original);
            })
          }
          onBlur={() => {
            currentRow.leave();
            hold({ isWalked: false });
          }}
          onPointerEnter={() => hold({ isPointedAt: true })}
          onPointerMove={() => hold({ isPointedAt: true })}
          onPointerLeave={() => hold({ isPointedAt: false })}
          onMouseOver={(event) =>
            atRow(event, (row, element) => {
              tellCutWords(element);
              props.onApproach?.(row.original);
            })
          }
          onDoubleClick={(event) => atRow(event, (row, at) => isControl(at) || props.onOpen?.(row.original))}
        >
          {items === undefined && isSilent && <SkeletonRows columns={columns.length + 1} />}
          {rows.map((row) => (
            <Fragment key={row.id}>
              <TableRow
                row={row}
                columns={columns}
                details={details.label}
                isOpen={row.getIsExpanded()}
                isCurrent={currentRow.id === row.id}
              />
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
const isControl = (element: Element): boolean => element.closest('button, a') !== null;

const widthsOf = <Item extends object>(arrangement: Arrangement<Item> | undefined): CSSProperties =>
  Object.fromEntries(Object.entries(arrangement?.widths ?? {}).map(([id, width]) => [widthProperty(id), `${width}px`]));
