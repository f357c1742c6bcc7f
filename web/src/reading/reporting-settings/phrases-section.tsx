import { t } from '@lingui/core/macro';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type ReviewDecision, reviewDecisions, reviewPhrases } from '@radwork/contract/reading/review-phrases';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { errorMessageOf, query, useAction } from '#core/http/api.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import styles from './reporting-settings.module.css';

const decisionLabels: Record<ReviewDecision, string> = { APPROVE: t`Approve`, REVISE: t`Request revision` };

/** Shared phrases of reviews. Each is created or deleted at once, apart from the other settings. */
export function PhrasesSection() {
  const known = useQuery(query(reviewPhrases.list, {}));
  const shared = known.data?.filter(({ isShared }) => isShared) ?? [];
  const remove = useAction(reviewPhrases.remove, { failed: t`Failed to delete phrase` });
  const restore = useAction(reviewPhrases.create, { failed: t`Failed to restore phrase` });
  return (
    <SettingsSection
      title={t`Review phrases`}
      about={t`Comments that a reviewer chooses with one press. They replace the built-in phrases of the same decision.`}
    >
      {known.isPending && <Skeleton lines={2} label={t`Loading phrases`} />}
      {known.error && (
        <ErrorState failed={t`Failed to load phrases`} error={known.error} onRetry={() => void known.refetch()} />
      )}
      {shared.length > 0 && (
        <ul className={styles.phrases}>
          {shared.map(({ id, text, decision }) => (
            <li key={id}>
              <span>
                {decisionLabels[decision]}: {text}
              </span>
              <Button
                size="compact-xs"
                variant="default"
                aria-label={t`Delete phrase "${text}"`}
                onClick={() =>
                  remove.mutate(
                    { params: { id } },
                    {
                      onSuccess: () =>
                        offerUndo(t`Phrase deleted`, () =>
                          restore.mutate({ body: { text, decision, isShared: true } }),
                        ),
                    },
                  )
                }
              >
                {t`Delete`}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {known.data && <NewPhrase />}
    </SettingsSection>
  );
}

function NewPhrase() {
  const [text, setText] = useState('');
  const [decision, setDecision] = useState<ReviewDecision>('APPROVE');
  const [isMissing, setMissing] = useState(false);
  const create = useAction(reviewPhrases.create, { done: t`Phrase saved`, failed: t`Failed to save phrase` });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') setMissing(true);
    else create.mutate({ body: { text, decision, isShared: true } }, { onSuccess: () => setText('') });
  };
  const refusal = create.error && errorMessageOf(create.error, t`Failed to save phrase`);
  return (
    <form className={styles.phrase} noValidate onSubmit={submit}>
      <NativeSelect
        label={t`Decision`}
        data={reviewDecisions.map((value) => ({ value, label: decisionLabels[value] }))}
        value={decision}
        onChange={(event) => setDecision(event.currentTarget.value === 'REVISE' ? 'REVISE' : 'APPROVE')}
      />
      <TextInput
        label={t`Phrase`}
        maxLength={500}
        value={text}
        error={isMissing ? t`Phrase is required` : refusal}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setMissing(false);
          create.reset();
        }}
      />
      <Button type="submit" variant="default" loading={create.isPending}>
        {t`Create phrase`}
      </Button>
    </form>
  );
}
