import { Skeleton } from '#ui/states.tsx';
import styles from './loading-report.module.css';

/** Grey lines where the text of a report will be. */
export function LoadingReport() {
  return (
    <div className={styles.waiting}>
      <Skeleton lines={8} label="Loading report" />
    </div>
  );
}
