import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type Correction, dictation } from '@radwork/contract/reading/dictation';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { may } from '#core/state/session.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import { CorrectionFields } from './correction-fields.tsx';
import styles from './corrections.module.css';
import { correctionsQuery, useAddCorrection, useChangeCorrection, useRemoveCorrection } from './use-corrections.ts';

/** Corrections of dictation on the account page, for users who write reports. */
export function CorrectionsSection() {
  const isAllowed = may(dictation.corrections);
  const { data, error, refetch } = useQuery({ ...correctionsQuery(), enabled: isAllowed });
  const add = useAddCorrection();
  if (!isAllowed) return null;
  return (
    <SettingsSection
      title={t`Corrections of dictation`}
      about={t`Words that the recognizer writes wrongly. They are replaced in each dictation, as whole words.`}
    >
      <div className={styles.section}>
        <CorrectionFields
          verb={t`Create correction`}
          isPending={add.isPending}
          onSubmit={(body) => add.mutateAsync({ body })}
        />
        {error && !data && (
          <ErrorState failed={t`Failed to load the corrections`} error={error} onRetry={() => void refetch()} />
        )}
        {!error && !data && <Skeleton lines={3} label={t`Loading the corrections`} />}
        {data?.length === 0 && <p className="muted">{t`No corrections`}</p>}
        <ul className={styles.list}>
          {data?.map((correction) => (
            <CorrectionRow key={correction.id} correction={correction} />
          ))}
        </ul>
      </div>
    </SettingsSection>
  );
}

function CorrectionRow({ correction: { id, written, said } }: { correction: Correction }) {
  const [isEditing, setEditing] = useState(false);
  const change = useChangeCorrection();
  const remove = useRemoveCorrection();
  if (isEditing) {
    return (
      <li>
        <CorrectionFields
          start={{ written, said }}
          verb={t`Save`}
          isPending={change.isPending}
          onSubmit={async (body) => {
            await change.mutateAsync({ params: { id }, body });
            setEditing(false);
          }}
        >
          <Button size="xs" variant="subtle" onClick={() => setEditing(false)}>
            {t`Cancel`}
          </Button>
        </CorrectionFields>
      </li>
    );
  }
  return (
    <li>
      <span className={styles.words}>
        <q>{written}</q> → <q>{said}</q>
      </span>
      <span className={styles.buttons}>
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={t`Edit correction of “${written}”`}
          onClick={() => setEditing(true)}
        >
          {t`Edit`}
        </Button>
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={t`Delete correction of “${written}”`}
          loading={remove.isPending}
          onClick={() => remove.mutate({ params: { id } })}
        >
          {t`Delete`}
        </Button>
      </span>
    </li>
  );
}
