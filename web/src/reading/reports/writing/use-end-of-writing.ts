import { useLayoutEffect, useState } from 'react';
import { pauseCharacterShortcuts } from '#ui/keyboard/shortcuts.ts';

/** Whether an editor on this screen has just closed. Keys typed at that moment must not act as shortcuts. */
export const useEndOfWriting = (isWriting: boolean): boolean => {
  const [before, setBefore] = useState(isWriting);
  const [hasEnded, setHasEnded] = useState(false);
  if (before !== isWriting) {
    setBefore(isWriting);
    setHasEnded(before);
  }
  const [first] = useState(isWriting);
  const hasChanged = hasEnded || isWriting !== first;
  useLayoutEffect(() => {
    if (hasChanged) pauseCharacterShortcuts();
  }, [isWriting, hasChanged]);
  return hasEnded;
};

/** Focuses the element if the page has lost the focus, for example because the focused field was removed. */
export const takeLostFocus = (element: HTMLElement | null): void => {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
};
