import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import { Link } from '@tanstack/react-router';
import { formatWaiting } from '#ui/formats/formats.ts';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { ListChangedNote } from '#ui/lists/list-changed.tsx';
import { useNow } from '#ui/formats/use-now.ts';
import { PriorityMark } from '#ui/marks/priority-mark.tsx';
import { StudyStatusPill } from '#ui/marks/study-status.tsx';
import { useSteadyList } from '#ui/lists/use-steady-list.ts';
import styles from './dashboard.module.css';

type Props = {
  label: string;
  studies: readonly StudyRow[];
  /** Time of the response, in milliseconds since 1970. */
  at: number;
};

/** Lists studies on one line each: priority, patient, description, status and waiting time. */
export function StudyLines({ label, studies, at }: Props) {
  const now = useNow();
  const steady = useSteadyList({ items: studies, at, to: label, hasRoom: true });
  return (
    <>
      <ul className={styles.lines} aria-label={label} {...steady.pointing}>
        {steady.items?.map((study) => (
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
      {steady.isMoved && <ListChangedNote onShow={steady.showNew} />}
    </>
  );
}
