import { Button } from '@mantine/core';
import type { ReportOfStudy } from '@radwork/contract/reports';
import { IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { untilLapse } from '#core/until-lapse.ts';
import { whenIdle } from '#core/when-idle.ts';
import { LateReportEditor } from '#editor/late-report-editor.tsx';
import { EmptyState, ErrorState, Skeleton } from '#ui/states.tsx';
import { BeingRead } from './being-read.tsx';
import { reportOfStudy } from './report-actions.ts';
import { isTextOf, useKeptTexts } from './kept-texts.ts';
import { isCopyOf, localCopies } from './local-copies.ts';
import styles from './report-panel.module.css';
import { ReportReading } from './report-reading.tsx';
import type { ReportSlots } from './report-slots.ts';
import { ReportWriting } from './report-writing.tsx';
import { UnsavedTexts } from './unsaved-texts.tsx';

/** The report of a study: begun, written, reviewed, signed and shared here. */
export function ReportPanel({ studyId, slots = noSlots }: { studyId: string; slots?: ReportSlots }) {
  const found = useQuery({
    ...reportOfStudy(studyId),
    refetchInterval: ({ state }) => untilLapse([othersReading(state.data)], Infinity),
  });
  const kept = useKeptTexts(studyId);
  const [isStarted, setIsStarted] = useState<boolean>();
  const mayWrite = found.data?.canCreate === true || found.data?.report?.rights.canEdit === true;
  useEffect(() => (mayWrite ? whenIdle(() => fetchWriting(slots)) : undefined), [mayWrite, slots]);
  if (found.isPending || kept.isPending) return <Skeleton lines={8} label="Loading report" />;
  if (!found.data) {
    return (
      <>
        <ErrorState failed="Error loading report" error={found.error} onRetry={() => void found.refetch()} />
        <UnsavedTexts studyId={studyId} kept={kept.texts} />
      </>
    );
  }
  const { report, patient, canCreate, reasons, readingBy } = found.data;
  // A text that was begun and never saved is taken up again.
  const isLeft = localCopies(studyId).some(isCopyOf(null)) || kept.texts.some(isTextOf(null));
  const isNew = (isStarted ?? isLeft) && canCreate;
  const start = canCreate ? () => setIsStarted(true) : undefined;
  if (isNew || report?.rights.canEdit) {
    return (
      <ReportWriting
        studyId={studyId}
        report={isNew ? null : report}
        patient={patient}
        isAnother={report !== null}
        kept={kept.texts}
        slots={slots}
        onCreated={() => setIsStarted(false)}
      />
    );
  }
  const beingRead = (
    <>
      <BeingRead
        studyId={studyId}
        reading={readingBy}
        isAnother={report?.status === 'FINALIZED'}
        onTakenOver={() => setIsStarted(true)}
      />
      <UnsavedTexts studyId={studyId} kept={kept.texts} />
    </>
  );
  if (report)
    return <ReportReading key={report.id} report={report} beingRead={beingRead} slots={slots} onStart={start} />;
  return <NoReport beingRead={beingRead} reason={readingBy ? undefined : reasons[0]} onStart={start} />;
}

const noSlots: ReportSlots = {};

/** What somebody writes with opens at once when they begin. */
const fetchWriting = ({ fetchTools }: ReportSlots) => {
  void LateReportEditor.prefetch();
  void fetchTools?.();
};

const othersReading = (found: ReportOfStudy | undefined) => (found?.readingBy?.isMe ? null : found?.readingBy);

type NoReportProps = {
  beingRead: ReactNode;
  reason: string | undefined;
  onStart: (() => void) | undefined;
};

function NoReport({ beingRead, reason, onStart }: NoReportProps) {
  return (
    <div className={styles.panel}>
      <div className={styles.notices}>{beingRead}</div>
      <EmptyState
        icon={IconFileText}
        title="No report has been created for this study yet."
        detail={reason}
        action={onStart && <Button onClick={onStart}>Create report</Button>}
      />
    </div>
  );
}
