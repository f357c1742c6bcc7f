import { t } from '@lingui/core/macro';
import { ActionIcon, Checkbox } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { FlexRender, type Row } from '@tanstack/react-table';
import { type CSSProperties, memo } from 'react';
import styles from './data-table.module.css';
import { type Column, type Features, widthProperty } from './data-table-columns.ts';
import type { SelectRow } from './use-row-selection.ts';

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
  /** Undefined if rows cannot be selected. */
  isSelected: boolean | undefined;
  /** Label of the checkbox. */
  selectLabel: string | undefined;
  onSelect: SelectRow | undefined;
};

function TableRowCells<Item extends object>(props: RowProps<Item>) {
  const { row, details, isOpen, isCurrent, isSelected, selectLabel, onSelect } = props;
  return (
    <tr
      role="row"
      className={styles.row}
      data-row={row.id}
      data-open={isOpen || undefined}
      data-selected={isSelected || undefined}
      aria-current={isCurrent || undefined}
      tabIndex={-1}
    >
      {details !== undefined && (
        <td role="cell" className={styles.expander}>
          <span className={styles.lead}>
            {isSelected !== undefined && (
              <Checkbox
                size="xs"
                checked={isSelected}
                aria-label={selectLabel}
                onChange={(event) => onSelect?.(row.id, event.currentTarget.checked, isWithShift(event.nativeEvent))}
              />
            )}
            <Expander row={row} label={details} isOpen={isOpen} />
          </span>
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

/** Whether a click or key on a checkbox came with Shift, which selects a range. */
const isWithShift = (event: Event): boolean => 'shiftKey' in event && event.shiftKey === true;

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
