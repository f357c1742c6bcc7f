import { t } from '@lingui/core/macro';
import { codeNeeded, portal, type PortalReport } from '@radwork/contract/reading/portal';
import type { LinkQuestion } from '@radwork/contract/reading/sharing';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, call } from '#core/http/api.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { PasscodeForm } from './passcode-form.tsx';
import { PdfButton } from './pdf-button.tsx';
import styles from './portal-page.module.css';
import { SharedReport } from './shared-report.tsx';

/**
 * Screen /portal/report/:hash: a finalized report for the recipient of a share link. It needs no account and can be
 * printed.
 */
export function PortalPage() {
  const hash = useParams({ strict: false, select: (params) => ('hash' in params ? String(params.hash) : '') });
  // Remounts when the link changes, because a passcode opens only its own link.
  return (
    <main className={styles.page}>
      <Opening key={hash} hash={hash} />
    </main>
  );
}

const questionIn = (error: Error | null): LinkQuestion | undefined => {
  if (!(error instanceof ApiError)) return undefined;
  if (error.error === codeNeeded.PASSCODE) return 'PASSCODE';
  return error.error === codeNeeded.BIRTH_DATE ? 'BIRTH_DATE' : undefined;
};

function Opening({ hash }: { hash: string }) {
  const [opened, setOpened] = useState<{ report: PortalReport; code: string }>();
  const report = useQuery({
    queryKey: ['portal', hash],
    queryFn: ({ signal }) => call(portal.report, { params: { hash } }, { signal, isAnonymous: true }),
    retry: false,
    // Each request counts as another opening of the link, so the page must not refetch.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Infinity,
  });
  const sharedReport = opened?.report ?? report.data;
  const question = questionIn(report.error);
  if (sharedReport) return <SharedReport report={sharedReport} pdf={<PdfButton hash={hash} code={opened?.code} />} />;
  if (report.isPending) return <Skeleton lines={10} label={t`Loading report`} />;
  if (question)
    return (
      <PasscodeForm
        hash={hash}
        question={question}
        onOpened={(opening, code) => setOpened({ report: opening, code })}
      />
    );
  return (
    <ErrorState
      isPage
      failed={t`Failed to load report. Please try again later.`}
      error={report.error}
      onRetry={() => void report.refetch()}
    />
  );
}
