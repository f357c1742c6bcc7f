import { t } from '@lingui/core/macro';
import { reports, type ReportRow } from '@radwork/contract/reading/reports';
import { IconFileOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { query } from '#core/http/api.ts';
import { formatLocal, formatMoment } from '#ui/formats/formats.ts';
import { IdentityPill } from '#ui/marks/identity-pill.tsx';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import styles from './patient-reports.module.css';

const whenOf = ({ finalizedAt, createdAt, author: { name } }: ReportRow): string => {
  const moment = formatMoment(finalizedAt ?? createdAt);
  return finalizedAt ? t`Finalized ${moment} by ${name}` : t`Created ${moment} by ${name}`;
};

type Props = { patientId: string; status: (report: ReportRow) => ReactNode };

/** Lists all reports of a patient, newest first. */
export function PatientReports({ patientId, status }: Props) {
  const { data, error, refetch } = useQuery(query(reports.ofPatient, { params: { id: patientId } }));
  if (error) return <ErrorState failed={t`Failed to fetch reports`} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={4} label={t`Loading reports`} />;
  if (data.length === 0) return <EmptyState icon={IconFileOff} title={t`This patient has no reports`} />;
  return (
    <ul className={styles.reports} aria-label={t`Reports`}>
      {data.map((report) => (
        <li key={report.id} className={styles.report}>
          {status(report)}
          <IdentityPill mark={report.identity} patientName={report.patientName} />
          <span className={styles.study}>
            <ModalityTag modality={report.modality} all={[report.modality]} />
            <Link to="/studies/$id" params={{ id: report.studyId }}>
              {report.studyDescription || t`No description`}
            </Link>
            <span className={styles.date}>{formatLocal(report.studyDate)}</span>
          </span>
          <span className={styles.when}>{whenOf(report)}</span>
        </li>
      ))}
    </ul>
  );
}
