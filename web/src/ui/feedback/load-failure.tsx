import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { EmptyState } from './content-states.tsx';
import styles from './load-failure.module.css';

type Props = { onRetry?: (() => void) | undefined; onClose?: (() => void) | undefined };

/** Shown in place of a part whose code did not load. Without `onRetry`, only a new load of the page can help. */
export function LoadFailure({ onRetry, onClose }: Props) {
  return (
    <div role="alert">
      <EmptyState
        icon={IconRefresh}
        title={t`This part of the application did not load`}
        detail={t`A new version may be available, or the connection was lost.`}
        action={
          <>
            {onRetry && <Button onClick={onRetry}>{t`Retry`}</Button>}
            <Button variant={onRetry ? 'default' : 'filled'} onClick={() => window.location.reload()}>
              {t`Reload page`}
            </Button>
            {onClose && <Button variant="default" onClick={onClose}>{t`Close`}</Button>}
          </>
        }
      />
    </div>
  );
}

/**
 * Shown in place of a dialog whose code did not load. Uses a dialog of the browser, because the code of our dialogs may be
 * missing too. It takes the focus and returns it.
 */
export function LoadFailureDialog({ onRetry, onClose }: Props & { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  // Closes the dialog before React removes it, so that the browser returns the focus.
  const closeBefore = (act: () => void) => () => {
    dialog.current?.close();
    act();
  };
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label={t`This part of the application did not load`}
      onCancel={(event) => {
        event.preventDefault();
        closeBefore(onClose)();
      }}
    >
      <LoadFailure onRetry={onRetry && closeBefore(onRetry)} onClose={closeBefore(onClose)} />
    </dialog>
  );
}
