import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { toast } from '#core/browser/toasts.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { OverlaysOnDemand } from './overlays-on-demand.tsx';

const showOverlays = () =>
  render(
    <MantineProvider env="test">
      <OverlaysOnDemand />
    </MantineProvider>,
  );

test('a question asked before the dialog has loaded appears and is answered', async () => {
  showOverlays();
  const answer = confirm({ question: 'Delete the study?', consequence: 'It is lost.', verb: 'Delete study' });

  await userEvent.click(await screen.findByRole('button', { name: 'Delete study' }));

  expect(await answer).toBe(true);
});

test('a toast shown before its code has loaded appears', async () => {
  toast.info('Study saved');
  showOverlays();

  expect(await screen.findByText('Study saved')).toBeDefined();
});
