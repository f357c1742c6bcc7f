import { Button } from '@mantine/core';
import { portal, type PortalReport } from '@radwork/contract/portal';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { query } from '#core/api.ts';
import { formatLocal, formatMoment } from '#ui/formats.ts';
import { ErrorState, Skeleton } from '#ui/states.tsx';
import styles from './portal-page.module.css';
import { ReportText } from '#editor/report-text.tsx';

/** /portal/report/:hash: a finalized report for whoever holds its link. No account, no shell, readable on paper. */
export function PortalPage() {
  const hash = useParams({ strict: false, select: (params) => ('hash' in params ? String(params.hash) : '') });
  const report = useQuery({ ...query(portal.report, { params: { hash } }), retry: false, refetchOnWindowFocus: false });
  return (
    <main className={styles.page}>
      {report.isPending && <Skeleton lines={10} label="Loading report" />}
      {report.error && (
        <ErrorState
          failed="Failed to load report. Please try again later."
          error={report.error}
          onRetry={() => void report.refetch()}
        />
      )}
      {report.data && <SharedReport report={report.data} />}
    </main>
  );
}

function SharedReport({ report }: { report: PortalReport }) {
  const { tenantName, patientName, studyDescription, studyDate, modality, authorName, finalizedByName, finalizedAt } =
    report;
  return (
    <article className={styles.report}>
      <header className={styles.head}>
        <p className={styles.tenant}>{tenantName}</p>
        <Button
          className={styles.print ?? ''}
          variant="default"
          leftSection={<IconPrinter size={15} aria-hidden />}
          onClick={() => window.print()}
        >
          Print
        </Button>
        <h1>{patientName || 'No name'}</h1>
        <p className={styles.study}>
          {[studyDescription, modality, formatLocal(studyDate)].filter(Boolean).join(' · ')}
        </p>
      </header>
      <ReportText html={report.content} />
      <footer className={styles.foot}>
        {authorName !== finalizedByName && <p>Written by {authorName}</p>}
        <p>
          Signed by {finalizedByName}, {formatMoment(finalizedAt)}
        </p>
      </footer>
    </article>
  );
}
