import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import styles from './remote-archives.module.css';

/** Buttons of a table row. `of` names the item of the row for screen readers. */
export function EditDeleteButtons({ of, onEdit, onRemove }: { of: string; onEdit: () => void; onRemove: () => void }) {
  return (
    <span className={styles.importCell}>
      <Button size="compact-xs" variant="default" aria-label={t`Edit ${of}`} onClick={onEdit}>
        {t`Edit`}
      </Button>
      <Button size="compact-xs" variant="default" aria-label={t`Delete ${of}`} onClick={onRemove}>
        {t`Delete`}
      </Button>
    </span>
  );
}
