import { t } from '@lingui/core/macro';
import type { TagRow } from '#reading/viewer/images/header/tag-rows.ts';
import { VirtualRows } from '#ui/tables/virtual-rows.tsx';
import styles from './tag-browser.module.css';

type Props = { rows: readonly TagRow[]; onCopy: (text: string) => Promise<void> };

/**
 * Table of header elements. It renders only visible rows, because an image with a thousand frames has tens of thousands
 * of elements.
 */
export function TagTable({ rows, onCopy }: Props) {
  return (
    <VirtualRows label={t`Tags`} count={rows.length} rowHeight={24} keyOf={(index) => rows[index]?.path ?? index}>
      {(index) => {
        const row = rows[index];
        return row && <Line row={row} onCopy={onCopy} />;
      }}
    </VirtualRows>
  );
}

type LineProps = { row: TagRow; onCopy: (text: string) => Promise<void> };

function Line({ row: { depth, tag, vr, name, value }, onCopy }: LineProps) {
  return (
    <div className={styles.row}>
      <span className={styles.tag} style={{ paddingLeft: depth * 14 }}>
        {tag}
      </span>
      <span className={styles.vr}>{vr}</span>
      <span className={styles.name}>{name}</span>
      {value && (
        <button
          type="button"
          className={styles.value}
          title={value}
          aria-label={t`${name}: ${value}, copy`}
          onClick={() => void onCopy(value)}
        >
          {value}
        </button>
      )}
    </div>
  );
}
