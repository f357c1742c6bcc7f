import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import { reportDeliveries } from '@radwork/contract/reading/report-delivery';
import type { Report, ReportRow } from '@radwork/contract/reading/reports';
import { reportLinks } from '@radwork/contract/reading/sharing';
import { IconQrcode, IconSend } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { may } from '#core/state/session.ts';
import { CriticalFindingsNotice } from '#reading/critical-findings/critical-findings-notice.tsx';
import { PdfMenu } from '#reading/report-delivery/pdf-menu.tsx';
import { LoadingReport } from '#reading/reports/panel/loading-report.tsx';
import { ReportsScreen } from '#reading/reports/list/reports-screen.tsx';
import { LeadImagesWindow } from '#app/viewers/lead-images-window.tsx';
import { LateReportReading } from '#app/reports/report-workspace-on-demand.tsx';

// The share dialog is loaded on demand, so that users of the list need not wait for its code.
const ShareDialog = lazy(async () => {
  const { ShareDialog: component } = await import('#reading/sharing/share-dialog.tsx');
  return { default: component };
});

const SendDialog = lazy(async () => {
  const { SendDialog: component } = await import('#reading/report-delivery/send-dialog.tsx');
  return { default: component };
});

/** Renders the actions of other features on a report in the list. */
const actions = (report: ReportRow) => (
  <>
    <ShareFromList report={report} />
    <PdfMenu report={report} size={26} />
    <SendFromList report={report} />
  </>
);

/** Passes `isWritten` as false, because this list has no report form that shows the text marked as critical. */
const notices = (report: Report) => <CriticalFindingsNotice report={report} isWritten={false} />;

const reading = (report: Report) => (
  <>
    <LeadImagesWindow studyId={report.studyId} />
    <LateReportReading key={report.id} report={report} waiting={<LoadingReport />} />
  </>
);

/** Screen /reports: reports visible to the user, with actions. */
export function ReportsPage() {
  return <ReportsScreen actions={actions} notices={notices} reading={reading} />;
}

function ShareFromList({ report }: { report: ReportRow }) {
  const { patientName } = report;
  const [opened, setOpened] = useState<boolean>();
  if (report.status !== 'FINALIZED' || !may(reportLinks.create)) return null;
  return (
    <>
      <Tooltip label={t`Share report`}>
        <ActionIcon aria-label={t`Share report of ${patientName}`} onClick={() => setOpened(true)}>
          <IconQrcode size={16} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      {opened !== undefined && (
        <Suspense>
          <ShareDialog report={report} opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}

function SendFromList({ report }: { report: ReportRow }) {
  const { patientName } = report;
  const [opened, setOpened] = useState<boolean>();
  if (report.status !== 'FINALIZED' || !may(reportDeliveries.send)) return null;
  return (
    <>
      <Tooltip label={t`Send report`}>
        <ActionIcon aria-label={t`Send report of ${patientName}`} onClick={() => setOpened(true)}>
          <IconSend size={16} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      {opened !== undefined && (
        <Suspense>
          <SendDialog report={report} opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}
