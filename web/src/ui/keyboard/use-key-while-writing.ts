import { useEffect, useRef } from 'react';

/**
 * Handles a function key that also works while the user types, unlike other shortcuts. The key is ignored while a
 * dialog is open.
 */
export const useKeyWhileWriting = (key: string, run: () => void): void => {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isOther = event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
      if (isOther || event.defaultPrevented || event.repeat || document.querySelector('[aria-modal="true"]')) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [key]);
};
