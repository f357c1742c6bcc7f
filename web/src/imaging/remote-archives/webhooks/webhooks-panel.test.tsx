import { type Webhook, webhooks } from '@radwork/contract/reading/webhooks';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, serve, show } from '#test/screen.tsx';
import { WebhooksPanel } from './webhooks-panel.tsx';

const pager: Webhook = {
  id: 'w1',
  revision: 1,
  name: 'Pager',
  url: 'https://pager.example/hook',
  topics: ['CRITICAL_LEAD'],
  isPlainHttp: false,
  isActive: true,
  latest: {
    topic: 'TEST',
    state: 'FAILED',
    attempts: 1,
    error: 'The webhook answered 400',
    at: '2026-11-21T10:00:00Z',
  },
  failed: 2,
};

test('an administrator sees the last result of a webhook, can test it and can send again', async () => {
  const calls = serve(
    answer(webhooks.list, () => [pager]),
    answer(webhooks.test, () => pager),
    answer(webhooks.retry, () => pager),
  );
  show(<WebhooksPanel />);

  expect(await screen.findByText(/The webhook answered 400/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Test: Pager' }));
  await screen.findByText('Test queued');
  await userEvent.click(screen.getByRole('button', { name: 'Retry 2 messages: Pager' }));
  await screen.findByText('Messages queued again');

  expect(calls.filter(({ method }) => method === 'POST').map(({ url }) => url.pathname)).toEqual([
    '/api/webhooks/w1/test',
    '/api/webhooks/w1/retry',
  ]);
});

test('a new webhook shows its secret only once', async () => {
  const calls = serve(
    answer(webhooks.list, () => []),
    answer(webhooks.create, () => ({ ...pager, secret: 'only-shown-now' })),
  );
  show(<WebhooksPanel />);

  await userEvent.click(await screen.findByRole('button', { name: 'Create webhook' }));
  await userEvent.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Pager');
  await userEvent.type(screen.getByRole('textbox', { name: /^Address/ }), 'pager.example/hook');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));

  expect(await screen.findByDisplayValue('only-shown-now')).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
    url: 'https://pager.example/hook',
    topics: ['CRITICAL_ON_CALL', 'CRITICAL_LEAD'],
    isPlainHttp: false,
  });
});
