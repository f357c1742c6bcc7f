import { useEffect, useRef } from 'react';

/**
 * Focuses the form field with `data-autofocus`. A dialog focuses such a field when it opens, but that is too early for
 * fields that load later.
 */
export const useFirstFocus = () => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Keeps the focus in the first of two forms.
    if (document.activeElement?.closest('form')) return;
    form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, []);
  return form;
};
