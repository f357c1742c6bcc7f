import { formatNumber } from '#ui/formats/formats.ts';
import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import styles from './upload-failures-dialog.module.css';
import { failuresByReason, type UploadItem } from '#imaging/upload/queue/upload-item.ts';

type Props = { opened: boolean; items: readonly UploadItem[]; onRetry: () => void; onClose: () => void };

const namesShown = 100;

const moreOf = (count: number): string => {
  const more = formatNumber(count - namesShown);
  return t`and ${more} more`;
};

/** Lists the failed files with reasons and advice. They also stay in the file list. */
export function UploadFailuresDialog({ opened, items, onRetry, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Error uploading files`} size={560} withCloseButton={false}>
      <Failures items={items} />
      <p className={styles.advice}>
        {t`These files may not be in the archive. Retry them if the connection failed. A file that is rejected again is damaged, is not DICOM or contradicts stored data. Request a new copy.`}
      </p>
      <div className={styles.buttons}>
        <Button variant="default" onClick={onClose}>
          {t`Close`}
        </Button>
        <Button data-autofocus onClick={onRetry}>
          {t`Retry failed`}
        </Button>
      </div>
    </Dialog>
  );
}

function Failures({ items }: { items: readonly UploadItem[] }) {
  return (
    <div className={styles.failures} tabIndex={0} role="region" aria-label={t`Failed files`}>
      {failuresByReason(items).map(({ reason, names }) => (
        <section key={reason} className={styles.failure}>
          <h3>
            {reason} <span>{formatNumber(names.length)}</span>
          </h3>
          <ul>
            {names.slice(0, namesShown).map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
          {names.length > namesShown && <p>{moreOf(names.length)}</p>}
        </section>
      ))}
    </div>
  );
}
