import { type RefObject, useEffect } from 'react';

const stops = 'button:not(:disabled), input:not(:disabled)';

const stepOf = (key: string, at: number, count: number): number | undefined => {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count;
    case 'ArrowLeft':
      return (at - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
};

/**
 * Makes a toolbar one Tab stop. Arrow keys, Home and End move inside it (WAI-ARIA toolbar pattern). Escape calls
 * `onLeave`.
 */
export const useRovingFocus = (toolbar: RefObject<HTMLElement | null>, onLeave: () => void) => {
  useEffect(() => {
    const bar = toolbar.current;
    if (!bar) return undefined;
    const controls = () => [...bar.querySelectorAll<HTMLElement>(stops)];
    const stopAt = (target: Element | null | undefined) => {
      const all = controls();
      const stop = all.find((control) => control === target) ?? all.find(({ tabIndex }) => tabIndex === 0) ?? all[0];
      for (const control of all) control.tabIndex = control === stop ? 0 : -1;
    };
    const onFocus = ({ target }: FocusEvent) => stopAt(target instanceof Element ? target.closest(stops) : null);
    const onKeyDown = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (!(target instanceof HTMLElement) || !bar.contains(target)) return;
      if (key === 'Escape') {
        event.preventDefault();
        onLeave();
        return;
      }
      // In an input field, the arrow keys move the text cursor.
      if (target instanceof HTMLInputElement) return;
      const all = controls();
      const next = stepOf(key, all.indexOf(target), all.length);
      if (next === undefined) return;
      event.preventDefault();
      all[next]?.focus();
    };
    stopAt(undefined);
    // Updates the Tab stop when buttons appear, disappear or become disabled.
    const changes = new MutationObserver(() => stopAt(document.activeElement));
    changes.observe(bar, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    bar.addEventListener('focusin', onFocus);
    bar.addEventListener('keydown', onKeyDown);
    return () => {
      changes.disconnect();
      bar.removeEventListener('focusin', onFocus);
      bar.removeEventListener('keydown', onKeyDown);
    };
  }, [toolbar, onLeave]);
};
