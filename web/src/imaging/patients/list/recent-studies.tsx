import { t } from '@lingui/core/macro';
import { studies } from '@radwork/contract/imaging/studies';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query } from '#core/http/api.ts';
import { formatLocal, formatNumber } from '#ui/formats/formats.ts';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { StudyStatusPill } from '#ui/marks/study-status.tsx';
import styles from './recent-studies.module.css';

const mostShown = 5;

/** Lists the latest studies of a patient in the expanded row of the patient. */
export function RecentStudies({ patientId }: { patientId: string }) {
  const { data, error, refetch } = useQuery(
    query(studies.ofPatient, { params: { id: patientId }, query: { size: mostShown } }),
  );
  if (error) return <ErrorState failed={t`Error fetching studies`} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={2} label={t`Loading studies`} />;
  const studyCount = formatNumber(data.totalElements);
  if (data.content.length === 0) return <p className="muted">{t`No studies`}</p>;
  return (
    <ul className={styles.studies} aria-label={t`Latest studies`}>
      {data.content.map((study) => (
        <li key={study.id} className={styles.study}>
          <span className={styles.date}>{formatLocal(study.studyDate) || t`No date`}</span>
          <ModalityTag modality={study.modality} all={study.modalities} />
          <Link className={styles.description} to="/studies/$id" params={{ id: study.id }}>
            {study.description || study.studyDescription || t`No description`}
          </Link>
          <StudyStatusPill status={study.status} />
        </li>
      ))}
      {data.totalElements > mostShown && (
        <li>
          <Link to="/patients/$id" params={{ id: patientId }}>
            {t`All ${studyCount} studies`}
          </Link>
        </li>
      )}
    </ul>
  );
}
