import {
  type Notification,
  type NotificationPreferences,
  notifications,
} from '@radwork/contract/identity/notifications';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { inboxOf, notification } from '#test/notifications.ts';
import { answer, refuse, type SentRequest, signIn, visit } from '#test/screen.tsx';

type Answers = Parameters<typeof visit>[1][];

const open = async (items: readonly Notification[] | (() => readonly Notification[]), ...answers: Answers) => {
  signIn();
  const view = visit('/notifications', ...answers, inboxOf(typeof items === 'function' ? items : () => items));
  await screen.findByRole('heading', { name: 'Notifications' });
  return view;
};

const changes = (calls: readonly SentRequest[]) =>
  calls
    .filter(({ method, url }) => method !== 'GET' && url.pathname.startsWith('/api/notifications'))
    .map(({ method, url }) => `${method} ${url.pathname}`);

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const rowOf = async (title: string) => {
  const row = (await screen.findByText(title)).closest('li');
  if (!row) throw new Error(`${title} stands in no row`);
  return within(row);
};

test('the inbox shows each event with its age and exact time, and the word New for unread ones', async () => {
  const hoursOld = notification({ title: 'Your report was approved', createdAt: minutesAgo(3 * 60 + 5), seen: true });
  await open([notification({ title: 'Overdue' }), hoursOld]);

  const [fresh, old] = [await rowOf('Overdue'), await rowOf('Your report was approved')];

  expect(fresh.getByText('Just now')).toBeDefined();
  expect(fresh.getByText('New')).toBeDefined();
  expect(old.getByText('3h ago').title).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
  expect(old.queryByText('New')).toBeNull();
  expect(old.getByText('CT · Chest with contrast')).toBeDefined();
});

test('a notification shows patient, identifier and study if the server sends them', async () => {
  const study = { id: 's-1', patientName: 'Doe, Jane', patientId: 'P-1', studyDate: '2026-11-20T09:30:00' };
  await open([notification({ title: 'Assigned', study }), notification({ title: 'Not known any more' })]);

  const [known, unknown] = [await rowOf('Assigned'), await rowOf('Not known any more')];

  expect(known.getByText('Doe, Jane').closest('p')?.textContent).toBe('Doe, Jane P-1');
  expect(known.getByText('CT · Chest with contrast · 2026-11-20 09:30')).toBeDefined();
  expect(unknown.queryByText('Doe, Jane')).toBeNull();
});

test('a page of the inbox has ten notifications, and the address contains the page', async () => {
  const items = Array.from({ length: 12 }, (_, number) => notification({ title: `Notice ${number}`, seen: true }));
  const { address } = await open(items);
  await screen.findByText('Notice 9');
  expect(screen.queryByText('Notice 10')).toBeNull();

  await userEvent.click(screen.getByRole('button', { name: 'Page 2' }));

  expect(await screen.findByText('Notice 10')).toBeDefined();
  expect(screen.getByText('Showing 11 to 12 of 12 entries')).toBeDefined();
  expect(address()).toBe('/notifications?page=1');
});

test('the unread filter shows only unread notifications', async () => {
  await open([notification({ title: 'Unread one' }), notification({ title: 'Read one', seen: true })]);
  await screen.findByText('Read one');

  await userEvent.click(screen.getByRole('button', { name: 'Unread 1' }));

  await waitFor(() => expect(screen.queryByText('Read one')).toBeNull());
  expect(screen.getByText('Unread one')).toBeDefined();
});

test('opening an unread notification follows its link and marks it as read', async () => {
  const item = notification({ title: 'Look', link: '/notifications?filter=unread' });
  const { calls, address } = await open(
    [item],
    answer(notifications.markRead, () => undefined),
  );

  await userEvent.click(await screen.findByRole('link', { name: 'Look' }));

  await waitFor(() => expect(address()).toBe('/notifications?filter=unread'));
  expect(changes(calls)).toEqual([`PUT /api/notifications/${item.id}/mark-read`]);
});

test('opening a read notification follows its link and sends nothing', async () => {
  const item = notification({ title: 'Look', link: '/notifications?filter=unread', seen: true });
  const { calls, address } = await open([item]);

  await userEvent.click(await screen.findByRole('link', { name: 'Look' }));

  await waitFor(() => expect(address()).toBe('/notifications?filter=unread'));
  expect(changes(calls)).toEqual([]);
});

test('a notification can be marked as read without opening it', async () => {
  let items = [notification({ title: 'One' })];
  const markRead = answer(notifications.markRead, () => {
    items = items.map((item) => ({ ...item, seen: true }));
  });
  await open(() => items, markRead);

  await userEvent.click(await screen.findByRole('button', { name: 'Mark as read: One' }));

  await waitFor(() => expect(screen.queryByText('New')).toBeNull());
});

test('"Mark all read" sends the newest notification shown and displays the answer of the server', async () => {
  const newest = notification({ title: 'Newest' });
  const { calls } = await open(
    [newest, notification()],
    answer(notifications.markAllRead, () => 'All notifications marked as read'),
  );
  await screen.findByText('Newest');

  await userEvent.click(screen.getByRole('button', { name: 'Mark all read' }));

  expect(await screen.findByText('All notifications marked as read')).toBeDefined();
  const sent = calls.find(({ method }) => method === 'PUT');
  expect(sent?.url.searchParams.get('until')).toBe(newest.createdAt);
});

test('a read notification is deleted at once, and Undo restores it', async () => {
  const item = notification({ title: 'Goes', seen: true });
  let items = [item];
  const remove = answer(notifications.remove, () => {
    items = [];
    return { removed: 1, removalId: 'removal-1' };
  });
  const restore = answer(notifications.restore, () => {
    items = [item];
    return { restored: 1 };
  });
  const { calls } = await open(() => items, remove, restore);

  await userEvent.click(await screen.findByRole('button', { name: 'Delete: Goes' }));
  await waitFor(() => expect(screen.queryByText('Goes')).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));

  expect(await screen.findByText('Goes')).toBeDefined();
  expect(changes(calls)).toEqual([
    `DELETE /api/notifications/${item.id}`,
    'PUT /api/notifications/removals/removal-1/restore',
  ]);
});

test('an unread notification is deleted only after a confirmation that repeats its text', async () => {
  const { calls } = await open([notification({ title: 'Critical finding', message: 'CT · Head' })]);

  await userEvent.click(await screen.findByRole('button', { name: 'Delete: Critical finding' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete an unread notification?' });
  expect(dialog.textContent).toContain('CT · Head');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));

  expect(changes(calls)).toEqual([]);
});

test('clearing the inbox asks first, shows the numbers of all and of unread notifications, and can be undone', async () => {
  const newest = notification({ title: 'Newest' });
  const { calls } = await open(
    [newest, notification({ seen: true }), notification({ seen: true })],
    answer(notifications.clearAll, () => ({ removed: 3, removalId: 'removal-2' })),
    answer(notifications.restore, () => ({ restored: 3 })),
  );
  await screen.findByText('Newest');

  await userEvent.click(screen.getByRole('button', { name: 'Clear all' }));
  const dialog = await screen.findByRole('dialog', { name: 'Clear all notifications?' });
  expect(dialog.textContent).toContain('3 notifications will be removed from your inbox. Unread: 1.');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Clear all' }));
  expect(await screen.findByText('3 notifications cleared')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));

  await waitFor(() =>
    expect(changes(calls)).toEqual([
      'DELETE /api/notifications/clear-all',
      'PUT /api/notifications/removals/removal-2/restore',
    ]),
  );
  expect(calls.find(({ method }) => method === 'DELETE')?.url.searchParams.get('until')).toBe(newest.createdAt);
});

test('in the inbox, J and K move, M marks as read, and Delete deletes and selects the next notification', async () => {
  let items = ['One', 'Two', 'Three'].map((title) => notification({ title, seen: title !== 'Two' }));
  const remove = answer(notifications.remove, ({ url }) => {
    items = items.filter(({ id }) => !url.pathname.endsWith(id));
    return { removed: 1, removalId: 'removal-3' };
  });
  const { calls } = await open(
    () => items,
    answer(notifications.markRead, () => undefined),
    remove,
  );
  await screen.findByText('Three');
  const current = () => document.activeElement?.textContent;

  await userEvent.keyboard('jj');
  expect(current()).toBe('Two');
  await userEvent.keyboard('m');
  await userEvent.keyboard('k');
  expect(current()).toBe('One');
  await userEvent.keyboard('{Delete}');
  await waitFor(() => expect(screen.queryByText('One')).toBeNull());

  expect(current()).toBe('Two');
  expect(changes(calls)).toEqual([
    expect.stringMatching(/^PUT .*mark-read$/),
    expect.stringMatching(/^DELETE \/api\/notifications\/notification-/),
  ]);
});

test('keys act on the selected notification even after a new notification has moved it', async () => {
  let items = [
    notification({ id: 'unread-1', title: 'One' }),
    notification({ id: 'seen-2', title: 'Two', seen: true }),
  ];
  const { calls, client } = await open(
    () => items,
    answer(notifications.markRead, () => undefined),
    answer(notifications.remove, () => ({ removed: 1, removalId: 'removal-5' })),
  );
  await screen.findByText('Two');
  await userEvent.keyboard('j');

  items = [notification({ id: 'critical-3', title: 'A critical finding is due', type: 'CRITICAL_FINDING' }), ...items];
  await act(() => client.invalidateQueries({ queryKey: ['notifications'] }));
  await screen.findByText('A critical finding is due');
  await userEvent.keyboard('m');
  await userEvent.keyboard('j{Delete}');

  await waitFor(() => expect(changes(calls)).toHaveLength(2));
  expect(changes(calls)).toEqual(['PUT /api/notifications/unread-1/mark-read', 'DELETE /api/notifications/seen-2']);
});

test('deleting the last notification of a page opens the page before', async () => {
  let items = Array.from({ length: 11 }, (_, number) => notification({ title: `Notice ${number}`, seen: true }));
  const remove = answer(notifications.remove, () => {
    items = items.slice(0, 10);
    return { removed: 1, removalId: 'removal-4' };
  });
  const { router, address } = await open(() => items, remove);
  await router.navigate({ to: '/notifications', search: { page: 1 } });

  await userEvent.click(await screen.findByRole('button', { name: 'Delete: Notice 10' }));

  expect(await screen.findByText('Notice 9')).toBeDefined();
  expect(address()).toBe('/notifications');
});

test('the inbox polls every 30 seconds, but not in a hidden tab', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const visibility = vi.spyOn(document, 'visibilityState', 'get');
  onTestFinished(() => visibility.mockRestore());
  const { calls } = await open([notification({ title: 'One' })]);
  await screen.findByText('One');
  const requestCount = () => calls.filter(({ url }) => url.searchParams.get('size') === '10').length;
  const first = requestCount();

  await act(() => vi.advanceTimersByTimeAsync(30_000));
  const afterHalfAMinute = requestCount();
  visibility.mockReturnValue('hidden');
  await act(() => document.dispatchEvent(new Event('visibilitychange')));
  await act(() => vi.advanceTimersByTimeAsync(120_000));

  expect([first, afterHalfAMinute, requestCount()]).toEqual([1, 2, 2]);
});

test('an empty inbox explains which notifications will appear', async () => {
  await open([]);

  expect(await screen.findByText('No notifications')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Clear all' })).toHaveProperty('disabled', true);
});

test('an inbox that fails to load shows an error and a retry', async () => {
  signIn();
  let isAway = true;
  visit('/notifications', {
    ...inboxOf(() => []),
    reply: (sent) => {
      if (isAway) throw new TypeError('Failed to fetch');
      return inboxOf(() => [notification({ title: 'Here again' })]).reply(sent);
    },
  });
  expect(await screen.findByText('Failed to load notifications')).toBeDefined();

  isAway = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(await screen.findByText('Here again')).toBeDefined();
});

const away = (answered: Answers[number]): Answers[number] => ({
  ...answered,
  reply: () => {
    throw new TypeError('Failed to fetch');
  },
});

test.each([
  ['Mark as read: One', undefined, notifications.markRead, 'Failed to mark notification as read'],
  ['Mark all read', undefined, notifications.markAllRead, 'Failed to mark all notifications as read'],
  ['Delete: One', 'Delete notification', notifications.remove, 'Failed to delete notification'],
  ['Clear all', 'Clear all', notifications.clearAll, 'Failed to clear notifications'],
])('a failure of "%s" in the inbox shows the message of the specification', async (button, verb, endpoint, words) => {
  await open([notification({ title: 'One' })], away(refuse(endpoint, 500, '')));
  await screen.findByText('One');

  await userEvent.click(screen.getByRole('button', { name: button }));
  if (verb) await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: verb }));

  expect(await screen.findByText(words)).toBeDefined();
  expect(screen.getByText('One')).toBeDefined();
});

test('a user can turn off notifications of each kind, except critical findings', async () => {
  const saved: NotificationPreferences = { unwanted: ['MENTION'] };
  const { calls } = await open(
    [],
    answer(notifications.preferences, () => saved),
    answer(notifications.savePreferences, () => saved),
  );

  await userEvent.click(screen.getByRole('button', { name: 'Preferences' }));
  const imports = await screen.findByRole('switch', { name: /^Imports/ });
  const critical = screen.getByRole('switch', { name: /^Critical findings/ });
  await userEvent.click(imports);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));

  expect(await screen.findByText('Preferences saved')).toBeDefined();
  expect(critical).toMatchObject({ checked: true, disabled: true });
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ unwanted: ['MENTION', 'IMPORT'] });
});

test('notifications in the inbox do not move under the pointer', async () => {
  let items = [notification({ title: 'One', seen: true }), notification({ title: 'Two', seen: true })];
  const { client } = await open(() => items);
  await userEvent.hover(await screen.findByRole('button', { name: 'Delete: Two' }));

  items = [notification({ title: 'New one' }), ...items];
  await act(() => client.invalidateQueries({ queryKey: ['notifications'] }));

  expect(await screen.findByText('The list has changed.')).toBeDefined();
  expect(screen.getAllByText(/^(One|Two|New one)$/).map(({ textContent }) => textContent)).toEqual(['One', 'Two']);
});
