import type { ReadingQueue } from '@radwork/contract/reading/reading-queue';
import type { Report } from '@radwork/contract/reading/reports';
import { useNextStudy } from '#app/reading-mode/use-next-study.ts';
import { ReportEditorOnDemand } from '#reading/editor/report-editor-on-demand.tsx';
import { AddFollowUpAction } from '#reading/follow-ups/add-follow-up-action.tsx';
import { FollowUpNotice } from '#reading/follow-ups/follow-up-notice.tsx';
import { SigningFollowUps } from '#reading/follow-ups/signing-follow-ups.tsx';
import { AddFindingAction } from '#reading/critical-findings/add-finding-action.tsx';
import { CriticalFindingsNotice } from '#reading/critical-findings/critical-findings-notice.tsx';
import { SigningChecks } from '#reading/report-checks/signing-checks.tsx';
import { DeliveryActions } from '#reading/report-delivery/delivery-actions.tsx';
import { OutdatedCopiesNotice } from '#reading/report-delivery/outdated-copies-notice.tsx';
import { OpenPassagesNotice } from '#reading/drafting/open-passages-notice.tsx';
import { useReadyTemplate } from '#reading/templates/use-ready-template.ts';
import { ReportPanel } from '#reading/reports/panel/report-panel.tsx';
import { ReportReading } from '#reading/reports/panel/report-reading.tsx';
import type { ReportSlots } from '#reading/reports/panel/report-slots.ts';
import { UnseenPartsNotice } from '#reading/reports/signing/unseen-parts-notice.tsx';
import { ShareAction } from '#reading/sharing/share-action.tsx';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { loadOnDemand } from '#ui/feedback/on-demand.tsx';

const WritingTools = loadOnDemand(async () => (await import('./writing-tools.tsx')).WritingTools);
const AddendumTools = loadOnDemand(async () => (await import('./writing-tools.tsx')).AddendumTools);
const SelectionTools = loadOnDemand(async () => (await import('./writing-tools.tsx')).SelectionTools);

/** Prefetches the editor and the writing tools. */
export const fetchWriting = (): void => {
  void ReportEditorOnDemand.prefetch();
  void WritingTools.prefetch();
};

const slots: ReportSlots = {
  fetchTools: WritingTools.prefetch,
  actions: (report) => (
    <>
      <AddFindingAction report={report} />
      <AddFollowUpAction report={report} />
      <ShareAction report={report} />
      <DeliveryActions report={report} />
    </>
  ),
  notices: (report) => (
    <>
      <CriticalFindingsNotice report={report} />
      <FollowUpNotice report={report} />
      <OutdatedCopiesNotice report={report} />
    </>
  ),
  selectionTools: ({ editor }) => <SelectionTools editor={editor} />,
  tools: ({ editor, studyId }) => <WritingTools editor={editor} studyId={studyId} />,
  addendumTools: ({ editor, studyId }) => <AddendumTools editor={editor} studyId={studyId} />,
  signing: (report, close) => (
    <>
      <OpenPassagesNotice report={report} onClose={close} />
      <UnseenPartsNotice report={report} onClose={close} />
      <SigningChecks report={report} onClose={close} />
      <SigningFollowUps report={report} />
    </>
  ),
};

/** One report with all its actions. */
export function WholeReportReading({ report }: { report: Report }) {
  return <ReportReading report={report} beingRead={null} slots={slots} />;
}

/**
 * Report of a study with all tools for writing. A first report begins with the best template, which is fetched when the
 * user begins. The features are combined here, because they do not import each other.
 */
export function ReportWorkspace({ studyId }: { studyId: string }) {
  const [begunFor, setBegunFor] = useState<string>();
  const ready = useReadyTemplate(studyId, { isNeeded: begunFor === studyId });
  return <ReportPanel studyId={studyId} slots={slots} ready={ready} onBegin={() => setBegunFor(studyId)} />;
}

/** Report of a study in reading mode: the editor is open, and signing opens the next study of the queue. */
export function ReadingWorkspace({ studyId, queue }: { studyId: string; queue: ReadingQueue }) {
  const { open } = useNextStudy(queue);
  const router = useRouter();
  const goOn = useRef<(id: string) => void>(undefined);
  useEffect(() => {
    goOn.current = (id) => {
      // The reader may have left the study while it was being signed.
      if (router.state.location.pathname.includes(id)) open(id);
    };
  });
  const readingSlots = useMemo(() => ({ ...slots, afterSigning: () => goOn.current?.(studyId) }), [studyId]);
  const ready = useReadyTemplate(studyId, { isNeeded: true });
  return <ReportPanel studyId={studyId} slots={readingSlots} startsWriting ready={ready} />;
}
