import { fireEvent } from '@testing-library/react';

/** Types without pauses, so that a field with a delay does not react in between, even on a busy machine. */
export const typeAtOnce = (field: HTMLElement, text: string) => {
  for (let length = 1; length <= text.length; length += 1) {
    fireEvent.change(field, { target: { value: text.slice(0, length) } });
  }
};
