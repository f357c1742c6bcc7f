import { useEffect, useState } from 'react';

/**
 * Returns the focus when a dialog unmounts, unless another element has it. Mantine returns the focus only for dialogs
 * that stay mounted while closed.
 */
export const useRestoreFocus = (): void => {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Waits, because the next screen or dialog may take the focus.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected;
        // If the earlier element is gone, such as a deleted row, the focus moves to the start of the page.
        const next = isThere ? before : document.querySelector<HTMLElement>('main');
        next?.focus({ preventScroll: true });
      });
    },
    [before],
  );
};
