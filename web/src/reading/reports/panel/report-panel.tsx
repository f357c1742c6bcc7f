import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { Autosave } from '@radwork/contract/reading/report-autosaves';
import type { ReportOfStudy } from '@radwork/contract/reading/reports';
import { IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { pollUntilLockExpiry } from '#core/http/lock-poll-interval.ts';
import { whenIdle } from '#core/browser/when-idle.ts';
import { ReportEditorOnDemand } from '#reading/editor/report-editor-on-demand.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { ReadingLockNotice } from '#reading/reports/locks/reading-lock-notice.tsx';
import { reportCommands } from '#reading/reports/report-commands.ts';
import { CommandTooltip } from '#ui/keyboard/command-tooltip.tsx';
import { useCommands } from '#ui/keyboard/commands.ts';
import { reportOfStudy } from './report-actions.ts';
import { isAutosaveOf, useAutosaves } from '#reading/reports/autosaves/autosaves.ts';
import { LoadingReport } from './loading-report.tsx';
import { isCopyOf, localCopies } from '#reading/reports/autosaves/local-copies.ts';
import { noReportTitle } from './no-report-title.ts';
import styles from './report-panel.module.css';
import { NewerPreliminary, PreliminaryReading } from '#reading/reports/preliminary/preliminary-reading.tsx';
import { ReportReading } from './report-reading.tsx';
import type { ReportSlots } from './report-slots.ts';
import { ReportWriting } from '#reading/reports/writing/report-writing.tsx';
import { UnsavedTexts } from '#reading/reports/autosaves/unsaved-texts.tsx';
import { useEndOfWriting } from '#reading/reports/writing/use-end-of-writing.ts';

type PanelProps = {
  studyId: string;
  slots?: ReportSlots;
  /** Whether a first report opens in the editor at once. Nothing is saved before the user writes. */
  startsWriting?: boolean;
  /** Text with which a first report begins. The editor opens when it is no longer pending. */
  ready?: ReadyReport;
  /** Called when the user begins a first report, so that its text is made ready. */
  onBegin?: () => void;
};

type ReadyReport = {
  /**
   * HTML, such as a filled template, and the patient record with which it was filled. It is not saved before the user
   * acts.
   */
  readyText?: { html: string; patientRecordId: string } | undefined;
  isPending: boolean;
};

/** The report of a study, from creation to sharing. */
export function ReportPanel({
  studyId,
  slots = noSlots,
  startsWriting = false,
  ready = nothingReady,
  onBegin = () => {},
}: PanelProps) {
  const reportQuery = useQuery({
    ...reportOfStudy(studyId),
    refetchInterval: ({ state }) => pollUntilLockExpiry([othersReading(state.data)], Infinity),
  });
  const autosaves = useAutosaves(studyId);
  const mayWrite = reportQuery.data?.canCreate === true || reportQuery.data?.report?.rights.canEdit === true;
  useEffect(() => (mayWrite ? whenIdle(() => fetchWriting(slots)) : undefined), [mayWrite, slots]);
  if (reportQuery.isPending || autosaves.isPending) return <LoadingReport />;
  if (!reportQuery.data) {
    return (
      <>
        <ErrorState
          failed={t`Error loading report`}
          error={reportQuery.error}
          onRetry={() => void reportQuery.refetch()}
        />
        <UnsavedTexts studyId={studyId} autosaves={autosaves.texts} />
      </>
    );
  }
  return (
    <FoundReport
      {...{ studyId, slots, startsWriting, ready, onBegin }}
      ofStudy={reportQuery.data}
      autosaves={autosaves.texts}
    />
  );
}

type FoundProps = Required<PanelProps> & { ofStudy: ReportOfStudy; autosaves: readonly Autosave[] };

/** Reason why the editor is open: the reader writes another report, or has taken over this report. */
type OpenReason = 'new' | 'taken over';

function FoundReport({ studyId, ofStudy, autosaves, slots, startsWriting, ready, onBegin }: FoundProps) {
  const { report, standing, patient, canCreate, reasons, readingBy } = ofStudy;
  const [opened, setOpened] = useState<OpenReason | 'nothing'>();
  const [reportId, setReportId] = useState(report?.id);
  // The new report was saved for the first time. From then on, it opens like any other report.
  if (report?.id !== reportId) {
    setReportId(report?.id);
    if (opened === 'new') setOpened('nothing');
  }
  const newReportCopies = localCopies(studyId).filter(isCopyOf(null));
  const isLeft = newReportCopies.length > 0 || autosaves.some(isAutosaveOf(null));
  // Whether to open the editor for a new report. An unsaved new report opens again unless it would hide an existing
  // report. In that case, the panel only offers the unsaved report.
  const isNew =
    canCreate && (opened === 'new' || (opened === undefined && (isLeft || startsWriting) && report === null));
  const isWriting = isNew || report?.rights.canEdit === true;
  const hasEnded = useEndOfWriting(isWriting);
  const openNew = () => {
    if (report === null) onBegin();
    setOpened('new');
  };
  const start = canCreate ? openNew : undefined;
  const close = () => setOpened('nothing');
  // An unsaved text does not wait for a template that it does not need.
  if (isNew && report === null && ready.isPending && !isLeft) return <LoadingReport />;
  if (isWriting) {
    return (
      <ReportWriting
        studyId={studyId}
        report={isNew ? null : report}
        signedReport={isNew ? (report ?? undefined) : standing}
        patient={patient}
        isAnother={report !== null}
        autosaves={autosaves}
        slots={slots}
        readyText={
          report === null && ready.readyText?.patientRecordId === patient.id ? ready.readyText.html : undefined
        }
        takesFocus={opened === 'new' || opened === 'taken over'}
        onBack={isNew && report ? close : undefined}
      />
    );
  }
  const beingRead = (
    <>
      <ReadingLockNotice
        studyId={studyId}
        reading={readingBy}
        isAnother={report?.status === 'FINALIZED'}
        onTakenOver={() => (report === null || report.status === 'FINALIZED' ? openNew() : setOpened('taken over'))}
      />
      {ofStudy.preliminary && <NewerPreliminary preliminary={ofStudy.preliminary} />}
      {/* A user who may create a report has a button to continue the unsaved report. */}
      <UnsavedTexts
        studyId={studyId}
        autosaves={canCreate ? autosaves.filter((text) => !isAutosaveOf(null)(text)) : autosaves}
        except={canCreate ? newReportCopies.map(({ name }) => name) : []}
      />
    </>
  );
  if (ofStudy.preliminary && !report) return <PreliminaryReading preliminary={ofStudy.preliminary} />;
  if (report) {
    return (
      <ReportReading
        key={report.id}
        report={report}
        signedReport={standing}
        beingRead={beingRead}
        slots={slots}
        onStart={start}
        isBegun={isLeft}
        takesFocus={hasEnded}
      />
    );
  }
  return <NoReport beingRead={beingRead} reason={readingBy ? undefined : reasons[0]} onStart={start} />;
}

const noSlots: ReportSlots = {};
const nothingReady: ReadyReport = { isPending: false };

/** Preloads the editor and its tools, so that writing can begin at once. */
const fetchWriting = ({ fetchTools }: ReportSlots) => {
  void ReportEditorOnDemand.prefetch();
  void fetchTools?.();
};

const othersReading = (ofStudy: ReportOfStudy | undefined) => (ofStudy?.readingBy?.isMe ? null : ofStudy?.readingBy);

type NoReportProps = {
  beingRead: ReactNode;
  reason: string | undefined;
  onStart: (() => void) | undefined;
};

function NoReport({ beingRead, reason, onStart }: NoReportProps) {
  useCommands([{ command: reportCommands.create, run: onStart }]);
  return (
    <div className={styles.panel}>
      <div className={styles.notices}>{beingRead}</div>
      <EmptyState
        icon={IconFileText}
        title={noReportTitle()}
        detail={reason}
        action={
          onStart && (
            <CommandTooltip command={reportCommands.create}>
              <Button onClick={onStart}>{t`Create report`}</Button>
            </CommandTooltip>
          )
        }
      />
    </div>
  );
}
