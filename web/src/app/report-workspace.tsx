import { lazy, Suspense } from 'react';
import { AddFindingAction } from '#features/critical-findings/add-finding-action.tsx';
import { CriticalFindingsNotice } from '#features/critical-findings/critical-findings-notice.tsx';
import { SigningChecks } from '#features/report-checks/signing-checks.tsx';
import { DeliveryActions } from '#features/report-delivery/delivery-actions.tsx';
import { OpenPassagesNotice } from '#features/drafting/open-passages-notice.tsx';
import { ReportPanel } from '#features/reports/report-panel.tsx';
import type { ReportSlots } from '#features/reports/report-slots.ts';
import { ShareAction } from '#features/sharing/share-action.tsx';

const fetchTools = () => import('./writing-tools.tsx');

const WritingTools = lazy(async () => ({ default: (await fetchTools()).WritingTools }));
const SelectionTools = lazy(async () => ({ default: (await fetchTools()).SelectionTools }));

const slots: ReportSlots = {
  fetchTools,
  actions: (report) => (
    <>
      <AddFindingAction report={report} />
      <ShareAction report={report} />
      <DeliveryActions report={report} />
    </>
  ),
  notices: (report) => <CriticalFindingsNotice report={report} />,
  selectionTools: ({ editor }) => (
    <Suspense>
      <SelectionTools editor={editor} />
    </Suspense>
  ),
  tools: ({ editor, studyId }) => (
    <Suspense>
      <WritingTools editor={editor} studyId={studyId} />
    </Suspense>
  ),
  signing: (report, close) => (
    <>
      <OpenPassagesNotice report={report} />
      <SigningChecks report={report} onClose={close} />
    </>
  ),
};

/** The report of a study with everything that helps to write it; the features it is made of do not know each other. */
export function ReportWorkspace({ studyId }: { studyId: string }) {
  return <ReportPanel studyId={studyId} slots={slots} />;
}
