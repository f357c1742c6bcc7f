import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { Report } from '@radwork/contract/reading/reports';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import desk from '#reading/editor/desk.module.css';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { CommandTooltip } from '#ui/keyboard/command-tooltip.tsx';
import { useCommands } from '#ui/keyboard/commands.ts';
import { reportCommands } from '#reading/reports/report-commands.ts';
import { pauseCharacterShortcuts } from '#ui/keyboard/shortcuts.ts';
import { ReportActionButton } from './report-action-button.tsx';
import { CommentedReport } from '#reading/reports/comments/commented-report.tsx';
import { AddendumWriting } from '#reading/reports/addenda/addendum-writing.tsx';
import { FinalizeDialog } from '#reading/reports/signing/finalize-dialog.tsx';
import { WhatChanged } from '#reading/reports/feedback/what-changed.tsx';
import { StudyMovedNotice } from '#reading/reports/writing/study-moved.tsx';
import { openPassagesHindrance } from '#reading/reports/writing/open-passages.ts';
import { PreliminaryNotice } from '#reading/reports/preliminary/preliminary-notice.tsx';
import { ReportBody } from './report-body.tsx';
import { ReportHead } from './report-head.tsx';
import type { ReportSlots } from './report-slots.ts';
import styles from './report-panel.module.css';
import { SignedReportLink } from './signed-report-link.tsx';
import { takeLostFocus } from '#reading/reports/writing/use-end-of-writing.ts';
import { hasBegunAddendum } from '#reading/reports/addenda/use-addendum.ts';
import { RerouteReviewDialog, SubmitReviewDialog } from '#reading/reports/signing/review-dialogs.tsx';

type Props = {
  report: Report;
  /** Signed report of the same study, if this report is unsigned. */
  signedReport?: Report | undefined;
  /** Notice that another user is writing this report. */
  beingRead: ReactNode;
  slots: ReportSlots;
  /** Begins or continues another report; undefined if the user may not. */
  onStart?: (() => void) | undefined;
  /** Whether the user has begun another report without saving it. */
  isBegun?: boolean;
  /** Whether the editor has just closed here. */
  takesFocus?: boolean;
};

type Step = 'review' | 'reroute' | 'finalize';

/** A report for reading: its text and the actions that the user may take. */
export function ReportReading({ takesFocus = false, ...props }: Props) {
  const { report, signedReport, beingRead, slots } = props;
  const [step, setStep] = useState<Step>();
  const close = () => setStep(undefined);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) takeLostFocus(heading.current);
  }, [takesFocus]);
  // The heading takes the focus, because the button that opened the dialog is gone.
  const onDone = () => {
    close();
    heading.current?.focus();
  };
  const { canAddend } = report.rights;
  const [adding, setAdding] = useState<'asked' | 'found' | undefined>(() =>
    hasBegunAddendum(report) ? 'found' : undefined,
  );
  const add = () => {
    pauseCharacterShortcuts();
    setAdding('asked');
  };
  const endAdding = () => {
    pauseCharacterShortcuts();
    setAdding(undefined);
    heading.current?.focus();
  };
  useCommands([{ command: reportCommands.addAddendum, run: canAddend && !adding ? add : undefined }]);
  return (
    <div className={styles.panel}>
      <ReportHead
        report={report}
        note={noteOf(report)}
        content={() => report.content}
        slots={slots}
        headingRef={heading}
      >
        <WhatChanged report={report} />
        <Steps {...props} onStep={setStep} />
        {canAddend && !adding && (
          <CommandTooltip command={reportCommands.addAddendum}>
            <Button variant="default" onClick={add}>
              {t`Add addendum`}
            </Button>
          </CommandTooltip>
        )}
      </ReportHead>
      <div className={styles.notices}>
        {beingRead}
        {signedReport && <SignedReportLink report={signedReport} slots={slots} />}
        {slots.notices?.(report)}
        <PreliminaryNotice report={report} />
        <StudyMovedNotice report={report} />
        <NewImages report={report} />
        {report.reviewComments && report.reviewer && report.status !== 'FINALIZED' && (
          <Notice tone="info">
            {report.reviewer.name}: {report.reviewComments}
          </Notice>
        )}
      </div>
      {/* Makes a long report focusable, so that the keyboard can scroll it. */}
      <div className={desk.desk} tabIndex={0}>
        <CommentedReport report={report}>
          {(text) => (
            <article className={desk.paper} aria-label={t`Report text`}>
              <ReportBody report={report} textRef={text} />
            </article>
          )}
        </CommentedReport>
      </div>
      {canAddend && adding && (
        <AddendumWriting
          key={report.id}
          report={report}
          slots={slots}
          takesFocus={adding === 'asked'}
          onClose={endAdding}
        />
      )}
      <SubmitReviewDialog report={report} opened={step === 'review'} onClose={close} onDone={onDone} />
      <RerouteReviewDialog report={report} opened={step === 'reroute'} onClose={close} onDone={onDone} />
      <FinalizeDialog
        report={report}
        opened={step === 'finalize'}
        onClose={close}
        onDone={onDone}
        afterSigning={slots.afterSigning}
        remarks={slots.signing?.(report, close)}
      />
    </div>
  );
}

/** Warns that the signed report does not cover new images of the study. */
function NewImages({ report: { newImages: count, rights } }: { report: Report }) {
  if (count === 0) return null;
  return (
    <Notice tone="warning">
      {t`${plural(count, {
        one: '# image has arrived since this report was signed.',
        other: '# images have arrived since this report was signed.',
      })}`}
      {rights.canAddend && ` ${t`Review the new images and add an addendum if needed.`}`}
    </Notice>
  );
}

type StepsProps = Pick<Props, 'report' | 'onStart' | 'isBegun'> & { onStep: (step: Step) => void };

function Steps({ report, onStart, isBegun = false, onStep }: StepsProps) {
  const another =
    report.status === 'FINALIZED' && onStart ? () => void (isBegun ? onStart() : startAnother(onStart)) : undefined;
  useCommands([{ command: reportCommands.create, run: another }]);
  return (
    <>
      {report.rights.canRerouteReview && (
        <Button variant="default" onClick={() => onStep('reroute')}>
          {t`Ask another reviewer`}
        </Button>
      )}
      {report.status === 'PENDING_REVIEW' && (
        <ReportActionButton act="submitReview" report={report} onClick={() => onStep('review')}>
          {t`Submit review`}
        </ReportActionButton>
      )}
      {(report.status === 'APPROVED' || report.status === 'DRAFT') && (
        <ReportActionButton
          act="finalize"
          report={report}
          hindrance={openPassagesHindrance(report.content)}
          onClick={() => onStep('finalize')}
        >
          {t`Finalize`}
        </ReportActionButton>
      )}
      {another && (
        <Button variant="default" onClick={another}>
          {isBegun ? t`Continue new report` : t`Create new report`}
        </Button>
      )}
    </>
  );
}

/**
 * Asks first, because most users want an addendum or correction. The buttons next to this button create an addendum or
 * correction.
 */
const startAnother = async (onStart: () => void) => {
  const agreed = await confirm({
    question: t`Create a new report of this study?`,
    consequence: t`The signed report stays valid until the new report is finalized and replaces it. To add to or correct the signed report, use “Add addendum”.`,
    verb: t`Create report`,
    tone: 'primary',
  });
  if (agreed) onStart();
};

const noteOf = ({ author, reviewer, status, finalizedAt }: Report): string => {
  if (finalizedAt) return formatMoment(finalizedAt);
  const reviewing = status === 'PENDING_REVIEW' && reviewer?.name;
  const writer = author.name;
  return reviewing ? t`In review by ${reviewing}` : t`By ${writer}`;
};
