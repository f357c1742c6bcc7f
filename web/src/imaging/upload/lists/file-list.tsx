import { t } from '@lingui/core/macro';
import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { memo, useMemo, useState } from 'react';
import { formatSize, formatNumber } from '#ui/formats/formats.ts';
import { VirtualRows } from '#ui/tables/virtual-rows.tsx';
import styles from './file-list.module.css';
import { FileName } from '#imaging/upload/choosing/file-name.tsx';
import { type ListRow, listRows } from './file-list-rows.ts';
import {
  type Totals,
  type UploadItem,
  type UploadState,
  uploadStateLabels,
  uploadStates,
} from '#imaging/upload/queue/upload-item.ts';

type Props = {
  items: readonly UploadItem[];
  totals: Totals;
  /** Whether every file is uploaded or has failed. */
  hasEnded: boolean;
  onRemove: (id: number) => void;
};

/** Lists every chosen file with its state. At the end, headings separate failed and uploaded files. */
export const FileList = memo(function FileList({ items, totals, hasEnded, onRemove }: Props) {
  const [show, setShow] = useState<UploadState | 'All'>('All');
  const rows = useMemo(() => listRows(items, show, hasEnded), [items, show, hasEnded]);
  return (
    <section className={styles.files} aria-label={t`Files`}>
      <div className={styles.filters}>
        {(['All', ...uploadStates] as const).map((state) => (
          <button key={state} type="button" aria-pressed={show === state} onClick={() => setShow(state)}>
            {state === 'All' ? t`All` : uploadStateLabels[state]}{' '}
            <span>{formatNumber(state === 'All' ? items.length : totals[state].files)}</span>
          </button>
        ))}
      </div>
      {rows.length === 0 && <p className={styles.nothing}>{t`No files in this state`}</p>}
      <VirtualRows label={t`Chosen files`} count={rows.length} rowHeight={30} keyOf={(index) => keyOf(rows[index])}>
        {(index) => <Row row={rows[index]} onRemove={onRemove} />}
      </VirtualRows>
    </section>
  );
});

const keyOf = (row: ListRow | undefined) => (row && 'item' in row ? row.item.id : (row?.heading ?? ''));

function Row({ row, onRemove }: { row: ListRow | undefined; onRemove: (id: number) => void }) {
  if (!row) return null;
  if ('item' in row) return <FileRow item={row.item} onRemove={onRemove} />;
  return (
    <h2 className={styles.heading}>
      {row.heading} <span>{formatNumber(row.files)}</span>
    </h2>
  );
}

function FileRow({ item, onRemove }: { item: UploadItem; onRemove: (id: number) => void }) {
  const { id, source, state, reason, wasThere, mayHaveArrived } = item;
  const { name, size } = source;
  return (
    <div className={styles.row} data-state={state}>
      <FileName name={name} />
      {reason && (
        <span className={styles.reason} title={reason}>
          {reason}
        </span>
      )}
      {wasThere && <span className={styles.note}>{t`Already in the archive`}</span>}
      {mayHaveArrived && state === 'Pending' && <span className={styles.note}>{t`May already be stored`}</span>}
      <span className={styles.size}>{formatSize(size)}</span>
      <span className={styles.state}>{uploadStateLabels[state]}</span>
      <span className={styles.action}>
        {(state === 'Pending' || state === 'Failed') && (
          <ActionIcon size={24} aria-label={t`Remove ${name} from the list`} onClick={() => onRemove(id)}>
            <IconX size={14} />
          </ActionIcon>
        )}
      </span>
    </div>
  );
}
