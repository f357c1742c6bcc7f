import { t } from '@lingui/core/macro';
import { progressOf, type StudyStatus, studyStatusLabels } from '@radwork/contract/imaging/study-status';
import styles from './study-progress.module.css';

/** Progress bar of a study. It is gray for a canceled study. */
export function StudyProgress({ status, isWide = false }: { status: StudyStatus; isWide?: boolean }) {
  const label = studyStatusLabels[status];
  return (
    <progress
      className={styles.progress}
      data-cancelled={status === 'CANCELLED' || undefined}
      data-wide={isWide || undefined}
      max={100}
      value={progressOf(status)}
      aria-label={t`Progress: ${label}`}
    />
  );
}
