import { useEffect, useState } from 'react';

/**
 * For a dialog that exists only while it is open: when it goes, the focus is again where it was before, unless
 * something else has taken it, and never nowhere. Mantine sees to that itself only for dialogs that stay mounted while they are closed.
 */
export const useFocusBack = (): void => {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Not at once: the screen that a dialog leads to, or the dialog that follows, may take the focus.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected;
        // What opened it may be gone, as a deleted row is: then one goes on from the beginning of the page.
        const next = isThere ? before : document.querySelector<HTMLElement>('main');
        next?.focus({ preventScroll: true });
      });
    },
    [before],
  );
};
