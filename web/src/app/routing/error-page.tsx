import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorState } from '#ui/feedback/content-states.tsx';
import { LoadFailure } from '#ui/feedback/load-failure.tsx';
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
        <LoadFailure />
      ) : (
        <ErrorState failed={t`Could not show this page`} error={error} onRetry={retry} />
      )}
    </div>
  );
}
