import { DictationTool } from '#features/dictation/dictation-tool.tsx';
import { ReportPanel } from '#features/reports/report-panel.tsx';
import type { ReportSlots } from '#features/reports/report-slots.ts';

const slots: ReportSlots = {
  tools: ({ editor, studyId }) => (
    <>
      <DictationTool editor={editor} studyId={studyId} />
    </>
  ),
};

/** The report of a study with everything that helps to write it; the features it is made of do not know each other. */
export function ReportWorkspace({ studyId }: { studyId: string }) {
  return <ReportPanel studyId={studyId} slots={slots} />;
}
