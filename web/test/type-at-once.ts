import { fireEvent } from '@testing-library/react';

/** Types faster than any pause of a field that waits for the next key, however busy the machine is. */
export const typeAtOnce = (field: HTMLElement, text: string) => {
  for (let length = 1; length <= text.length; length += 1) {
    fireEvent.change(field, { target: { value: text.slice(0, length) } });
  }
};
