import { Button } from '@mantine/core';
import type { NamedPatient } from '@radwork/contract/named-patient';
import type { KeptText } from '@radwork/contract/report-autosaves';
import type { Report } from '@radwork/contract/reports';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ApiError, wordsFor } from '#core/api.ts';
import { toast } from '#core/toasts.ts';
import { LateReportEditor } from '#editor/late-report-editor.tsx';
import { formatMoment, formatMomentToday } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import { Skeleton } from '#ui/states.tsx';
import { useLeaveWarning } from '#ui/use-leave-warning.ts';
import { ActButton } from './act-button.tsx';
import { ChangedMeanwhile } from './changed-meanwhile.tsx';
import { CriticalFlag } from './critical-flag.tsx';
import { FinalizeDialog } from './finalize-dialog.tsx';
import { useCreateReport, useSaveReport } from './report-actions.ts';
import type { Words } from './local-copies.ts';
import { type Draft, isOfAnother, useReportDraft } from './report-draft.ts';
import { KeptElsewhere } from './kept-elsewhere.tsx';
import { giveUpText, isTextOf, noteGone } from './kept-texts.ts';
import { openPassagesHindrance } from './open-passages.ts';
import { UnsavedTexts } from './unsaved-texts.tsx';
import { Refiled } from './refiled.tsx';
import { ReportHead } from './report-head.tsx';
import type { ReportSlots } from './report-slots.ts';
import styles from './report-panel.module.css';
import { RequestReviewDialog } from './review-dialogs.tsx';
import { StandingReport } from './standing-report.tsx';
import { showDecision, TextOfAnother } from './text-of-another.tsx';
import { reportBytesLimit } from '#editor/report-bytes.ts';
import { hasWords } from '#editor/safe-html.ts';
import { useAutosave } from './use-autosave.ts';
import { useReadingLock } from './use-reading-lock.ts';
import { WaysBack } from './ways-back.tsx';

const textIsLeft = {
  question: 'Leave with unsaved text?',
  consequence: 'Your text is kept, and comes back when you open this report again.',
  verb: 'Leave without saving',
};

type Props = {
  studyId: string;
  /** The report that is written on; null while there is none. */
  report: Report | null;
  /** Under whom the study is filed now. */
  patient: NamedPatient;
  /** The signed report beside which this one is written. */
  standing: Report | undefined;
  /** Whether the study has a finalized report already. */
  isAnother: boolean;
  /** What the server keeps for the writer in this study. */
  kept: readonly KeptText[];
  slots: ReportSlots;
  /** Whether somebody has just opened it to write. */
  takesFocus: boolean;
  onCreated: () => void;
  /** Leads back to the signed report, whatever is written; absent where there is none or this one is stored. */
  onBack: (() => void) | undefined;
};

type Faults = { content?: string | undefined; details?: string | undefined };

/** Why a text cannot be saved as it is; the server says the same. */
const faultsOf = ({ content, hasCriticalFindings, criticalFindingsDetails }: Words): Faults => ({
  content: faultOfContent(content),
  details:
    hasCriticalFindings && !criticalFindingsDetails.trim() ? 'Critical findings details are required' : undefined,
});

const faultOfContent = (content: string): string | undefined => {
  if (!hasWords(content)) return 'Report content is required';
  const bytes = new TextEncoder().encode(content).length;
  return bytes > reportBytesLimit ? 'The report is larger than 5 MB' : undefined;
};

/** A report while it is written: the editor, its steps, and what the writer has to know. */
export function ReportWriting(props: Props) {
  const { studyId, report, standing, patient, isAnother, kept, slots, takesFocus, onCreated, onBack } = props;
  const client = useQueryClient();
  const writing = useReportDraft({ studyId, report, patient }, kept);
  const { draft } = writing;
  const settled = useAutosave(studyId, report, writing);
  const saving = useSaving({ studyId, report, patient, isAnother, onCreated }, writing, settled);
  const { step, goOn, leave, overtake } = useStep(saving.saveAll);
  useLeaveWarning(draft.isUnsaved, textIsLeft);
  useFollowing(report, patient, writing);
  const lock = useReadingLock(studyId, isAnother && report === null);

  // What was saved a moment ago is on its way to the screen; what is decided on is what is seen there.
  const isCurrent = report !== null && step?.seen !== undefined && report.revision >= step.seen.revision;

  const discard = async () => {
    await settled();
    const { keptId } = writing.latest();
    writing.adopt(null);
    if (keptId) void giveUpText(client, studyId, keptId);
    onBack?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    void saving.save();
  };

  return (
    // Ctrl S saves wherever the writer is in here.
    <div className={styles.panel} onKeyDown={onKeyDown}>
      <ReportHead
        report={report}
        note={noteOf(draft, report)}
        content={() => writing.latest().words.content}
        slots={slots}
        onCopy={writing.replace}
      >
        {onBack && (
          <WaysBack
            isUnsaved={draft.isUnsaved}
            onBack={() => {
              // What was typed last is kept before it is looked for.
              writing.latest();
              onBack();
            }}
            onDiscard={() => void discard()}
          />
        )}
        <Button variant="default" loading={saving.isPending} onClick={() => void saving.save()}>
          {report?.status === 'REVISION_REQUIRED' ? 'Save revision' : 'Save as draft'}
        </Button>
        {report && (
          <ActButton act="requestReview" variant="default" report={report} onClick={() => void goOn('review')}>
            Request review
          </ActButton>
        )}
        {report?.status === 'DRAFT' && (
          <ActButton
            act="finalize"
            report={report}
            hindrance={openPassagesHindrance(draft.words.content)}
            onClick={() => void goOn('finalize')}
          >
            Finalize
          </ActButton>
        )}
      </ReportHead>
      <div className={styles.notices}>
        {lock === 'uncertain' && (
          <Notice tone="warning">
            The server does not answer. Colleagues may no longer see that you write, and begin to write as well. Your
            text stays in this browser, and nobody overwrites the text of another.
          </Notice>
        )}
        {standing && <StandingReport report={standing} slots={slots} />}
        {report && slots.notices?.(report)}
        <WritingNotices
          studyId={studyId}
          report={report}
          patient={patient}
          kept={kept}
          writing={writing}
          fault={saving.faults.content ?? saving.refusal}
          onDecided={saving.reset}
        />
      </div>
      <LateReportEditor
        key={draft.generation}
        waiting={<Skeleton lines={8} label="Loading editor" />}
        start={draft.words.content}
        takesFocus={takesFocus}
        isHeld={step !== undefined}
        onChange={(content) => writing.write({ content })}
        onTouch={() => {
          overtake();
          writing.touch();
          saving.forgetFaults();
        }}
        onOpen={writing.onOpen}
        tools={(editor) => slots.tools?.({ editor, studyId, report })}
        selectionTools={(editor) => slots.selectionTools?.({ editor, studyId, report })}
      />
      <CriticalFlag
        words={draft.words}
        isHeld={step !== undefined}
        error={saving.faults.details}
        onChange={(part) => {
          writing.write(part);
          saving.forgetFaults();
        }}
      />
      {report && (
        <>
          <RequestReviewDialog
            report={report}
            seen={step?.seen}
            opened={step?.kind === 'review' && isCurrent}
            onClose={leave}
          />
          <FinalizeDialog
            report={report}
            seen={step?.seen}
            isShown={() => !writing.latest().isUnsaved}
            opened={step?.kind === 'finalize' && isCurrent}
            onClose={leave}
            remarks={slots.signing?.(report, leave)}
          />
        </>
      )}
    </div>
  );
}

type Writing = ReturnType<typeof useReportDraft>;

const noFaults: Faults = {};
type Step = {
  kind: 'review' | 'finalize';
  /** What is on the screen and on the server alike; undefined while it is being saved. */
  seen?: Report;
};

/**
 * What follows the writing concerns the text that the server has, so it gets this one first, with all that comes in while
 * it is saved. From the press of the button until the dialog is closed nobody writes in it.
 */
const useStep = (saveAll: () => Promise<Report | undefined>) => {
  const [step, setStep] = useState<Step>();
  return {
    step,
    goOn: async (kind: Step['kind']) => {
      setStep({ kind });
      const seen = await saveAll();
      setStep(seen && { kind, seen });
    },
    leave: () => setStep(undefined),
    /** Something has changed the text all the same: it has to be looked at again. */
    overtake: () => {
      if (!step?.seen) return;
      setStep(undefined);
      toast.failure('The text was changed. Nothing was signed or sent: please look at it again.');
    },
  };
};

const useSaving = (
  {
    studyId,
    report,
    patient,
    isAnother,
    onCreated,
  }: Pick<Props, 'studyId' | 'report' | 'patient' | 'isAnother' | 'onCreated'>,
  writing: Writing,
  settled: () => Promise<void>,
) => {
  const client = useQueryClient();
  const create = useCreateReport(patient, isAnother);
  const update = useSaveReport(report?.status === 'REVISION_REQUIRED');
  /** What is to be mended before the text can be sent; said once somebody has tried, until they change it. */
  const [faults, setFaults] = useState(noFaults);
  const answered = create.error ?? update.error;

  /** One at a time: of two at once the second would not know the version that the first one makes. */
  const onTheWay = useRef<Promise<Report | undefined>>(undefined);
  /** A report that was begun by a save whose answer has not reached the screen. */
  const begun = useRef<Report>(undefined);
  useEffect(() => {
    begun.current = undefined;
  }, [report]);

  /** Sends the text; the report as the server then has it, or undefined when it has not taken it. */
  const send = async (): Promise<Report | undefined> => {
    await settled();
    const draft = writing.latest();
    // A text goes to whom it was begun for and to nobody else.
    if (isOfAnother(draft, patient)) {
      showDecision();
      return undefined;
    }
    const { words, revision, keptId } = draft;
    const found = faultsOf(words);
    setFaults(found);
    if (found.content ?? found.details) return undefined;
    const body = { ...words, revision: revision ?? undefined, keptTextId: keptId ?? undefined };
    const target = report ?? begun.current;
    try {
      const answer = target
        ? await update.mutateAsync({ params: { id: target.id }, body })
        : await create.mutateAsync({ params: { id: studyId }, body: { ...body, patientId: patient.id } });
      if (!target) begun.current = answer;
      writing.saved(answer, words);
      if (keptId) noteGone(client, studyId, keptId);
      if (!target) onCreated();
      return answer;
    } catch (error) {
      // Somebody else was faster: what they did belongs on the screen.
      if (error instanceof ApiError && error.status === 409) await client.invalidateQueries({ queryKey: ['studies'] });
      return undefined;
    }
  };

  /** Who saves while a save is under way waits for it, and sends what it does not hold. */
  const save = async (): Promise<Report | undefined> => {
    while (onTheWay.current) {
      const answer = await onTheWay.current;
      if (!answer || !writing.latest().isUnsaved) return answer;
    }
    const sending = send().finally(() => {
      onTheWay.current = undefined;
    });
    onTheWay.current = sending;
    return sending;
  };

  /** Saves until nothing is unsaved; the report that is then on the screen, or undefined when the server did not take it. */
  const saveAll = async (): Promise<Report | undefined> => {
    let seen: Report | undefined = report ?? undefined;
    while (writing.latest().isUnsaved) {
      seen = await save();
      if (!seen) return undefined;
    }
    return seen;
  };

  return {
    save,
    saveAll,
    faults,
    /** They are about a text that is another one now. */
    forgetFaults: () => setFaults(noFaults),
    refusal: answered ? wordsFor(answered, answered.message) : undefined,
    isPending: create.isPending || update.isPending,
    /** What was refused last is no longer what stands in the way. */
    reset: () => {
      create.reset();
      update.reset();
    },
  };
};

/** Takes over a newer version, and another patient, unless there is a text here that it would replace. */
const useFollowing = (report: Report | null, patient: NamedPatient, { draft, adopt }: Writing) => {
  const isOutdated = report !== null && draft.revision !== null && report.revision > draft.revision;
  const follows = !draft.isUnsaved && (isOutdated || draft.patient?.id !== patient.id);
  useEffect(() => {
    if (follows) adopt(report);
  });
};

const noteOf = ({ isUnsaved, isKept, keptAt }: Draft, report: Report | null): string => {
  if (isUnsaved && keptAt) return `Kept at ${formatMomentToday(keptAt)}`;
  if (isUnsaved) return isKept ? 'Not saved yet' : 'Not saved yet, and this browser has no room to keep it';
  const [last] = report?.history ?? [];
  return last ? `Saved ${formatMomentToday(last.at)}` : '';
};

type NoticesProps = Pick<Props, 'studyId' | 'report' | 'patient' | 'kept'> & {
  writing: Writing;
  fault: string | undefined;
  /** The writer has said what becomes of a text that was begun for somebody else. */
  onDecided: () => void;
};

function WritingNotices({ studyId, report, patient, kept, writing, fault, onDecided }: NoticesProps) {
  const client = useQueryClient();
  const { draft } = writing;
  const adopt = (newer: Report | null) => {
    const { keptId } = writing.latest();
    writing.adopt(newer);
    if (keptId) void giveUpText(client, studyId, keptId);
  };
  const isHeld = isOfAnother(draft, patient);
  const isOutdated = report !== null && draft.isUnsaved && !isHeld && report.revision > (draft.revision ?? 0);
  const isSettled = !isHeld && !isOutdated;
  return (
    <>
      {isHeld && (
        <TextOfAnother
          begunFor={draft.patient}
          patient={patient}
          written={() => writing.latest().words.content}
          onConfirm={() => {
            writing.confirmPatient();
            onDecided();
          }}
          onDiscard={() => {
            adopt(report);
            onDecided();
          }}
        />
      )}
      {isOutdated && (
        <ChangedMeanwhile
          report={report}
          written={() => writing.latest().words.content}
          onKeep={writing.rebase}
          onAdopt={adopt}
        />
      )}
      {draft.isAside && (
        <KeptElsewhere
          other={kept.find(isTextOf(report))}
          onReplace={({ id }) => writing.replaceOther(id)}
          onTake={writing.takeOther}
        />
      )}
      {report && isSettled && <Refiled report={report} />}
      {fault && isSettled && <Notice tone="danger">{fault}</Notice>}
      {draft.restoredFrom && isSettled && (
        <Notice tone="info">Your text of {formatMoment(draft.restoredFrom)} is back. It is not saved yet.</Notice>
      )}
      {report?.status === 'REVISION_REQUIRED' && (
        <Notice tone="warning">
          {report.reviewer?.name} asks for a revision: {report.reviewComments}
        </Notice>
      )}
      <UnsavedTexts
        studyId={studyId}
        kept={kept.filter((text) => !isTextOf(report)(text))}
        except={[draft.name, draft.takenFrom?.name]}
        onTake={(copy) => {
          if (!writing.takeUp(copy)) toast.failure('This browser has no room for both texts: save this one first.');
        }}
      />
    </>
  );
}
