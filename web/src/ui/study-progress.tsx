import { progressOf, type StudyStatus, studyStatusLabels } from '@radwork/contract/studies';
import styles from './study-progress.module.css';

/** How far along a study is, as a bar; a cancelled study went nowhere, so its bar is grey (C23). */
export function StudyProgress({ status, isWide = false }: { status: StudyStatus; isWide?: boolean }) {
  return (
    <progress
      className={styles.progress}
      data-cancelled={status === 'CANCELLED' || undefined}
      data-wide={isWide || undefined}
      max={100}
      value={progressOf(status)}
      aria-label={`Progress: ${studyStatusLabels[status]}`}
    />
  );
}
