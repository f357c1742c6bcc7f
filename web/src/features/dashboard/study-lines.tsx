import type { StudyRow } from '@radwork/contract/studies';
import { Link } from '@tanstack/react-router';
import { formatWaiting } from '#ui/formats.ts';
import { ModalityTag } from '#ui/modality-tag.tsx';
import { useNow } from '#ui/now.ts';
import { PriorityMark } from '#ui/priority-mark.tsx';
import { StudyStatusPill } from '#ui/study-status.tsx';
import styles from './dashboard.module.css';

/** A few studies, one line each: how urgent, of whom, what, how far, since when. */
export function StudyLines({ label, studies }: { label: string; studies: readonly StudyRow[] }) {
  const now = useNow();
  return (
    <ul className={styles.lines} aria-label={label}>
      {studies.map((study) => (
        <li key={study.id}>
          <Link to="/studies/$id" params={{ id: study.id }} className={styles.line}>
            <PriorityMark priority={study.priority} />
            <ModalityTag modality={study.modality} />
            <span className={styles.who}>
              <strong>{study.patient.patientName}</strong> {study.description || study.studyDescription}
            </span>
            <StudyStatusPill status={study.status} />
            <span className={styles.since}>{formatWaiting(study.createdDate, now)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
