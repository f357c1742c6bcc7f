import { Button } from '@mantine/core';
import type { Report } from '@radwork/contract/reports';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, lazy, Suspense, useEffect, useState } from 'react';
import { ApiError, wordsFor } from '#core/api.ts';
import { formatMoment, formatMomentToday } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import { Skeleton } from '#ui/states.tsx';
import { useLeaveWarning } from '#ui/use-leave-warning.ts';
import { ActButton } from './act-button.tsx';
import { ChangedMeanwhile } from './changed-meanwhile.tsx';
import { CriticalFindings, CriticalFlag } from './critical-findings.tsx';
import { FinalizeDialog } from './finalize-dialog.tsx';
import { useCreateReport, useSaveReport } from './report-actions.ts';
import { type Draft, draftName, useReportDraft, type Words } from './report-draft.ts';
import { LeftoverText } from './leftover-text.tsx';
import { Refiled } from './refiled.tsx';
import { ReportHead } from './report-head.tsx';
import type { ReportSlots } from './report-slots.ts';
import styles from './report-panel.module.css';
import { RequestReviewDialog } from './review-dialogs.tsx';
import { hasWords } from '#editor/safe-html.ts';
import { useReadingLock } from './use-reading-lock.ts';

const textIsLeft = {
  question: 'Leave with unsaved text?',
  consequence: 'Your text is kept in this browser and comes back when you open this report here again.',
  verb: 'Leave without saving',
};

// The editing engine is large; whoever only reads reports does not wait for it.
const ReportEditor = lazy(async () => {
  const { ReportEditor: component } = await import('#editor/report-editor.tsx');
  return { default: component };
});

type Props = {
  studyId: string;
  /** The report that is written on; null while there is none. */
  report: Report | null;
  /** Whether the study has a finalized report already. */
  isAnother: boolean;
  slots: ReportSlots;
  onCreated: () => void;
};

/** Why a text cannot be saved as it is; the server says the same. */
const faultsOf = ({ content, hasCriticalFindings, criticalFindingsDetails }: Words) => ({
  content: hasWords(content) ? undefined : 'Report content is required',
  details:
    hasCriticalFindings && !criticalFindingsDetails.trim() ? 'Critical findings details are required' : undefined,
});

/** A report while it is written: the editor, its steps, and what the writer has to know. */
export function ReportWriting({ studyId, report, isAnother, slots, onCreated }: Props) {
  const writing = useReportDraft(studyId, report);
  const { draft } = writing;
  const saving = useSaving({ studyId, report, isAnother, onCreated }, writing);
  const [step, setStep] = useState<'review' | 'finalize'>();
  useLeaveWarning(draft.isUnsaved, textIsLeft);
  useFollowing(report, writing);
  const lock = useReadingLock(studyId, isAnother && report === null);

  /** The steps that follow concern the text that the server has, so it gets this one first. */
  const goOn = async (next: 'review' | 'finalize') => {
    if (!draft.isUnsaved || (await saving.save())) setStep(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    void saving.save();
  };

  return (
    // Ctrl S saves wherever the writer is in here.
    <div className={styles.panel} onKeyDown={onKeyDown}>
      <ReportHead report={report} note={noteOf(draft, report)} content={draft.words.content} slots={slots}>
        <Button variant="default" loading={saving.isPending} onClick={() => void saving.save()}>
          {report?.status === 'REVISION_REQUIRED' ? 'Save revision' : 'Save as draft'}
        </Button>
        {report && (
          <ActButton act="requestReview" variant="default" report={report} onClick={() => void goOn('review')}>
            Request review
          </ActButton>
        )}
        {report?.status === 'DRAFT' && (
          <ActButton act="finalize" report={report} onClick={() => void goOn('finalize')}>
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
        {report && slots.notices?.(report)}
        <WritingNotices report={report} writing={writing} fault={saving.faults.content ?? saving.refusal} />
      </div>
      <Suspense fallback={<Skeleton lines={8} label="Loading editor" />}>
        <ReportEditor
          key={draft.generation}
          start={draft.words.content}
          onChange={(content) => writing.write({ content })}
          tools={(editor) => slots.tools?.({ editor, studyId, report })}
        />
      </Suspense>
      <CriticalFlag words={draft.words} error={saving.faults.details} onChange={writing.write} />
      {report && (
        <>
          <RequestReviewDialog report={report} opened={step === 'review'} onClose={() => setStep(undefined)} />
          <FinalizeDialog report={report} opened={step === 'finalize'} onClose={() => setStep(undefined)} />
        </>
      )}
    </div>
  );
}

type Writing = ReturnType<typeof useReportDraft>;

const useSaving = ({ studyId, report, isAnother, onCreated }: Omit<Props, 'slots'>, writing: Writing) => {
  const client = useQueryClient();
  const create = useCreateReport(isAnother);
  const update = useSaveReport();
  const [isChecked, setIsChecked] = useState(false);
  const faults = faultsOf(writing.draft.words);
  const answered = create.error ?? update.error;

  /** Sends the text; whether the server has it now. */
  const save = async (): Promise<boolean> => {
    const { words, revision } = writing.latest();
    const { content, details } = faultsOf(words);
    setIsChecked(Boolean(content ?? details));
    if (content ?? details) return false;
    const body = { ...words, revision: revision ?? undefined };
    try {
      const answer = report
        ? await update.mutateAsync({ params: { id: report.id }, body })
        : await create.mutateAsync({ params: { id: studyId }, body });
      writing.saved(answer, words);
      if (!report) onCreated();
      return true;
    } catch (error) {
      // Somebody else was faster: what they did belongs on the screen.
      if (error instanceof ApiError && error.status === 409) await client.invalidateQueries({ queryKey: ['studies'] });
      return false;
    }
  };
  return {
    save,
    /** What is to be mended before the text can be sent; said once somebody has tried. */
    faults: isChecked ? faults : { content: undefined, details: undefined },
    refusal: answered ? wordsFor(answered, answered.message) : undefined,
    isPending: create.isPending || update.isPending,
  };
};

/** Takes over a newer version, unless there is a text here that it would replace. */
const useFollowing = (report: Report | null, { draft, adopt }: Writing) => {
  const isOutdated = report !== null && draft.revision !== null && report.revision > draft.revision;
  const follows = isOutdated && !draft.isUnsaved;
  useEffect(() => {
    if (follows) adopt(report);
  });
};

const noteOf = ({ isUnsaved, isKept }: Draft, report: Report | null): string => {
  if (isUnsaved) return isKept ? 'Not saved yet' : 'Not saved yet, and this browser has no room to keep it';
  const [last] = report?.history ?? [];
  return last ? `Saved ${formatMomentToday(last.at)}` : '';
};

function WritingNotices(props: { report: Report | null; writing: Writing; fault: string | undefined }) {
  const { report, writing, fault } = props;
  const { draft } = writing;
  // Until its first save is answered, the text of a report that is begun here is kept under its study.
  const [isBegunHere] = useState(report === null);
  const isOutdated = report !== null && draft.isUnsaved && report.revision > (draft.revision ?? 0);
  return (
    <>
      {isOutdated && <ChangedMeanwhile report={report} onKeep={writing.rebase} onAdopt={writing.adopt} />}
      {report && !isOutdated && <Refiled report={report} />}
      {fault && !isOutdated && <Notice tone="danger">{fault}</Notice>}
      {draft.restoredFrom && !isOutdated && (
        <Notice tone="info">Your text of {formatMoment(draft.restoredFrom)} is back. It is not saved yet.</Notice>
      )}
      {report?.status === 'REVISION_REQUIRED' && (
        <Notice tone="warning">
          {report.reviewer?.name} asks for a revision: {report.reviewComments}
        </Notice>
      )}
      {report && !isBegunHere && <LeftoverText name={draftName(report.studyId, null)} />}
      {report && report.criticalFindings.length > 0 && <CriticalFindings report={report} />}
    </>
  );
}
