import { t } from '@lingui/core/macro';
import { type Report, reports } from '@radwork/contract/reading/reports';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAuditedQuery } from '#core/http/audited-query.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { ReportBody } from './panel/report-body.tsx';
import styles from './list/reports-screen.module.css';

type Props = {
  reportId: string;
  /** Renders warnings to read before the text of the report. */
  notices: ((report: Report) => ReactNode) | undefined;
};

/** Shows a report with its addenda inside the list of reports. */
export function WholeReport({ reportId, notices }: Props) {
  const { data, error, refetch } = useQuery(useAuditedQuery(reports.get, { params: { id: reportId } }));
  if (error) return <ErrorState failed={t`Error loading report`} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={5} label={t`Loading report`} />;
  return (
    <article className={styles.reading} aria-label={t`Report text`}>
      {notices?.(data)}
      <ReportBody report={data} />
    </article>
  );
}
