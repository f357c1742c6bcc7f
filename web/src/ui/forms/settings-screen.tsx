import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import { ApiError, errorMessageOf } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { isShownAtFields } from './field-errors.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import styles from './settings-screen.module.css';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { useLeaveWarning } from '#ui/dialogs/use-leave-warning.ts';

type LoadedProps<T, Key extends QueryKey> = {
  title: string;
  failed: string;
  settings: UseQueryOptions<T, Error, T, Key>;
  /** Renders the form for the stored settings. The second argument reloads the settings. */
  children: (stored: T, onLoadAgain: () => Promise<void>) => ReactNode;
};

/** Loads settings that one form edits as a whole. The form keeps the values from the time when it was opened. */
export function LoadedSettings<T, Key extends QueryKey>({ title, failed, settings, children }: LoadedProps<T, Key>) {
  const [generation, setGeneration] = useState(0);
  const { data, error, refetch } = useQuery({
    ...settings,
    // The settings are never refetched, because a refetch would overwrite the input.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  });
  const loadAgain = async () => {
    await refetch();
    setGeneration((count) => count + 1);
  };
  if (data !== undefined) return <Fragment key={generation}>{children(data, loadAgain)}</Fragment>;
  return (
    <>
      <ScreenTitle title={title} />
      {error ? <ErrorState failed={failed} error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />}
    </>
  );
}

type SheetProps = {
  title: string;
  /** Text about what is lost when the user leaves. */
  lost: string;
  /** ID of the form that the button submits. */
  formId: string;
  isDirty: boolean;
  save: { isPending: boolean; error: Error | null };
  failed: string;
  onLoadAgain: () => Promise<void>;
  /** Links to related settings. */
  links?: ReactNode;
  children: ReactNode;
};

const isReplaced = {
  question: t`Reload settings?`,
  consequence: t`Unsaved changes will be lost.`,
  verb: t`Reload settings`,
};

/** Frame of a settings form: save button, mark for unsaved changes, error, and warning before leaving. */
export function SettingsSheet({
  title,
  lost,
  formId,
  isDirty,
  save,
  failed,
  onLoadAgain,
  links,
  children,
}: SheetProps) {
  useLeaveWarning(isDirty, { question: t`Leave without saving?`, consequence: lost, verb: t`Leave without saving` });
  const isOutdated = save.error instanceof ApiError && save.error.status === 409;
  const loadAgain = async () => {
    if (!isDirty || (await confirm(isReplaced))) await onLoadAgain();
  };
  const again = isOutdated && (
    <Button variant="default" size="compact-sm" onClick={() => void loadAgain()}>
      {t`Reload settings`}
    </Button>
  );
  return (
    <div className={styles.screen}>
      <ScreenTitle
        title={title}
        actions={
          <>
            {links}
            <span className={styles.state} role="status">
              {isDirty ? t`Not saved yet` : ''}
            </span>
            <Button type="submit" form={formId} loading={save.isPending} disabled={!isDirty}>
              {t`Save`}
            </Button>
          </>
        }
      />
      <div className={styles.sections}>
        {save.error && !isShownAtFields(save.error) && (
          <Notice tone="danger" action={again}>
            {errorMessageOf(save.error, failed)}
          </Notice>
        )}
        {children}
      </div>
    </div>
  );
}
