import { notifications } from '@radwork/contract/identity/notifications';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { inboxOf, notification } from '#test/notifications.ts';
import { answer, signIn, visit } from '#test/screen.tsx';

const many = (count: number) => Array.from({ length: count }, (_, at) => notification({ title: `Notice ${at}` }));

/** Opens a screen that shows no notifications itself, so that only the bell requests them. */
const open = async (items: Parameters<typeof inboxOf>[0], ...answers: Parameters<typeof visit>[1][]) => {
  signIn();
  const view = visit('/atlas', ...answers, inboxOf(items));
  await screen.findByRole('heading', { name: 'Medical Atlas Management' });
  return view;
};

test.each([
  [1, '1'],
  [99, '99'],
  [100, '99+'],
])(
  'with %i unread notifications the badge shows %s, and the label of the bell has the exact number',
  async (unread, badge) => {
    const { calls } = await open(() => many(unread));

    const bell = await screen.findByRole('button', { name: `Notifications, ${unread} unread` });

    expect(bell.textContent).toBe(badge);
    const [request] = calls.filter(({ url }) => url.pathname === '/api/notifications');
    expect(request?.url.search).toBe('?size=1&filter=unread');
    expect(request?.headers.get('x-poll')).toBe('1');
  },
);

test('the bell polls every 30 seconds, but not in a hidden tab', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const isHidden = vi.spyOn(document, 'visibilityState', 'get');
  const { calls } = await open(() => []);
  await screen.findByRole('button', { name: 'Notifications' });
  const requestCount = () => calls.filter(({ url }) => url.pathname === '/api/notifications').length;
  await eventually(() => expect(requestCount()).toBe(1));

  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(requestCount()).toBe(2);
  isHidden.mockReturnValue('hidden');
  await act(() => document.dispatchEvent(new Event('visibilitychange')));
  await act(() => vi.advanceTimersByTimeAsync(120_000));

  expect(requestCount()).toBe(2);
});

test('the bell shows no badge without unread notifications', async () => {
  await open(() => [notification({ seen: true })]);

  const bell = await screen.findByRole('button', { name: 'Notifications' });

  expect(bell.textContent).toBe('');
});

test('the bell shows the newest five notifications and links to all', async () => {
  const { address } = await open(() => many(7));

  await userEvent.click(await screen.findByRole('button', { name: /^Notifications/ }));
  expect(await screen.findByRole('dialog', { name: 'Newest notifications' })).toBeDefined();
  expect(await screen.findByText('Notice 4')).toBeDefined();
  expect(screen.queryByText('Notice 5')).toBeNull();
  await userEvent.click(screen.getByRole('link', { name: 'All notifications' }));

  await waitFor(() => expect(address()).toBe('/notifications'));
});

test('opening a notification from the bell marks it as read, follows its link and closes the bell', async () => {
  let items = [notification({ title: 'Look', link: '/notifications?filter=unread' })];
  const markRead = answer(notifications.markRead, () => {
    items = items.map((item) => ({ ...item, seen: true }));
  });
  const { address } = await open(() => items, markRead);

  await userEvent.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }));
  await userEvent.click(await screen.findByRole('link', { name: 'Look' }));

  await waitFor(() => expect(address()).toBe('/notifications?filter=unread'));
  expect(await screen.findByRole('button', { name: 'Notifications' })).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Newest notifications' })).toBeNull());
});

test('notifications in the bell do not move under the pointer, and new notifications appear below', async () => {
  let items = [notification({ title: 'One' }), notification({ title: 'Two' })];
  const { client } = await open(() => items);
  const titles = () => screen.getAllByText(/^(One|Two|New one)$/).map(({ textContent }) => textContent);
  await userEvent.click(await screen.findByRole('button', { name: /^Notifications/ }));
  await userEvent.hover(await screen.findByRole('link', { name: 'Two' }));

  items = [notification({ title: 'New one' }), ...items];
  await act(() => client.invalidateQueries({ queryKey: ['notifications'] }));

  expect(await screen.findByText('The list has changed.')).toBeDefined();
  expect(titles()).toEqual(['One', 'Two', 'New one']);
});
