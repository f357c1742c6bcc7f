import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { ReportComment } from '@radwork/contract/reading/report-comments';
import { type KeyboardEvent, useId, useState } from 'react';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { CommentCard } from './comment-card.tsx';
import type { PassageFound } from './passage-found.ts';
import styles from './comments.module.css';
import type { Comments } from './use-comments.ts';
import type { SuggestionDecision } from '#reading/editor/comments/comment-tools.ts';

type Props = {
  reportId: string;
  comments: Comments;
  /** Places of the passages, by comment ID. A comment without a place has lost its words. */
  found: ReadonlyMap<string, PassageFound>;
  active: string | undefined;
  /** Goes to the passage in the text. */
  onGo: (id: string) => void;
  /** Accepts or rejects a suggestion; undefined where the text is not edited. */
  onDecide?: ((id: string, decision: SuggestionDecision) => void) | undefined;
  /** Begins a comment or suggestion. Undefined if the user may not, or begins it elsewhere. */
  onComment?: (() => void) | undefined;
  onSuggest?: (() => void) | undefined;
};

/** Returns the comments in the order of their passages. Those that have lost their words come last. */
export const inTextOrder = (
  comments: readonly ReportComment[],
  found: ReadonlyMap<string, PassageFound>,
): ReportComment[] => {
  const placeOf = ({ id }: ReportComment) => found.get(id)?.from ?? Infinity;
  return comments.toSorted((one, other) => {
    const [from, to] = [placeOf(one), placeOf(other)];
    return from === to ? 0 : from - to;
  });
};

/** Comments of a report beside its text. The arrow keys move between the comments. */
export function CommentList(props: Props) {
  const { comments, found, active, onComment, onSuggest } = props;
  const [showsSettled, setShowsSettled] = useState(false);
  const heading = useId();
  const open = inTextOrder(
    comments.comments.filter(({ state }) => state === 'OPEN'),
    found,
  );
  const settled = comments.comments.filter(({ state }) => state !== 'OPEN');
  return (
    <section className={styles.list} aria-labelledby={heading} data-comment-list onKeyDown={moveFocus}>
      <div className={styles.head}>
        <h3 id={heading}>{titleOf(open)}</h3>
        {onComment && (
          <Button size="compact-xs" variant="default" onClick={onComment}>
            {t`Comment`}
          </Button>
        )}
        {onSuggest && (
          <Button size="compact-xs" variant="default" onClick={onSuggest}>
            {t`Suggest change`}
          </Button>
        )}
      </div>
      {comments.isPending && <Skeleton lines={3} label={t`Loading comments`} />}
      {comments.error && (
        <ErrorState failed={t`Error loading comments`} error={comments.error} onRetry={comments.retry} />
      )}
      <ol className={styles.cards}>
        {open.map((comment, index) => (
          <CommentCard
            key={comment.id}
            {...props}
            comment={comment}
            number={index + 1}
            place={found.get(comment.id)}
            isActive={active === comment.id}
          />
        ))}
      </ol>
      {settled.length > 0 && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-expanded={showsSettled}
          onClick={() => setShowsSettled(!showsSettled)}
        >
          {t`${plural(settled.length, { one: '# settled comment', other: '# settled comments' })}`}
        </Button>
      )}
      {showsSettled && (
        <ol className={`${styles.cards} ${styles.settled}`}>
          {settled.map((comment) => (
            <CommentCard key={comment.id} {...props} comment={comment} isActive={false} />
          ))}
        </ol>
      )}
    </section>
  );
}

const titleOf = (open: readonly ReportComment[]): string => {
  const suggestions = open.filter(({ replacement }) => replacement !== null).length;
  const comments = open.length - suggestions;
  const ofComments = t`${plural(comments, { one: '# open comment', other: '# open comments' })}`;
  const ofSuggestions = t`${plural(suggestions, { one: '# suggestion', other: '# suggestions' })}`;
  return suggestions === 0 ? ofComments : t`${ofComments}, ${ofSuggestions}`;
};

/** Moves the focus from one comment to the next with the arrow keys. */
const moveFocus = (event: KeyboardEvent<HTMLElement>) => {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || event.target instanceof HTMLTextAreaElement) return;
  const numbers = Array.from(event.currentTarget.querySelectorAll<HTMLElement>('[data-comment-number]'));
  const card =
    event.target instanceof Element ? event.target.closest('li')?.querySelector('[data-comment-number]') : null;
  const next = numbers[numbers.findIndex((number) => number === card) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
};

/** Moves the focus to the card of a comment. */
export const focusComment = (id: string): void =>
  document.querySelector<HTMLElement>(`[data-comment-number="${id}"]`)?.focus();
