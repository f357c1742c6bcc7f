import { t } from '@lingui/core/macro';
import { studies } from '@radwork/contract/imaging/studies';
import { IconPhotoSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query } from '#core/http/api.ts';
import { formatLocal } from '#ui/formats/formats.ts';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { addresses, type Mode } from './viewer-modes.ts';
import styles from './recent-studies.module.css';

/** Number of studies that fits on one screen. */
const size = 12;

const toStudies = <Link to="/studies">{t`All studies`}</Link>;

/** Viewer without a study in the address: offers recent studies. */
export function RecentStudies({ mode }: { mode: Mode }) {
  const { data, error, refetch } = useQuery(query(studies.recent, { query: { size } }));
  if (error) return <ErrorState failed={t`Studies could not be loaded`} error={error} onRetry={() => void refetch()} />;
  if (data?.length === 0) {
    return <EmptyState icon={IconPhotoSearch} title={t`No studies yet`} action={toStudies} />;
  }
  return (
    <div className={styles.recent}>
      <h1>{t`Recent studies`}</h1>
      {!data && <Skeleton label={t`Loading studies`} />}
      <ul className={styles.list}>
        {data?.map(({ id, patient, modality, modalities, studyDescription, studyDate }) => (
          <li key={id}>
            <Link to={addresses[mode]} params={{ id }} className={styles.study}>
              <ModalityTag modality={modality} all={modalities} />
              <span className={styles.patient}>{patient.patientName || t`No name`}</span>
              <span className={`${styles.id} muted`}>{patient.patientId}</span>
              <span className={styles.description}>{studyDescription}</span>
              <span className={`${styles.date} numeric`}>{formatLocal(studyDate)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {toStudies}
    </div>
  );
}
