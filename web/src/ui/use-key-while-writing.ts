import { useEffect, useRef } from 'react';

/** A function key that works while somebody types, which the other keys of a screen do not; not behind an open dialog, though. */
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
