import { t } from '@lingui/core/macro';
import { followUpReviewLabels, followUpStateLabels } from '@radwork/contract/reading/follow-up-states';
import { type FollowUp, followUps } from '@radwork/contract/reading/follow-ups';
import type { Report } from '@radwork/contract/reading/reports';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { CandidateButtons, FollowUpButtons } from './follow-up-buttons.tsx';
import { dueWords, examinationName, relatedStudyName } from './follow-up-words.ts';
import styles from './follow-ups.module.css';

/**
 * Shows the follow-ups of a report above its text, one line each. After signing, the recommendations of the text are
 * offered here; one press adds them to the register.
 */
export function FollowUpNotice({ report }: { report: Report }) {
  const rows = useQuery({
    ...query(followUps.ofStudy, { params: { id: report.studyId } }),
    enabled: may(followUps.ofStudy),
  });
  // Without the rows, the report can be read and signed all the same.
  const own = rows.data?.ofStudy.filter(({ reportId }) => reportId === report.id) ?? [];
  if (own.length === 0) return null;
  const isPressing = own.some(({ isOverdue, reviewCause }) => isOverdue || reviewCause !== null);
  return (
    <Notice tone={isPressing ? 'warning' : 'info'}>
      <ul className={styles.lines} aria-label={t`Follow-ups`}>
        {own.map((row) => (
          <li key={row.id}>
            <FollowUpLine row={row} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Shows a row in one line, with its actions. */
export function FollowUpLine({ row }: { row: FollowUp }) {
  const { state, candidate, reviewCause } = row;
  const isOffer = state === 'OFFERED';
  return (
    <div className={styles.line}>
      <strong>{isOffer ? t`Recommended: ${examinationName(row)}` : examinationName(row)}</strong>
      <span>{dueWords(row)}</span>
      {!isOffer && <span>{row.isReportFinal ? followUpStateLabels[state] : t`Starts when the report is signed`}</span>}
      {row.isOverdue && <strong className={styles.overdue}>{t`Overdue`}</strong>}
      {isOffer && row.quote && <q>{row.quote}</q>}
      {reviewCause && <span>{followUpReviewLabels[reviewCause]}</span>}
      {candidate && (
        <span>
          {t`Is this the examination?`} {relatedStudyName(candidate)} <CandidateButtons row={row} />
        </span>
      )}
      <FollowUpButtons row={row} />
    </div>
  );
}
