import { t } from '@lingui/core/macro';
import { ActionIcon, Popover, Tooltip } from '@mantine/core';
import { IconTableOptions } from '@tabler/icons-react';
import { useState } from 'react';
import { Skeleton } from '#ui/feedback/content-states.tsx';
import { partOnDemand, usePrefetchWhenIdle } from '#ui/feedback/on-demand.tsx';
import type { Arrangement } from './data-table-columns.ts';
import styles from './data-table-columns-menu.module.css';

const ColumnListOnDemand = partOnDemand(async () => (await import('./column-list.tsx')).ColumnList);

/** Menu to choose, order and resize the columns of a table. Works by keyboard too. */
export function ColumnsMenu<Item extends object>({ arrangement }: { arrangement: Arrangement<Item> }) {
  const [isOpen, setOpen] = useState(false);
  usePrefetchWhenIdle(ColumnListOnDemand);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus returnFocus width={300}>
      <Popover.Target>
        <Tooltip label={t`Columns`}>
          <ActionIcon size={30} aria-label={t`Columns`} onClick={() => setOpen(!isOpen)}>
            <IconTableOptions size={17} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`Columns`} className={styles.menu ?? ''}>
        <ColumnListOnDemand arrangement={arrangement} waiting={<Skeleton />} />
      </Popover.Dropdown>
    </Popover>
  );
}
