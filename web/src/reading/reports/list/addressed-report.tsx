import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type Report, type ReportOfStudy, reports } from '@radwork/contract/reading/reports';
import { IconFileOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError, query } from '#core/http/api.ts';
import { formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { LoadingReport } from '#reading/reports/panel/loading-report.tsx';
import { patientNameAndId } from '#reading/reports/writing/study-moved.tsx';
import styles from './reports-screen.module.css';

type Props = {
  reportId: string;
  onShowAll: () => void;
  /** Renders a report with all its actions. */
  reading: (report: Report) => ReactNode;
};

/**
 * Shows the report named in the address. The newest report of a study opens on the study page; an older report opens
 * here.
 */
export function AddressedReport({ reportId, onShowAll, reading }: Props) {
  const namedReport = useQuery(query(reports.get, { params: { id: reportId } }));
  const studyId = namedReport.data?.studyId;
  const newest = useQuery({
    ...query(reports.ofStudy, { params: { id: studyId ?? '' } }),
    enabled: studyId !== undefined,
  });
  const toAll = (
    <Button variant="default" onClick={onShowAll}>
      {t`Show all reports`}
    </Button>
  );
  if (namedReport.error instanceof ApiError && namedReport.error.status === 404) {
    return (
      <EmptyState
        icon={IconFileOff}
        title={t`Report not found`}
        detail={t`The report does not exist, or you do not have access to it.`}
        action={toAll}
      />
    );
  }
  const error = namedReport.error ?? newest.error;
  if (error) {
    return (
      <ErrorState
        failed={t`Error loading report`}
        error={error}
        onRetry={() => void (namedReport.error ? namedReport : newest).refetch()}
        action={toAll}
      />
    );
  }
  if (!namedReport.data || !newest.data) return <LoadingReport />;
  if (newest.data.report?.id === reportId) {
    return <Navigate to="/studies/$id" params={{ id: namedReport.data.studyId }} search={{ pane: 'report' }} replace />;
  }
  // Prefers the signed report in `standing`, because it is fetched together with the study and again after each change
  // of the study.
  const { standing } = newest.data;
  const report = standing?.id === reportId ? standing : namedReport.data;
  return (
    <div className={styles.named}>
      <Notice tone={report === standing ? 'info' : 'warning'} action={toAll}>
        {whichOf(report, newest.data)}{' '}
        <Link to="/studies/$id" params={{ id: report.studyId }} search={{ pane: 'report' }}>
          {t`Open study with newer report`}
        </Link>
      </Notice>
      <div className={styles.whole}>{reading(report)}</div>
    </div>
  );
}

const whichOf = ({ id, patientName, patientId, createdAt }: Report, { standing }: ReportOfStudy): string => {
  const patient = patientNameAndId({ patientName, patientId });
  const moment = formatMoment(createdAt);
  return standing?.id === id
    ? t`Signed report of ${patient}. It is valid until the newer report of the study is signed.`
    : t`Earlier report of ${patient}, created ${moment}. The study has a newer report.`;
};
