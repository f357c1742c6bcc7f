import { Button, MantineProvider, Select, TextInput } from '@mantine/core';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, onTestFinished, test } from 'vitest';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { CancelButton } from './dialog-form.tsx';
import { Dialog, SideDialog } from './dialog.tsx';
import { theme } from '#ui/layout/theme.ts';

function Page() {
  const [isOpen, setOpen] = useState(false);
  const [isOver, setOver] = useState(false);
  return (
    <MantineProvider theme={theme} env="test">
      <Button onClick={() => setOpen(true)}>Open</Button>
      <SideDialog opened={isOpen} onClose={() => setOpen(false)} title="Below">
        <TextInput label="Name" defaultValue="Costa" />
        <TextInput label="Find" type="search" />
        <Select label="Kind" data={['One', 'Two']} />
        <Button onClick={() => setOver(true)}>More</Button>
        <CancelButton onCancel={() => setOpen(false)} />
        <Button onClick={() => setOpen(false)}>Save</Button>
        {isOver && (
          <Dialog opened onClose={() => setOver(false)} title="Above">
            Above all
          </Dialog>
        )}
      </SideDialog>
      <ConfirmDialog />
    </MantineProvider>
  );
}

const dialog = (name: string) => screen.queryByRole('dialog', { name });
const button = (name: string) => screen.getByRole('button', { name });
const question = 'Close without saving?';

const open = async () => {
  render(<Page />);
  await userEvent.click(button('Open'));
  await screen.findByRole('dialog', { name: 'Below' });
};

test('Escape closes the front dialog, and a second Escape closes the next one', async () => {
  await open();
  await userEvent.click(button('More'));
  await screen.findByRole('dialog', { name: 'Above' });

  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(dialog('Above')).toBeNull());
  expect(dialog('Below')).not.toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(button('More')));

  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(dialog('Below')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(button('Open')));
});

// With reduced motion, a browser removes the dialog between two listeners of the same key event. jsdom does not remove
// it then.
test('the Escape that closes a dialog does not reach the page', async () => {
  const forPage: boolean[] = [];
  const onKeyDown = ({ defaultPrevented }: KeyboardEvent) => forPage.push(!defaultPrevented);
  window.addEventListener('keydown', onKeyDown);
  onTestFinished(() => window.removeEventListener('keydown', onKeyDown));
  await open();

  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(dialog('Below')).toBeNull());
  await userEvent.keyboard('{Escape}');
  expect(forPage).toEqual([false, true]);
});

test('Escape closes an open list in a dialog and leaves the dialog open', async () => {
  await open();
  await userEvent.click(screen.getByRole('combobox', { name: 'Kind' }));
  await screen.findByRole('option', { name: 'Two' });

  await userEvent.keyboard('{Escape}');

  await waitFor(() => expect(screen.queryByRole('option', { name: 'Two' })).toBeNull());
  expect(dialog('Below')).not.toBeNull();
});

const waysOut: [string, () => Promise<unknown>][] = [
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['the close button', () => userEvent.click(button('Close'))],
  ['Cancel', () => userEvent.click(button('Cancel'))],
];

test.each(waysOut)('%s asks before typed text is lost, and Escape then keeps the text', async (_, leave) => {
  await open();
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), ' Lima');

  await leave();
  await screen.findByRole('dialog', { name: question });
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(dialog(question)).toBeNull());
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Costa Lima');

  await leave();
  const prompt = within(await screen.findByRole('dialog', { name: question }));
  await userEvent.click(prompt.getByRole('button', { name: 'Close without saving' }));
  await waitFor(() => expect(dialog('Below')).toBeNull());
});

test('a dialog with only search text, reverted text or saved text closes without a confirmation', async () => {
  await open();
  await userEvent.type(screen.getByRole('searchbox', { name: 'Find' }), 'x');
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'x{Backspace}');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(dialog('Below')).toBeNull());

  await userEvent.click(button('Open'));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'x');
  await userEvent.click(button('Save'));
  await waitFor(() => expect(dialog('Below')).toBeNull());
  expect(dialog(question)).toBeNull();
});
