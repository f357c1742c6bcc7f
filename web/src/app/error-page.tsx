import { Button } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { EmptyState, ErrorState } from '#ui/states.tsx';
import { IconRefresh } from '@tabler/icons-react';
import styles from './missing-pages.module.css';

/** What the browsers say when a script of a lazily loaded screen does not arrive. */
const missingScript = /dynamically imported module|importing a module script failed/i;
const isMissingScript = (error: unknown) => error instanceof Error && missingScript.test(error.message);

/** What stands in the place of a screen that failed: why, how to find it in the server's log, and a way to try again. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <div className={styles.page}>
      {isMissingScript(error) ? (
        <EmptyState
          icon={IconRefresh}
          title="This part of the application could not be loaded"
          detail="A new version may have been installed, or the connection was lost."
          action={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
        />
      ) : (
        <ErrorState failed="This page could not be shown" error={error} onRetry={retry} />
      )}
    </div>
  );
}
