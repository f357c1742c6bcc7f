import { t } from '@lingui/core/macro';
import { Skeleton } from '#ui/feedback/content-states.tsx';
import styles from './loading-report.module.css';

/** Gray lines in place of the report text while it loads. */
export function LoadingReport() {
  return (
    <div className={styles.waiting}>
      <Skeleton lines={8} label={t`Loading report`} />
    </div>
  );
}
