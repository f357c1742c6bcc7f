import { t } from '@lingui/core/macro';
import { Button, Textarea } from '@mantine/core';
import { addendumKindLabels } from '@radwork/contract/reading/report-parts';
import { peerReviews, type WholePeerReview } from '@radwork/contract/reading/peer-reviews';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { query } from '#core/http/api.ts';
import { ReportText } from '#reading/editor/reading/report-text.tsx';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { usePassPeerReview, useReplyToPeerReview, useScorePeerReview } from './peer-review-actions.ts';
import styles from './peer-reviews.module.css';
import { ScoreForm } from './score-form.tsx';

/** Shows a review with the signed text, and its form: the score for the reviewer, the reply for the author. */
export function OpenReview({ id, onClose }: { id: string; onClose: () => void }) {
  const review = useQuery({ ...query(peerReviews.get, { params: { id } }), retry: false });
  return (
    <Dialog opened onClose={onClose} title={t`Peer review`} size={760}>
      {review.isPending && <Skeleton lines={8} label={t`Loading peer review`} />}
      {review.isLoadingError && (
        <ErrorState
          failed={t`Could not load the peer review`}
          error={review.error}
          onRetry={() => void review.refetch()}
        />
      )}
      {review.data && <Content key={id} review={review.data} onClose={onClose} />}
    </Dialog>
  );
}

function Content({ review, onClose }: { review: WholePeerReview; onClose: () => void }) {
  const { parts, studyId, author, reviewer, isReviewer } = review;
  const [authorName, reviewerName] = [author?.name ?? '', reviewer?.name ?? ''];
  return (
    <div className={styles.review}>
      <p className={styles.facts}>
        <Link to="/studies/$id" params={{ id: studyId }}>{t`Open study`}</Link>
        <span>{isReviewer ? author && t`Author: ${authorName}` : reviewer && t`Reviewer: ${reviewerName}`}</span>
      </p>
      <article className={styles.paper} aria-label={t`Signed report`} tabIndex={0}>
        {parts.map(({ number, kind, passage, content }) => (
          <section key={number}>
            {(kind === 'ADDENDUM' || kind === 'CORRECTION') && <h3>{addendumKindLabels[kind]}</h3>}
            {passage && <blockquote>{passage}</blockquote>}
            <ReportText html={content} />
          </section>
        ))}
      </article>
      {isReviewer ? <Scoring review={review} onClose={onClose} /> : <Replying review={review} onClose={onClose} />}
    </div>
  );
}

function Scoring({ review, onClose }: { review: WholePeerReview; onClose: () => void }) {
  const score = useScorePeerReview();
  const pass = usePassPeerReview(onClose);
  const { id, canScore, state, reply } = review;
  if (!canScore) {
    return (
      <>
        <Score review={review} />
        {reply && <p className={styles.reply}>{t`Reply: ${reply}`}</p>}
      </>
    );
  }
  return (
    <>
      <ScoreForm
        grades={review.grades}
        review={review}
        action={score}
        onCancel={onClose}
        onScore={(body) => score.mutate({ params: { id }, body }, { onSuccess: onClose })}
      />
      {state === 'OPEN' && (
        <Button
          className={styles.pass ?? ''}
          size="compact-sm"
          variant="subtle"
          color="gray"
          loading={pass.isPending}
          onClick={() => pass.mutate({ params: { id } })}
        >
          {t`Pass on to another reviewer`}
        </Button>
      )}
    </>
  );
}

/** Shows grade, mark and comment. */
export function Score({
  review,
}: {
  review: Pick<WholePeerReview, 'grade' | 'gradeLabel' | 'isSignificant' | 'comment'>;
}) {
  const { grade, gradeLabel, isSignificant, comment } = review;
  if (grade === null) return null;
  return (
    <div>
      <p className={styles.grade}>{`${grade} · ${gradeLabel}`}</p>
      {isSignificant && <p className={styles.significant}>{t`Clinically significant`}</p>}
      {comment && <p className={styles.comment}>{comment}</p>}
    </div>
  );
}

function Replying({ review, onClose }: { review: WholePeerReview; onClose: () => void }) {
  const action = useReplyToPeerReview();
  const [text, setText] = useState(review.reply);
  return (
    <DialogForm
      verb={t`Send reply`}
      action={action}
      isBarred={text.trim() === '' || !review.canReply}
      onCancel={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        action.mutate({ params: { id: review.id }, body: { reply: text } }, { onSuccess: onClose });
      }}
    >
      <Score review={review} />
      <Textarea
        label={t`Reply`}
        rows={3}
        maxLength={4000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
