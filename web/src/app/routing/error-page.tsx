import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import styles from './missing-pages.module.css';
import { isMissingScript } from './missing-script.ts';

/** Shown in place of a screen that failed. Contains the reason, the trace ID for the server log, and a retry button. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const client = useQueryClient();
  const retry = () => {
    // Drops fetched data, because the data may have caused the error.
    client.removeQueries({ type: 'inactive' });
    reset();
    void router.invalidate();
  };
  return (
    <div className={styles.page}>
      {isMissingScript(error) ? (
        <EmptyState
          icon={IconRefresh}
          title={t`This part of the application did not load`}
          detail={t`A new version may be available, or the connection was lost. Reload the page.`}
          action={<Button onClick={() => window.location.reload()}>{t`Reload page`}</Button>}
        />
      ) : (
        <ErrorState failed={t`Could not show this page`} error={error} onRetry={retry} />
      )}
    </div>
  );
}
