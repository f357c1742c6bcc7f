import { useLayoutEffect, useState } from 'react';
import { holdCharacters } from '#ui/shortcuts.ts';

/**
 * Whether a text was written on this screen until now and is not any more. Whenever writing begins or ends, what is
 * being typed at that moment is kept from being taken for shortcuts.
 */
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
    if (hasChanged) holdCharacters();
  }, [isWriting, hasChanged]);
  return hasEnded;
};

/** Puts the focus here when it is nowhere, as it is when what had it has just gone. */
export const takeLostFocus = (element: HTMLElement | null): void => {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
};
