import { MantineProvider } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { toast } from '#core/browser/toasts.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { Overlays } from './overlays.tsx';
import { OverlaysOnDemand } from './overlays-on-demand.tsx';

type Load = () => Promise<typeof Overlays>;

const showOverlays = (load?: Load) =>
  render(
    <MantineProvider env="test">
      <button type="button">Delete</button>
      <OverlaysOnDemand {...(load && { load })} />
    </MantineProvider>,
  );

const question = { question: 'Delete the study?', consequence: 'It is lost.', verb: 'Delete study' };

test('a question asked before the dialog has loaded appears and is answered', async () => {
  showOverlays();
  const answer = confirm(question);

  await userEvent.click(await screen.findByRole('button', { name: 'Delete study' }));

  expect(await answer).toBe(true);
});

test('a toast shown before its code has loaded appears', async () => {
  toast.info('Study saved');
  showOverlays();

  expect(await screen.findByText('Study saved')).toBeDefined();
});

test('a question asked before the dialog has loaded returns the focus after Escape', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof Overlays>();
  showOverlays(() => promise);
  const button = screen.getByRole('button', { name: 'Delete' });
  button.focus();
  const answer = confirm(question);

  resolve(Overlays);

  const cancel = await screen.findByRole('button', { name: 'Cancel' });
  await waitFor(() => expect(document.activeElement).toBe(cancel));
  await userEvent.keyboard('{Escape}');
  expect(await answer).toBe(false);
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test('a question whose dialog did not load stays open until the user retries', async () => {
  const load = vi.fn<Load>(() => Promise.resolve(Overlays));
  load.mockRejectedValueOnce(new Error('Failed to fetch'));
  showOverlays(load);
  const answer = confirm(question);

  await screen.findByRole('dialog', { name: 'This part of the application did not load' });
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete study' }));

  expect(await answer).toBe(true);
});

test('the user refuses a question by closing the dialog that did not load', async () => {
  showOverlays(() => Promise.reject(new Error('Failed to fetch')));
  const answer = confirm(question);

  await userEvent.click(await screen.findByRole('button', { name: 'Close' }));

  expect(await answer).toBe(false);
});

test('a toast whose code did not load appears when the connection returns', async () => {
  const load = vi.fn<Load>(() => Promise.resolve(Overlays));
  load.mockRejectedValueOnce(new Error('Failed to fetch'));
  showOverlays(load);
  toast.info('Study saved');
  await waitFor(() => expect(load).toHaveBeenCalled());
  expect(screen.queryByText('Study saved')).toBeNull();

  window.dispatchEvent(new Event('online'));

  expect(await screen.findByText('Study saved')).toBeDefined();
});
