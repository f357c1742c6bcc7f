import { t } from '@lingui/core/macro';
import { Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { FlexRender, type Header } from '@tanstack/react-table';
import type { PointerEvent, ReactNode } from 'react';
import styles from './data-table.module.css';
import { allowedWidth, type Arrangement, type Features, isMovable, widthProperty } from './data-table-columns.ts';
import { useReorder } from './use-reorder.ts';
import { cellStyle } from './data-table-rows.tsx';

type Props<Item extends object> = {
  headers: Header<Features, Item>[];
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
  arrangement: Arrangement<Item> | undefined;
  /** Label of the content that an expanded row shows. Undefined if rows do not expand. */
  details: string | undefined;
  /** Selection of the rows shown. Undefined if rows cannot be selected. */
  selecting: { isAll: boolean; isSome: boolean; selectAll: (isSelected: boolean) => void } | undefined;
};

/** Column headers. A click sorts the table. If the user may arrange the columns, headers can be moved and resized. */
export function TableHead<Item extends object>({
  headers,
  sort,
  onSort,
  arrangement,
  details,
  selecting,
}: Props<Item>) {
  const reorderable = useReorder('across', (id, at) => arrangement?.place(id, at));
  return (
    <tr role="row">
      {details !== undefined && (
        <th className={styles.expander} scope="col" role="columnheader">
          {selecting && (
            <Checkbox
              size="xs"
              aria-label={t`Select all rows of this page`}
              checked={selecting.isAll}
              indeterminate={selecting.isSome}
              onChange={(event) => selecting.selectAll(event.currentTarget.checked)}
            />
          )}
          <span className="visually-hidden">{t`Show ${details}`}</span>
        </th>
      )}
      {headers.map((header) => {
        const { id, columnDef } = header.column;
        const isArranged = arrangement !== undefined && isMovable(columnDef);
        const isPulled = isArranged && !columnDef.meta?.takesRest;
        return (
          <HeadCell key={id} header={header} sort={sort} onSort={onSort} {...(isArranged && reorderable(id))}>
            {isPulled && <WidthHandle id={id} onResize={(width) => arrangement.resize(id, width)} />}
          </HeadCell>
        );
      })}
    </tr>
  );
}

type HeadCellProps<Item extends object> = Pick<Props<Item>, 'sort' | 'onSort'> & {
  header: Header<Features, Item>;
  children: ReactNode;
} & Partial<ReturnType<ReturnType<typeof useReorder>>>;

function HeadCell<Item extends object>({ header, sort = '', onSort, children, ...drag }: HeadCellProps<Item>) {
  const { id, columnDef } = header.column;
  const { sort: firstDirection, isTitleHidden, takesRest } = columnDef.meta ?? {};
  const cell = {
    scope: 'col',
    role: 'columnheader',
    'data-column': id,
    'data-rest': takesRest,
    style: cellStyle(id),
    ...drag,
  } as const;
  const title = isTitleHidden ? (
    <span className="visually-hidden">
      <FlexRender header={header} />
    </span>
  ) : (
    <FlexRender header={header} />
  );
  if (!firstDirection || !onSort) {
    return (
      <th {...cell}>
        {title}
        {children}
      </th>
    );
  }
  const [field, direction] = sort.split(',');
  const isSorted = field === id;
  const opposite = direction === 'asc' ? 'desc' : 'asc';
  const Arrow = direction === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <th {...cell} data-sortable aria-sort={isSorted ? (direction === 'asc' ? 'ascending' : 'descending') : 'none'}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort(`${id},${isSorted ? opposite : firstDirection}`)}
      >
        <span className={styles.title}>{title}</span>
        {isSorted && <Arrow size={13} aria-hidden />}
      </button>
      {children}
    </th>
  );
}

/**
 * Right edge of a header, which the user drags to resize the column. A double click resets the width. Keyboard users
 * have the columns menu.
 */
function WidthHandle({ id, onResize }: { id: string; onResize: (width: number | undefined) => void }) {
  const pull = (event: PointerEvent<HTMLElement>) => {
    const handle = event.currentTarget;
    const head = handle.closest('th');
    const table = handle.closest<HTMLElement>('[data-density]');
    if (!head || !table) return;
    const before = table.style.getPropertyValue(widthProperty(id));
    const { left } = head.getBoundingClientRect();
    // Changes only the CSS property while dragging, so that the rows do not render.
    const follow = ({ clientX }: { clientX: number }) =>
      table.style.setProperty(widthProperty(id), `${allowedWidth(clientX - left)}px`);
    const stop = new AbortController();
    const put = (clientX: number | undefined) => {
      stop.abort();
      if (clientX === undefined) table.style.setProperty(widthProperty(id), before);
      else onResize(allowedWidth(clientX - left));
    };
    const start = event.clientX;
    const drop = ({ clientX }: { clientX: number }) => put(clientX === start ? undefined : clientX);
    handle.setPointerCapture(event.pointerId);
    const { signal } = stop;
    handle.addEventListener('pointermove', follow, { signal });
    handle.addEventListener('pointerup', drop, { signal });
    handle.addEventListener('pointercancel', () => put(undefined), { signal });
  };
  return (
    <span
      className={styles.handle}
      aria-hidden
      // Prevents the drag from moving the whole header.
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={pull}
      onDoubleClick={() => onResize(undefined)}
    />
  );
}
