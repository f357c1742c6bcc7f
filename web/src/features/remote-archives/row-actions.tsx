import { Button } from '@mantine/core';
import styles from './remote-archives.module.css';

/** Buttons of a row. `of` names the item for screen readers. */
export function RowActions({ of, onEdit, onRemove }: { of: string; onEdit: () => void; onRemove: () => void }) {
  return (
    <span className={styles.importCell}>
      <Button size="compact-xs" variant="default" aria-label={`Edit ${of}`} onClick={onEdit}>
        Edit
      </Button>
      <Button size="compact-xs" variant="default" aria-label={`Delete ${of}`} onClick={onRemove}>
        Delete
      </Button>
    </span>
  );
}
