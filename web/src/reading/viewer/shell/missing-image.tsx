import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import styles from './missing-image.module.css';

type Props = {
  /** Name of the image: "Image 12". */
  name: string;
  reason: string;
  /** Loads the image again. Absent if a retry would fail again. */
  onRetry?: (() => Promise<void>) | undefined;
};

/** Covers the pane while it does not show the requested image. */
export function MissingImage({ name, reason, onRetry }: Props) {
  return (
    <div className={styles.veil} role="alert">
      <IconPhotoOff size={28} stroke={1.4} aria-hidden />
      <p className={styles.failed}>{t`${name} could not be shown`}</p>
      <p>{reason}</p>
      {!onRetry && <p>{t`Loading it again cannot help.`}</p>}
      {onRetry && (
        <Button variant="default" onClick={() => void onRetry()}>
          {t`Retry`}
        </Button>
      )}
    </div>
  );
}
