import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Checkbox, Tooltip } from '@mantine/core';
import { type ReviewDecision, type ReviewPhrase, reviewPhrases } from '@radwork/contract/reading/review-phrases';
import { templates } from '@radwork/contract/reading/templates';
import { reports } from '@radwork/contract/reading/reports';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, useAction } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';
import styles from './dialogs.module.css';

/** A phrase that the dialog offers. Built-in phrases have no ID. */
export type OfferedPhrase = Omit<ReviewPhrase, 'id'> & { id?: string };

/** Phrases of the product, offered as long as the organization has no phrases of its own for a decision. */
const builtIn: readonly OfferedPhrase[] = [
  { decision: 'APPROVE', text: t`I have reviewed the images and agree with the report.`, isShared: true },
  { decision: 'APPROVE', text: t`I agree with the report.`, isShared: true },
  { decision: 'REVISE', text: t`Please see my comments in the text.`, isShared: true },
  { decision: 'REVISE', text: t`Please compare with the prior study.`, isShared: true },
];

/**
 * Prepared comments of a review: those of the organization, or else the built-in ones, then the user's own. A comment is
 * required even for an approval. While the phrases load, and after a failure, the built-in ones are offered.
 */
export const useReviewPhrases = (): readonly OfferedPhrase[] => {
  const { data = [] } = useQuery(query(reviewPhrases.list, {}));
  const isReplaced = (decision: ReviewDecision) =>
    data.some((phrase) => phrase.isShared && phrase.decision === decision);
  return [...builtIn.filter(({ decision }) => !isReplaced(decision)), ...data];
};

type Props = {
  phrases: readonly OfferedPhrase[];
  decision: ReviewDecision;
  /** Text of the comment field, which can be saved as a phrase. */
  comments: string;
  onChoose: (text: string) => void;
};

/** Phrases for the decision of a review. One press puts a phrase into the comments and never changes the decision. */
export function PhraseChoice({ phrases, decision, comments, onChoose }: Props) {
  const [isEditing, setEditing] = useState(false);
  const offered = phrases.filter((phrase) => phrase.decision === decision);
  return (
    <>
      <div className={styles.phrases} role="group" aria-label={t`Phrases`}>
        {offered.map((phrase) => (
          <span key={phrase.id ?? phrase.text} className={styles.phrase}>
            <Button variant="default" size="compact-xs" onClick={() => onChoose(phrase.text)}>
              {phrase.text}
            </Button>
            {isEditing && <RemovePhrase phrase={phrase} />}
          </span>
        ))}
        <Button variant="subtle" size="compact-xs" aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
          {t`Edit phrases`}
        </Button>
      </div>
      {isEditing && <NewPhrase comments={comments} decision={decision} offered={offered} />}
    </>
  );
}

const canShare = (): boolean => may(templates.create);

/** Deletes a phrase. The user can undo the deletion for ten seconds. */
function RemovePhrase({ phrase: { id, text, decision, isShared } }: { phrase: OfferedPhrase }) {
  const remove = useAction(reviewPhrases.remove, { failed: t`Failed to delete phrase` });
  const restore = useAction(reviewPhrases.create, { failed: t`Failed to restore phrase` });
  if (id === undefined || (isShared && !canShare())) return null;
  const label = isShared ? t`Delete shared phrase "${text}"` : t`Delete phrase "${text}"`;
  const onRemove = () =>
    remove.mutate(
      { params: { id } },
      { onSuccess: () => offerUndo(t`Phrase deleted`, () => restore.mutate({ body: { text, decision, isShared } })) },
    );
  return (
    <Tooltip label={label}>
      <ActionIcon size={24} variant="subtle" aria-label={label} onClick={onRemove}>
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

type NewProps = Pick<Props, 'comments' | 'decision'> & { offered: readonly OfferedPhrase[] };

/** Saves the text of the comment field as a phrase. */
function NewPhrase({ comments, decision, offered }: NewProps) {
  const mayOwn = may(reports.submitReview);
  const [isShared, setShared] = useState(!mayOwn);
  const create = useAction(reviewPhrases.create, { done: t`Phrase saved`, failed: t`Failed to save phrase` });
  const text = comments.trim();
  const isKnown = offered.some((phrase) => phrase.text === text);
  return (
    <div className={styles.newPhrase}>
      <Button
        variant="default"
        size="compact-xs"
        loading={create.isPending}
        disabled={text === '' || isKnown}
        onClick={() => create.mutate({ body: { text, decision, isShared } })}
      >
        {t`Save comments as phrase`}
      </Button>
      {canShare() && mayOwn && (
        <Checkbox
          size="xs"
          label={t`Share with the organization`}
          checked={isShared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
      )}
      {text === '' && <p className={styles.hint}>{t`Type the phrase in the comments first.`}</p>}
    </div>
  );
}
