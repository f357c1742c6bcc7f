import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { useRestoreFocus } from './use-restore-focus.ts';

function Dialog({ onClose }: { onClose: () => void }) {
  useRestoreFocus();
  return (
    <button ref={(button) => button?.focus()} onClick={onClose}>
      Close
    </button>
  );
}

function Screen() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <main tabIndex={-1}>
        <button onClick={() => setOpen(true)}>Open</button>
      </main>
      <button>Elsewhere</button>
      {isOpen && <Dialog onClose={() => setOpen(false)} />}
    </>
  );
}

const button = (name: string) => screen.getByRole('button', { name });
const open = () => {
  render(<Screen />);
  button('Open').focus();
  fireEvent.click(button('Open'));
  expect(document.activeElement).toBe(button('Close'));
};

test('closing a dialog returns the focus to the element that opened it', async () => {
  open();
  fireEvent.click(button('Close'));

  await waitFor(() => expect(document.activeElement).toBe(button('Open')));
});

test('closing a dialog does not take the focus from another element that got it meanwhile', async () => {
  open();
  fireEvent.click(button('Close'));
  button('Elsewhere').focus();
  await new Promise((resolve) => setTimeout(resolve, 20));

  expect(document.activeElement).toBe(button('Elsewhere'));
});

test('closing a dialog moves the focus to the start of the page if the opening element is gone', async () => {
  open();
  button('Open').remove();
  fireEvent.click(button('Close'));

  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
});
