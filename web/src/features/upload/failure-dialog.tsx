import { formatNumber } from '#ui/formats.ts';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { Dialog } from '#ui/dialog.tsx';
import styles from './failure-dialog.module.css';
import { failuresByReason, type UploadItem } from './upload-item.ts';

type Props = { opened: boolean; items: readonly UploadItem[]; onRetry: () => void; onClose: () => void };

const namesShown = 100;

/** Lists the failed files with reasons and advice. The file list keeps showing them afterwards. */
export function FailureDialog({ opened, items, onRetry, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Error uploading files`} size={560} withCloseButton={false}>
      <Failures items={items} />
      <p className={styles.advice}>
        {t`These files are not safely in the archive. Sending them again helps when the connection failed. A file that is refused again is damaged, is not DICOM or contradicts what is stored: ask for a new copy where it came from.`}
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
    <div className={styles.failures} tabIndex={0} role="region" aria-label={t`Files that failed`}>
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
          {names.length > namesShown && (
            <p>
              <Trans>and {formatNumber(names.length - namesShown)} more</Trans>
            </p>
          )}
        </section>
      ))}
    </div>
  );
}
