import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { NamedPatient } from '@radwork/contract/core/named-patient';
import type { Autosave } from '@radwork/contract/reading/report-autosaves';
import type { Report } from '@radwork/contract/reading/reports';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useIsDictating } from '#reading/editor/dictation/running-dictation.ts';
import { ReportEditorOnDemand } from '#reading/editor/report-editor-on-demand.tsx';
import { formatMomentToday } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { Skeleton } from '#ui/feedback/content-states.tsx';
import { useLeaveWarning } from '#ui/dialogs/use-leave-warning.ts';
import { CommentTool, WritingComments } from '#reading/reports/comments/writing-comments.tsx';
import { ReportActionButton } from '#reading/reports/panel/report-action-button.tsx';
import { CriticalFlag } from '#reading/reports/panel/critical-flag.tsx';
import { FinalizeDialog } from '#reading/reports/signing/finalize-dialog.tsx';
import type { Draft } from './draft.ts';
import { useReportDraft, type ReportDraft } from './report-draft.ts';
import { discardAutosave } from '#reading/reports/autosaves/autosaves.ts';
import { openPassagesHindrance } from './open-passages.ts';
import { PreliminaryDialog } from '#reading/reports/preliminary/preliminary-dialog.tsx';
import { PreliminaryNotice } from '#reading/reports/preliminary/preliminary-notice.tsx';
import { ReportHead } from '#reading/reports/panel/report-head.tsx';
import type { ReportSlots } from '#reading/reports/panel/report-slots.ts';
import styles from '#reading/reports/panel/report-panel.module.css';
import { RequestReviewDialog } from '#reading/reports/signing/review-dialogs.tsx';
import { SignedReportLink } from '#reading/reports/panel/signed-report-link.tsx';
import { ReturnToText } from './return-to-text.tsx';
import { useAutosave } from '#reading/reports/autosaves/use-autosave.ts';
import { useReadingLock } from '#reading/reports/locks/use-reading-lock.ts';
import { LeaveNewReport } from '#reading/reports/ways-back.tsx';
import { useCompleteText } from './use-complete-text.ts';
import { useSaving } from './use-saving.ts';
import { useStepAfterSave } from './use-step-after-save.ts';
import { WritingNotices } from './writing-notices.tsx';

const textIsLeft = {
  question: t`Leave with unsaved text?`,
  consequence: t`Your text is autosaved. Open this report again to continue.`,
  verb: t`Leave without saving`,
};

type Props = {
  studyId: string;
  /** Report being edited; null before the first save. */
  report: Report | null;
  /** Current patient of the study. */
  patient: NamedPatient;
  /** Signed report of the same study. */
  signedReport: Report | undefined;
  /** Whether the study already has a finalized report. */
  isAnother: boolean;
  /** The user's autosaves on the server for this study. */
  autosaves: readonly Autosave[];
  slots: ReportSlots;
  /** HTML with which a first report begins. */
  readyText?: string | undefined;
  /** Whether the user has just opened the editor. */
  takesFocus: boolean;
  /** Returns to the signed report; undefined if there is none, or if this report is already saved. */
  onBack: (() => void) | undefined;
};

/** Editor of a report with its next steps and notices. */
export function ReportWriting(props: Props) {
  const { studyId, report, signedReport, patient, isAnother, autosaves, slots, takesFocus, onBack } = props;
  const { readyText } = props;
  const client = useQueryClient();
  const writing = useReportDraft({ studyId, report, patient, readyText }, autosaves);
  const { draft } = writing;
  const isReady = report === null && !draft.isUnsaved && draft.words.content !== '';
  const settled = useAutosave(studyId, report, writing);
  const saving = useSaving({ studyId, report, patient, isAnother }, writing, settled);
  const { step, goOn, leave, overtake } = useStepAfterSave(saving.saveAll);
  const missing = useCompleteText(studyId, step !== undefined, leave);
  const phrases = missing === undefined ? undefined : { reason: missing };
  useLeaveWarning(draft.isUnsaved, textIsLeft);
  useFollowing(report, patient, writing, {
    readyText,
    isSaving: saving.isPending,
    isDictating: useIsDictating(studyId),
  });
  // Before the editor shows the text, the user cannot have read it.
  const [isShowing, setShowing] = useState(false);
  const isWaiting = report === null && !isShowing;
  const lock = useReadingLock(studyId, isAnother && report === null);

  // Whether the screen shows the version just saved. The dialog waits until it does.
  const isCurrent = report !== null && step?.seen !== undefined && report.revision >= step.seen.revision;

  const discard = async () => {
    await settled();
    const { keptId } = writing.latest();
    writing.adopt(null);
    if (keptId) void discardAutosave(client, studyId, keptId);
    onBack?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    if (!isWaiting) void saving.save();
  };

  return (
    // Ctrl+S saves from anywhere in the panel.
    <div className={styles.panel} onKeyDown={onKeyDown}>
      <ReportHead
        report={report}
        note={isReady ? t`From template. Nothing is saved yet.` : noteOf(draft, report)}
        content={() => writing.latest().words.content}
        slots={slots}
        onCopy={writing.replace}
      >
        {onBack && (
          <LeaveNewReport
            isUnsaved={draft.isUnsaved}
            onBack={() => {
              // Stores the last keystrokes before the panel lists the unsaved texts.
              writing.latest();
              onBack();
            }}
            onDiscard={() => void discard()}
          />
        )}
        <Button variant="default" loading={saving.isPending} disabled={isWaiting} onClick={() => void saving.save()}>
          {report?.status === 'REVISION_REQUIRED' ? t`Save revision` : t`Save as draft`}
        </Button>
        <ReportActionButton
          act="issuePreliminary"
          variant="default"
          report={report}
          hindrance={phrases ?? openPassagesHindrance(draft.words.content)}
          loading={isWaiting}
          onClick={() => void goOn('preliminary')}
        >
          {t`Preliminary`}
        </ReportActionButton>
        <ReportActionButton
          act="requestReview"
          variant="default"
          report={report}
          hindrance={phrases}
          loading={isWaiting}
          onClick={() => void goOn('review')}
        >
          {t`Request review`}
        </ReportActionButton>
        {(report === null || report.status === 'DRAFT') && (
          <ReportActionButton
            act="finalize"
            report={report}
            hindrance={phrases ?? openPassagesHindrance(draft.words.content)}
            loading={isWaiting}
            onClick={() => void goOn('finalize')}
          >
            {t`Finalize`}
          </ReportActionButton>
        )}
      </ReportHead>
      <div className={styles.notices}>
        {lock === 'uncertain' && (
          <Notice tone="warning">
            {t`The server is not responding. Other users may not see that you are writing and may start writing too. Your text stays in this browser, and no text is overwritten.`}
          </Notice>
        )}
        {signedReport && <SignedReportLink report={signedReport} slots={slots} />}
        {report && slots.notices?.(report)}
        {report && <PreliminaryNotice report={report} />}
        <WritingNotices
          studyId={studyId}
          report={report}
          patient={patient}
          autosaves={autosaves}
          writing={writing}
          fault={saving.faults.content ?? saving.refusal}
          onDecided={saving.reset}
        />
      </div>
      <ReportEditorOnDemand
        key={draft.generation}
        waiting={<Skeleton lines={8} label={t`Loading editor`} />}
        start={draft.words.content}
        takesFocus={takesFocus && (isReady ? 'field' : 'end')}
        isHeld={step !== undefined}
        onChange={(content) => writing.write({ content })}
        onTouch={() => {
          overtake();
          writing.touch();
          saving.forgetFaults();
        }}
        onLook={writing.look}
        onOpen={(...opened) => {
          writing.onOpen(...opened);
          setShowing(true);
        }}
        tools={(editor) => slots.tools?.({ editor, studyId, report })}
        selectionTools={(editor) => (
          <>
            {slots.selectionTools?.({ editor, studyId, report })}
            {report && <CommentTool editor={editor} />}
          </>
        )}
        aside={(editor) => report && <WritingComments editor={editor} report={report} />}
      />
      <ReturnToText />
      <CriticalFlag
        words={draft.words}
        isHeld={step !== undefined}
        error={saving.faults.details}
        onChange={(part) => {
          writing.write(part);
          saving.forgetFaults();
        }}
      />
      {draft.words.hasCriticalFindings && <ReturnToText />}
      {report && (
        <>
          <RequestReviewDialog
            report={report}
            seen={step?.seen}
            opened={step?.kind === 'review' && isCurrent}
            onClose={leave}
          />
          <PreliminaryDialog
            report={report}
            seen={step?.seen}
            isShown={() => !writing.latest().isUnsaved}
            opened={step?.kind === 'preliminary' && isCurrent}
            onClose={leave}
            onIssued={(issued) => writing.saved(issued, writing.latest().words)}
            remarks={slots.signing?.(report, leave)}
          />
          <FinalizeDialog
            report={report}
            seen={step?.seen}
            isShown={() => !writing.latest().isUnsaved}
            opened={step?.kind === 'finalize' && isCurrent}
            onClose={leave}
            afterSigning={slots.afterSigning}
            remarks={slots.signing?.(report, leave)}
          />
        </>
      )}
    </div>
  );
}

/**
 * Takes over a newer version, another patient, another ready text, or a report that another user or window has saved.
 * Does so only if no unsaved text would be replaced.
 */
const useFollowing = (
  report: Report | null,
  patient: NamedPatient,
  { draft, latest, adopt }: ReportDraft,
  { readyText, isSaving, isDictating }: { readyText: string | undefined; isSaving: boolean; isDictating: boolean },
) => {
  const isOutdated = report !== null && (draft.revision === null || report.revision > draft.revision);
  // A template waits for a dictation: a new editor would cut off the words in progress.
  const isOtherReady = report === null && readyText !== undefined && draft.readyText !== readyText && !isDictating;
  // A save in progress tells the draft itself what it has stored.
  const follows = !draft.isUnsaved && !isSaving && (isOutdated || isOtherReady || draft.patient?.id !== patient.id);
  useEffect(() => {
    // Looks again: the user may have typed after this was rendered.
    if (follows && !latest().isUnsaved) adopt(report);
  });
};

const noteOf = ({ isUnsaved, isStoredInBrowser, autosavedAt }: Draft, report: Report | null): string => {
  const [last] = report?.history ?? [];
  const at = isUnsaved ? autosavedAt : last?.at;
  const time = at ? formatMomentToday(at) : '';
  if (isUnsaved && time) return t`Autosaved ${time}`;
  if (isUnsaved) return isStoredInBrowser ? t`Not saved` : t`Not saved. This browser cannot store the text`;
  return time && t`Saved ${time}`;
};
