import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { feedbackVersions } from '@radwork/contract/reading/report-feedback';
import { type Report, reports } from '@radwork/contract/reading/reports';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAuditedQuery } from '#core/http/audited-query.ts';
import { useSession } from '#core/state/session.ts';
import { SideDialog } from '#ui/dialogs/dialog.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { VersionDifference } from '#reading/reports/history/version-difference.tsx';
import { useMarkFeedback } from './use-feedback.ts';

/**
 * Button that compares the text that the user submitted with the text that a colleague approved or signed. Shown only to
 * the author.
 */
export function WhatChanged({ report }: { report: Report }) {
  const [isOpen, setOpen] = useState(false);
  const mark = useMarkFeedback();
  const userId = useSession()?.user.id;
  const versions = userId === report.author.id ? feedbackVersions(report.history, userId) : undefined;
  if (!versions) return null;
  const open = () => {
    setOpen(true);
    mark.mutate({ params: { id: report.id }, body: { isRead: true } });
  };
  return (
    <>
      <Button variant="default" onClick={open}>
        {t`What changed`}
      </Button>
      <SideDialog opened={isOpen} onClose={() => setOpen(false)} position="right" size={620} title={t`What changed`}>
        <VersionDifference report={report} first={versions} />
      </SideDialog>
    </>
  );
}

/** Comparison of a report of the list. */
export function FeedbackComparison({ reportId }: { reportId: string }) {
  const { data, error, refetch } = useQuery(useAuditedQuery(reports.get, { params: { id: reportId } }));
  if (error) return <ErrorState failed={t`Error loading report`} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={5} label={t`Loading report`} />;
  const versions = feedbackVersions(data.history, data.author.id);
  return <VersionDifference report={data} {...(versions && { first: versions })} />;
}
