import { t } from '@lingui/core/macro';
import {
  followUpEventLabels,
  followUpReviewLabels,
  followUpStateLabels,
} from '@radwork/contract/reading/follow-up-states';
import { type FollowUp, followUps } from '@radwork/contract/reading/follow-ups';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { query } from '#core/http/api.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { formatLocal, formatMoment } from '#ui/formats/formats.ts';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { CandidateButtons, FollowUpButtons } from './follow-up-buttons.tsx';
import { dueWords, examinationName, relatedStudyName } from './follow-up-words.ts';
import styles from './follow-ups.module.css';

/** Shows a row of the register: examination, time, patient, origin, state and actions. */
export function FollowUpCard({ row }: { row: FollowUp }) {
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const { patientName, patientId, studyId, studyDescription, studyDate, studyModality, owner, matchedStudy } = row;
  const ownerName = owner.name;
  return (
    <article className={styles.card} data-overdue={row.isOverdue || undefined}>
      <div className={styles.due}>
        <span className={styles.state}>{followUpStateLabels[row.state]}</span>
        <span>{dueWords(row)}</span>
        {row.isOverdue && <strong className={styles.overdue}>{t`Overdue`}</strong>}
      </div>
      <div className={styles.what}>
        <p className={styles.name}>{examinationName(row)}</p>
        {row.quote && <p className={styles.quote}>{row.quote}</p>}
        <p className={styles.study}>
          <Link to="/studies/$id" params={{ id: studyId }}>
            {patientName || t`No name`}
          </Link>
          <span className="mono">{patientId}</span>
          <ModalityTag modality={studyModality} />
          <span>{[studyDescription, formatLocal(studyDate)].filter(Boolean).join(' · ')}</span>
          <span>{t`Owner: ${ownerName}`}</span>
        </p>
        {row.reason && <p className={styles.fact}>{t`Reason: ${row.reason}`}</p>}
        {matchedStudy && (
          <p className={styles.fact}>
            <Link to="/studies/$id" params={{ id: matchedStudy.id }}>
              {relatedStudyName(matchedStudy)}
            </Link>
          </p>
        )}
        {row.candidate && (
          <p className={styles.fact}>
            {t`Is this the examination?`}{' '}
            <Link to="/studies/$id" params={{ id: row.candidate.id }}>
              {relatedStudyName(row.candidate)}
            </Link>{' '}
            <CandidateButtons row={row} />
          </p>
        )}
        {row.reviewCause && <Notice tone="warning">{followUpReviewLabels[row.reviewCause]}</Notice>}
        {isHistoryOpen && <History id={row.id} />}
      </div>
      <div className={styles.acts}>
        <FollowUpButtons row={row} />
        <button
          type="button"
          className={styles.link}
          aria-expanded={isHistoryOpen}
          onClick={() => setHistoryOpen(!isHistoryOpen)}
        >
          {t`History`}
        </button>
      </div>
    </article>
  );
}

function History({ id }: { id: string }) {
  const details = useQuery(query(followUps.get, { params: { id } }));
  if (details.isPending) return <Skeleton lines={2} label={t`Loading history`} />;
  if (!details.data) {
    return (
      <ErrorState failed={t`Could not load the history`} error={details.error} onRetry={() => void details.refetch()} />
    );
  }
  return (
    <ol className={styles.history} aria-label={t`History`}>
      {details.data.history.map(({ at, event, actor, state, reason }) => (
        <li key={`${at} ${event}`}>
          {[
            event === 'STATE' ? followUpStateLabels[state] : followUpEventLabels[event],
            actor?.name ?? t`System`,
            formatMoment(at),
            reason,
          ]
            .filter(Boolean)
            .join(' · ')}
        </li>
      ))}
    </ol>
  );
}
