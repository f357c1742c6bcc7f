import { t } from '@lingui/core/macro';
import { Button, Textarea } from '@mantine/core';
import { commentStateLabels, type ReportComment } from '@radwork/contract/reading/report-comments';
import { useState } from 'react';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import type { SuggestionDecision } from '#reading/editor/comments/comment-tools.ts';
import type { PassageFound } from './passage-found.ts';
import styles from './comments.module.css';
import { SuggestionText } from './suggestion-text.tsx';
import { type Comments, useDeleteComment, useReply, useSettleComment } from './use-comments.ts';

type Props = {
  reportId: string;
  comments: Comments;
  comment: ReportComment;
  /** Number in the list; undefined for a settled comment. */
  number?: number;
  /** Undefined if the words are gone. */
  place?: PassageFound | undefined;
  isActive: boolean;
  onGo: (id: string) => void;
  onDecide?: ((id: string, decision: SuggestionDecision) => void) | undefined;
};

/** One comment or suggestion with its replies and actions. */
export function CommentCard({ reportId, comments, comment, number, place, isActive, onGo, onDecide }: Props) {
  const { id, author, anchor, text, replacement, createdAt, replies } = comment;
  const who = author.name;
  return (
    <li className={styles.card} data-active={isActive}>
      <div className={styles.who}>
        {number !== undefined && (
          <button
            type="button"
            className={styles.number}
            data-comment-number={id}
            aria-label={place ? t`Go to comment ${number} by ${who} in the text` : t`Comment ${number} by ${who}`}
            onClick={() => onGo(id)}
          >
            {number}
          </button>
        )}
        <strong>{who}</strong>
        <span className="numeric">{formatMoment(createdAt)}</span>
      </div>
      {replacement === null ? (
        <blockquote className={styles.quote} dir="auto">
          {anchor.exact}
        </blockquote>
      ) : (
        <SuggestionText passage={anchor.exact} replacement={replacement} />
      )}
      {number !== undefined && !place && (
        <p className={styles.gone}>
          {replacement === null
            ? t`These words are no longer in the text.`
            : t`The words have changed since this suggestion. Compare it with the text.`}
        </p>
      )}
      {number !== undefined && place && !place.isCertain && replacement !== null && (
        <p className={styles.gone}>{t`The place of these words is not certain. Change the text yourself.`}</p>
      )}
      {text !== '' && <p dir="auto">{text}</p>}
      {replies.length > 0 && (
        <ul className={styles.replies}>
          {replies.map((reply) => (
            <li key={reply.id}>
              <strong>{reply.author.name}</strong>{' '}
              <span className="muted numeric">{formatMoment(reply.createdAt)}</span>
              <p dir="auto">{reply.text}</p>
            </li>
          ))}
        </ul>
      )}
      <SettledBy comment={comment} />
      <Actions
        reportId={reportId}
        comments={comments}
        comment={comment}
        isUsable={place?.isCertain === true}
        onDecide={onDecide}
      />
    </li>
  );
}

function SettledBy({ comment: { state, settledBy, settledAt } }: { comment: ReportComment }) {
  if (!settledBy) return null;
  const [label, name, at] = [commentStateLabels[state], settledBy.name, formatMoment(settledAt)];
  return <p className="muted">{t`${label}: ${name}, ${at}`}</p>;
}

type ActionsProps = Pick<Props, 'reportId' | 'comments' | 'comment' | 'onDecide'> & {
  /** Whether the suggestion can be put into the text. */
  isUsable: boolean;
};

function Actions({ reportId, comments: { canComment, canDecide }, comment, isUsable, onDecide }: ActionsProps) {
  const [isReplying, setReplying] = useState(false);
  const settle = useSettleComment();
  const remove = useDeleteComment();
  const { id, replacement, state, canDelete } = comment;
  const params = { id: reportId, commentId: id };
  const isSuggestion = replacement !== null;
  const isOpen = state === 'OPEN';
  const canSettle = isSuggestion ? canDecide : canComment;
  const set = (next: ReportComment['state']) => settle.mutate({ params, body: { state: next } });
  const onDelete = async () => {
    const agreed = await confirm({
      question: t`Delete this comment?`,
      consequence: t`It is deleted for all users. This cannot be undone.`,
      verb: t`Delete comment`,
    });
    if (agreed) remove.mutate({ params });
  };
  if (!canComment && !canSettle) return null;
  const button = { size: 'compact-xs', variant: 'default', disabled: settle.isPending || remove.isPending } as const;
  return (
    <>
      <div className={styles.actions}>
        {isSuggestion && isOpen && onDecide && isUsable && (
          <Button {...button} variant="filled" onClick={() => onDecide(id, 'ACCEPTED')}>
            {t`Accept`}
          </Button>
        )}
        {isSuggestion && isOpen && canSettle && !isUsable && (
          <Button {...button} onClick={() => set('ACCEPTED')}>
            {t`Mark as accepted`}
          </Button>
        )}
        {isSuggestion && isOpen && canSettle && (
          <Button {...button} onClick={() => (onDecide ? onDecide(id, 'REJECTED') : set('REJECTED'))}>
            {t`Reject`}
          </Button>
        )}
        {!isSuggestion && isOpen && canSettle && (
          <Button {...button} onClick={() => set('RESOLVED')}>
            {t`Resolve`}
          </Button>
        )}
        {!isOpen && canSettle && (
          <Button {...button} onClick={() => set('OPEN')}>
            {t`Reopen`}
          </Button>
        )}
        {canComment && !isReplying && (
          <Button {...button} onClick={() => setReplying(true)}>
            {t`Reply`}
          </Button>
        )}
        {canDelete && (
          <Button {...button} onClick={() => void onDelete()}>
            {t`Delete`}
          </Button>
        )}
      </div>
      {isReplying && <ReplyForm params={params} onClose={() => setReplying(false)} />}
    </>
  );
}

function ReplyForm({ params, onClose }: { params: { id: string; commentId: string }; onClose: () => void }) {
  const reply = useReply();
  const [text, setText] = useState('');
  const [isMissing, setMissing] = useState(false);
  const send = () => {
    if (text.trim() === '') setMissing(true);
    else reply.mutate({ params, body: { text } }, { onSuccess: onClose });
  };
  return (
    <>
      <Textarea
        label={t`Reply`}
        autoFocus
        rows={2}
        maxLength={4000}
        value={text}
        error={isMissing && t`Reply is required`}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setMissing(false);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
        }}
      />
      <div className={styles.actions}>
        <Button size="compact-xs" loading={reply.isPending} onClick={send}>
          {t`Send reply`}
        </Button>
        <Button size="compact-xs" variant="default" onClick={onClose}>
          {t`Cancel`}
        </Button>
      </div>
    </>
  );
}
