import { Button } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import styles from './missing-image.module.css';

type Props = {
  /** Which one it is: "Image 12". */
  name: string;
  reason: string;
  /** Absent where it would be the same again. */
  onRetry?: (() => Promise<void>) | undefined;
};

/** Covers a picture that is not the one that was asked for. */
export function MissingImage({ name, reason, onRetry }: Props) {
  return (
    <div className={styles.veil} role="alert">
      <IconPhotoOff size={28} stroke={1.4} aria-hidden />
      <p className={styles.failed}>{name} could not be shown</p>
      <p>{reason}</p>
      {onRetry && (
        <Button variant="default" onClick={() => void onRetry()}>
          Retry
        </Button>
      )}
    </div>
  );
}
