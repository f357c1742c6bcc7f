import { Button } from '@mantine/core';
import type { Report } from '@radwork/contract/reports';
import { type ReactNode, useState } from 'react';
import desk from '#editor/desk.module.css';
import { formatMoment } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import { ActButton } from './act-button.tsx';
import { AddendumWriting } from './addendum-writing.tsx';
import { FinalizeDialog } from './finalize-dialog.tsx';
import { Refiled } from './refiled.tsx';
import { openPassagesHindrance } from './open-passages.ts';
import { ReportHead } from './report-head.tsx';
import type { ReportSlots } from './report-slots.ts';
import styles from './report-panel.module.css';
import { AddendaFollow, PartText, SignedAddenda } from './signed-addenda.tsx';
import { SignedBlock } from './signed-block.tsx';
import { hasBegunAddendum } from './use-addendum.ts';
import { SubmitReviewDialog } from './review-dialogs.tsx';

type Props = {
  report: Report;
  /** Who else writes it, if somebody does. */
  beingRead: ReactNode;
  slots: ReportSlots;
  /** Begins another report; absent where the reader may not. */
  onStart: (() => void) | undefined;
};

type Step = 'review' | 'finalize';

/** A report that the caller reads and does not write: the text as it is, and the steps that are theirs. */
export function ReportReading({ report, beingRead, slots, onStart }: Props) {
  const [step, setStep] = useState<Step>();
  const close = () => setStep(undefined);
  const { canAddend } = report.rights;
  const [isAdding, setIsAdding] = useState(() => hasBegunAddendum(report));
  return (
    <div className={styles.panel}>
      <ReportHead report={report} note={noteOf(report)} content={() => report.content} slots={slots}>
        <Steps report={report} onStart={onStart} onStep={setStep} />
        {canAddend && !isAdding && (
          <Button variant="default" onClick={() => setIsAdding(true)}>
            Add addendum
          </Button>
        )}
      </ReportHead>
      <div className={styles.notices}>
        {beingRead}
        {slots.notices?.(report)}
        <Refiled report={report} />
        {report.reviewComments && report.reviewer && report.status !== 'FINALIZED' && (
          <Notice tone="info">
            {report.reviewer.name}: {report.reviewComments}
          </Notice>
        )}
      </div>
      {/* A long report is scrolled with the keyboard too, and nothing in it takes the focus. */}
      <div className={desk.desk} tabIndex={0}>
        <article className={desk.paper} aria-label="Report text">
          <AddendaFollow addenda={report.addenda} />
          <PartText number={0} content={report.content} />
          <Signature report={report} />
          <SignedAddenda addenda={report.addenda} />
        </article>
      </div>
      {canAddend && isAdding && <AddendumWriting key={report.id} report={report} onClose={() => setIsAdding(false)} />}
      <SubmitReviewDialog report={report} opened={step === 'review'} onClose={close} />
      <FinalizeDialog
        report={report}
        opened={step === 'finalize'}
        onClose={close}
        remarks={slots.signing?.(report, close)}
      />
    </div>
  );
}

function Steps({ report, onStart, onStep }: Omit<Props, 'beingRead' | 'slots'> & { onStep: (step: Step) => void }) {
  return (
    <>
      {report.status === 'PENDING_REVIEW' && (
        <ActButton act="submitReview" report={report} onClick={() => onStep('review')}>
          Submit review
        </ActButton>
      )}
      {(report.status === 'APPROVED' || report.status === 'DRAFT') && (
        <ActButton
          act="finalize"
          report={report}
          hindrance={openPassagesHindrance(report.content)}
          onClick={() => onStep('finalize')}
        >
          Finalize
        </ActButton>
      )}
      {report.status === 'FINALIZED' && onStart && (
        <Button variant="default" onClick={onStart}>
          New report
        </Button>
      )}
    </>
  );
}

const noteOf = ({ author, reviewer, status, finalizedAt }: Report): string => {
  if (finalizedAt) return formatMoment(finalizedAt);
  return status === 'PENDING_REVIEW' && reviewer ? `With ${reviewer.name}` : `By ${author.name}`;
};

function Signature({ report }: { report: Report }) {
  const { finalizedBy, finalizedAt, contentHash, isUnchanged } = report;
  if (!finalizedBy || !finalizedAt || contentHash === null || isUnchanged === null) return null;
  return <SignedBlock signed={{ ...report, finalizedBy, finalizedAt, contentHash, isUnchanged }} />;
}
