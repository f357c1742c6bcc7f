import { useEffect, useRef } from 'react';

/**
 * Focuses the form field with `data-autofocus`. A dialog does this when it opens, which is too early for fields that
 * load later.
 */
export const useFirstFocus = () => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The first of two forms takes the focus.
    if (document.activeElement?.closest('form')) return;
    form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, []);
  return form;
};
