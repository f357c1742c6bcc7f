import { Button } from '@mantine/core';
import { type ReportingSettings, reportingSettings } from '@radwork/contract/reporting-settings';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, query, useAction, wordsFor } from '#core/api.ts';
import { confirm } from '#ui/confirm.tsx';
import { faultsIn, isAtFields } from '#ui/form-faults.ts';
import { Notice } from '#ui/notice.tsx';
import { ScreenTitle } from '#ui/screen-title.tsx';
import { ErrorState, Skeleton } from '#ui/states.tsx';
import { useLeaveWarning } from '#ui/use-leave-warning.ts';
import { DraftingSection } from './drafting-section.tsx';
import { LetterheadSection } from './letterhead-section.tsx';
import styles from './reporting-settings.module.css';
import { CriticalSection, DictationSection, LinksSection, SigningSection } from './rules-sections.tsx';
import { useSettingsForm } from './use-settings-form.ts';

const isLeft = {
  question: 'Leave without saving?',
  consequence: 'What you have changed in the reporting settings is lost.',
  verb: 'Leave without saving',
};

const isReplaced = {
  question: 'Load the settings again?',
  consequence: 'What you have changed here and not saved is lost.',
  verb: 'Load again',
};

/** /reporting-settings: how reports are dictated, drafted, signed, shared and printed in this organisation. */
export function ReportingSettingsScreen() {
  const [generation, setGeneration] = useState(0);
  const { data, error, refetch } = useQuery({
    ...query(reportingSettings.read, {}),
    // A form that is open keeps what was typed.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  });
  const loadAgain = async () => {
    await refetch();
    setGeneration((count) => count + 1);
  };
  if (error && !data) {
    return (
      <>
        <ScreenTitle title="Reporting Settings" />
        <ErrorState failed="Failed to load reporting settings" error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  if (!data) {
    return (
      <>
        <ScreenTitle title="Reporting Settings" />
        <Skeleton lines={8} />
      </>
    );
  }
  return <SettingsForm key={generation} stored={data} onLoadAgain={loadAgain} />;
}

function SettingsForm({ stored, onLoadAgain }: { stored: ReportingSettings; onLoadAgain: () => Promise<void> }) {
  // What the server says meanwhile is not followed while somebody types.
  const [known, setKnown] = useState(stored);
  const form = useSettingsForm(known);
  const client = useQueryClient();
  const save = useAction(reportingSettings.save, {
    done: 'Reporting settings saved',
    failed: 'Failed to save reporting settings',
    refreshes: [],
  });
  const isDirty = form.isDirty();
  useLeaveWarning(isDirty, isLeft);
  const submit = form.onSubmit((body) => {
    save.mutate(
      { body },
      {
        onSuccess: (saved) => {
          client.setQueryData(query(reportingSettings.read, {}).queryKey, saved);
          void client.invalidateQueries({ queryKey: query(reportingSettings.forWriting, {}).queryKey });
          setKnown(saved);
          form.goOnFrom(saved);
        },
        onError: (error) => {
          form.setErrors(faultsIn(error));
          form.toFirstFault(faultsIn(error));
        },
      },
    );
  }, form.toFirstFault);
  const loadAgain = async () => {
    if (!isDirty || (await confirm(isReplaced))) await onLoadAgain();
  };
  const isOutdated = save.error instanceof ApiError && save.error.status === 409;
  return (
    <form className={styles.screen} noValidate onSubmit={submit}>
      <ScreenTitle
        title="Reporting Settings"
        actions={
          <>
            <span className={styles.state} role="status">
              {isDirty ? 'Not saved yet' : ''}
            </span>
            <Button type="submit" loading={save.isPending} disabled={!isDirty}>
              Save
            </Button>
          </>
        }
      />
      <div className={styles.sections}>
        {save.error && !isAtFields(save.error) && (
          <Notice
            tone="danger"
            action={
              isOutdated && (
                <Button variant="default" size="compact-sm" onClick={() => void loadAgain()}>
                  Load again
                </Button>
              )
            }
          >
            {wordsFor(save.error, 'Failed to save reporting settings')}
          </Notice>
        )}
        <DictationSection form={form} />
        <DraftingSection form={form} stored={known} />
        <CriticalSection form={form} />
        <LinksSection form={form} />
        <SigningSection form={form} />
        <LetterheadSection form={form} />
      </div>
    </form>
  );
}
