import { type Row, useTable } from '@tanstack/react-table';
import { Children, type CSSProperties, Fragment, type ReactNode, type SyntheticEvent, useRef } from 'react';
import { useRowSelection, type Selection } from './use-row-selection.ts';
import { useCurrentRow } from './use-current-row.ts';
import styles from './data-table.module.css';
import { type Arrangement, type Column, type Features, features, widthProperty } from './data-table-columns.ts';
import { TableHead } from './data-table-head.tsx';
import { SkeletonRows, TableRow } from './data-table-rows.tsx';
import type { Shortcut } from '#ui/keyboard/shortcuts.ts';
import { showFullTextTooltip } from '#ui/feedback/title-of-cut-text.ts';

export type { Column } from './data-table-columns.ts';

/** Shortcut that acts on the current row. */
export type RowShortcut<Item> = Omit<Shortcut, 'run'> & { run: (item: Item) => void };

/** Sort order as "field,asc" or "field,desc", and its callback. Default: the order of the items. */
type Sorting = { sort: string; onSort: (sort: string) => void } | { sort?: never; onSort?: never };

/** Fixed columns, or columns that each user can arrange. */
type Columns<Item extends object> =
  | { columns: Column<Item>[]; arrangement?: never }
  | { columns?: never; arrangement: Arrangement<Item> };

type Props<Item extends object> = Sorting &
  Columns<Item> & {
    /** Name of the items in the plural, in lower case: "studies". */
    label: string;
    /** Items to show; undefined until the first response. */
    items: readonly Item[] | undefined;
    idOf: (item: Item) => string;
    /** Content of an expanded row and its label. Absent if rows do not expand. */
    details?: { label: string; show: (item: Item) => ReactNode };
    /** IDs of the rows that are expanded at first. */
    opened?: readonly string[];
    /** Opens the item of a row. Absent if a row opens nothing. */
    onOpen?: (item: Item) => void;
    /** Called when the user points at a row or moves to it, so that its data can be prefetched. */
    onApproach?: (item: Item) => void;
    /**
     * Called with true at each step while the user points at rows or moves through them, and with false afterwards. The
     * rows must not move meanwhile.
     */
    onHold?: (isHeld: boolean) => void;
    /** Called when another row becomes the current one by keyboard or focus. */
    onCurrent?: (item: Item) => void;
    rowShortcuts?: readonly RowShortcut<Item>[];
    /** Selection of rows by checkboxes. Absent if rows cannot be selected. */
    selection?: Selection<Item> | undefined;
    density?: 'standard' | 'compact';
    /** Whether newer rows are loading. The old rows stay visible until then. */
    isRefreshing?: boolean;
    /** Shown in place of rows if there are no rows or they failed to load. */
    children?: ReactNode;
  };

const noItems: never[] = [];

/** Table with keyboard navigation, sortable headers and expandable rows. The rows scroll; the headers stay. */
export function DataTable<Item extends object>(props: Props<Item>) {
  const { label, items, idOf, details, arrangement, density = 'standard', isRefreshing = false } = props;
  const columns = props.columns ?? props.arrangement.visible;
  const table = useTable({
    features,
    columns,
    // The library requires a mutable array but never writes to it.
    data: (items ?? noItems) as Item[],
    getRowId: idOf,
    getRowCanExpand: () => details !== undefined,
    // Keeps rows expanded when newer rows arrive.
    autoResetExpanded: false,
    initialState: { expanded: Object.fromEntries((props.opened ?? []).map((id) => [id, true])) },
  });
  const { rows } = table.getRowModel();
  // Whether there is no content in place of rows. `toArray` leaves out the `false` of a condition that is not met.
  const isSilent = Children.toArray(props.children).length === 0;
  const scroller = useRef<HTMLDivElement>(null);
  const selecting = useRowSelection(rows, props.selection);
  const currentRow = useCurrentRow({ ...props, rows, scroller, onSelect: selecting?.select });
  const holdState = useRef({ isPointedAt: false, isWalked: false });
  const hold = (change: Partial<typeof holdState.current>) => {
    holdState.current = { ...holdState.current, ...change };
    props.onHold?.(holdState.current.isPointedAt || holdState.current.isWalked);
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
              details={details?.label}
              selecting={selecting}
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
              props.onCurrent?.(row.original);
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
              showFullTextTooltip(element);
              props.onApproach?.(row.original);
            })
          }
          onDoubleClick={(event) => atRow(event, (row, at) => isControl(at) || props.onOpen?.(row.original))}
        >
          {items === undefined && isSilent && <SkeletonRows columns={columns.length + (details ? 1 : 0)} />}
          {rows.map((row) => (
            <Fragment key={row.id}>
              <TableRow
                row={row}
                columns={columns}
                details={details?.label}
                isOpen={row.getIsExpanded()}
                isCurrent={currentRow.id === row.id}
                isSelected={selecting?.isSelected(row.id)}
                selectLabel={selecting?.labelOf(row.original)}
                onSelect={selecting?.select}
              />
              {details && row.getIsExpanded() && (
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

/** Whether an element is a control, whose double click must not open the row. */
const isControl = (element: Element): boolean => element.closest('button, a, input') !== null;

const widthsOf = <Item extends object>(arrangement: Arrangement<Item> | undefined): CSSProperties =>
  Object.fromEntries(Object.entries(arrangement?.widths ?? {}).map(([id, width]) => [widthProperty(id), `${width}px`]));
