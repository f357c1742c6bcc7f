import { type RefObject, useEffect } from 'react';

/** Moves the focus to a newly opened document, unless the user is working elsewhere than in the series list. */
export const useKeyboardIn = (region: RefObject<HTMLDivElement | null>, isThere: boolean) => {
  useEffect(() => {
    if (!isThere) return undefined;
    const { activeElement } = window.document;
    const isFree = !activeElement || activeElement === window.document.body;
    if (!isFree && !activeElement.closest('nav')) return undefined;
    const stage = () => region.current?.querySelector<HTMLElement>('[role="region"][tabindex="0"]');
    const focus = () => stage()?.focus({ preventScroll: true });
    focus();
    if (stage()) return undefined;
    // Waits for the document, which may still be loading.
    const watcher = new MutationObserver(() => {
      if (!stage()) return;
      watcher.disconnect();
      if (window.document.activeElement === activeElement) focus();
    });
    if (region.current) watcher.observe(region.current, { childList: true, subtree: true });
    return () => watcher.disconnect();
  }, [region, isThere]);
};
