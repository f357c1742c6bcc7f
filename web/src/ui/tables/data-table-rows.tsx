import { t } from '@lingui/core/macro';
import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { FlexRender, type Row } from '@tanstack/react-table';
import { type CSSProperties, memo } from 'react';
import styles from './data-table.module.css';
import { type Column, type Features, widthProperty } from './data-table-columns.ts';

/** Returns the style that gives a cell the width of its column. The table sets the CSS property. */
export const cellStyle = (id: string): CSSProperties & Record<'--width', string> => ({
  '--width': `var(${widthProperty(id)})`,
});

type RowProps<Item extends object> = {
  row: Row<Features, Item>;
  /** Used only to detect changes of the columns. The cells come from the row. */
  columns: readonly Column<Item>[];
  details: string | undefined;
  isOpen: boolean;
  isCurrent: boolean;
};

function TableRowCells<Item extends object>({ row, details, isOpen, isCurrent }: RowProps<Item>) {
  return (
    <tr
      role="row"
      className={styles.row}
      data-row={row.id}
      data-open={isOpen || undefined}
      aria-current={isCurrent || undefined}
      tabIndex={-1}
    >
      {details !== undefined && (
        <td role="cell" className={styles.expander}>
          <Expander row={row} label={details} isOpen={isOpen} />
        </td>
      )}
      {row.getAllCells().map((cell) => {
        const { isRowName, takesRest, isTitleHidden, card } = cell.column.columnDef.meta ?? {};
        const Cell = isRowName ? 'th' : 'td';
        return (
          <Cell
            key={cell.id}
            role={isRowName ? 'rowheader' : 'cell'}
            data-label={card?.label}
            data-rest={takesRest}
            data-pinned={isTitleHidden}
            data-corner={card?.isCorner}
            style={{ order: card?.order, ...cellStyle(cell.column.id) }}
          >
            <FlexRender cell={cell} />
          </Cell>
        );
      })}
    </tr>
  );
}

/**
 * Row of a table. Renders only when it changes, because a held key moves through a hundred rows.
 */
// oxlint-disable-next-line typescript/consistent-type-assertions -- memo forgets that a component is generic.
export const TableRow = memo(TableRowCells) as typeof TableRowCells;

type ExpanderProps<Item extends object> = { row: Row<Features, Item>; label: string; isOpen: boolean };

function Expander<Item extends object>({ row, label, isOpen }: ExpanderProps<Item>) {
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <ActionIcon
      size={24}
      aria-expanded={isOpen}
      aria-controls={isOpen ? `details-${row.id}` : undefined}
      aria-label={isOpen ? t`Hide ${label}` : t`Show ${label}`}
      onClick={() => row.toggleExpanded()}
    >
      <Icon size={15} />
    </ActionIcon>
  );
}

const skeletonRows = 10;

/** Gray lines in place of loading rows. */
export function SkeletonRows({ columns }: { columns: number }) {
  return Array.from({ length: skeletonRows }, (_, row) => (
    <tr key={row} className={styles.skeleton} aria-hidden>
      <td colSpan={columns}>
        <div style={{ width: `${88 - ((row * 17) % 31)}%` }} />
      </td>
    </tr>
  ));
}
