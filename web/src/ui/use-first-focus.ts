import { useEffect, useRef } from 'react';

/**
 * Lets the focus begin at the field of a form that has `data-autofocus`. A dialog looks for it when it opens; fields that had
 * to wait for what they show come too late for that.
 */
export const useFirstFocus = () => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Of two forms the first one has it.
    if (document.activeElement?.closest('form')) return;
    form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, []);
  return form;
};
