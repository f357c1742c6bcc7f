import { Button } from '@mantine/core';
import { reports } from '@radwork/contract/reports';
import { IconFileOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { ApiError, query } from '#core/api.ts';
import { formatMoment } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import { EmptyState, ErrorState, Skeleton } from '#ui/states.tsx';
import styles from './reports-screen.module.css';
import { WholeReport } from './whole-report.tsx';

type Props = { reportId: string; onShowAll: () => void };

/**
 * The report that an address names: on the page of its study, where the newest one of the study stands; an earlier one,
 * which does not stand there, is shown here.
 */
export function NamedReport({ reportId, onShowAll }: Props) {
  const named = useQuery(query(reports.get, { params: { id: reportId } }));
  const studyId = named.data?.studyId;
  const newest = useQuery({
    ...query(reports.ofStudy, { params: { id: studyId ?? '' } }),
    enabled: studyId !== undefined,
  });
  const toAll = (
    <Button variant="default" onClick={onShowAll}>
      Show all reports
    </Button>
  );
  if (named.error instanceof ApiError && named.error.status === 404) {
    return (
      <EmptyState
        icon={IconFileOff}
        title="Report not found"
        detail="There is no report at this address, or it is not one that you may see."
        action={toAll}
      />
    );
  }
  const error = named.error ?? newest.error;
  if (error) {
    return (
      <ErrorState
        failed="Error loading report"
        error={error}
        onRetry={() => void (named.error ? named : newest).refetch()}
        action={toAll}
      />
    );
  }
  if (!named.data || !newest.data) return <Skeleton lines={8} label="Loading report" />;
  const { patientName, patientId, createdAt } = named.data;
  if (newest.data.report?.id === reportId) {
    return <Navigate to="/studies/$id" params={{ id: named.data.studyId }} search={{ pane: 'report' }} replace />;
  }
  return (
    <div className={styles.named}>
      <Notice tone="warning">
        An earlier report of {patientName || 'no name'} ({patientId}), begun {formatMoment(createdAt)}. Its study has a
        newer one.{' '}
        <Link to="/studies/$id" params={{ id: named.data.studyId }} search={{ pane: 'report' }}>
          Open the study with the newer report
        </Link>
      </Notice>
      <WholeReport reportId={reportId} />
      {toAll}
    </div>
  );
}
