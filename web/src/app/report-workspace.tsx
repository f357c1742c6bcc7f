import { AddFindingAction } from '#features/critical-findings/add-finding-action.tsx';
import { CriticalFindingsNotice } from '#features/critical-findings/critical-findings-notice.tsx';
import { DictationTool } from '#features/dictation/dictation-tool.tsx';
import { ChecksTool } from '#features/report-checks/checks-tool.tsx';
import { SigningChecks } from '#features/report-checks/signing-checks.tsx';
import { DeliveryActions } from '#features/report-delivery/delivery-actions.tsx';
import { DraftingTool } from '#features/drafting/drafting-tool.tsx';
import { EnhanceTool } from '#features/drafting/enhance-tool.tsx';
import { OpenPassagesNotice } from '#features/drafting/open-passages-notice.tsx';
import { ReportPanel } from '#features/reports/report-panel.tsx';
import type { ReportSlots } from '#features/reports/report-slots.ts';
import { ShareAction } from '#features/sharing/share-action.tsx';
import { TemplatesTool } from '#features/templates/templates-tool.tsx';

const slots: ReportSlots = {
  actions: (report) => (
    <>
      <AddFindingAction report={report} />
      <ShareAction report={report} />
      <DeliveryActions report={report} />
    </>
  ),
  notices: (report) => (
    <>
      <CriticalFindingsNotice report={report} />
    </>
  ),
  selectionTools: ({ editor }) => <EnhanceTool editor={editor} />,
  tools: ({ editor, studyId }) => (
    <>
      <TemplatesTool editor={editor} studyId={studyId} />
      <DictationTool editor={editor} studyId={studyId} />
      <DraftingTool editor={editor} studyId={studyId} />
      <ChecksTool editor={editor} studyId={studyId} />
    </>
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
