import { type Notification, notifications } from '@radwork/contract/identity/notifications';
import { pageOf } from '@radwork/contract/core/paging';
import { answer } from './screen.tsx';

let count = 0;

/** Returns an unread notification, created just now by default. */
export const notification = (overrides: Partial<Notification> = {}): Notification => ({
  id: `notification-${++count}`,
  type: 'ASSIGNMENT',
  title: 'A study was assigned to you',
  message: 'CT · Chest with contrast',
  link: '/notifications?page=0',
  study: null,
  createdAt: new Date().toISOString(),
  seen: false,
  ...overrides,
});

/**
 * Answers requests for notifications as the server does: filtered and in pages. `items` returns the current
 * notifications.
 */
export const inboxOf = (items: () => readonly Notification[]) =>
  answer(notifications.list, ({ url: { searchParams } }) => {
    const matching = items().filter(({ seen }) => searchParams.get('filter') !== 'unread' || !seen);
    const [page, size] = [Number(searchParams.get('page') ?? 0), Number(searchParams.get('size') ?? 10)];
    return pageOf(matching.slice(page * size, (page + 1) * size), matching.length, { page, size });
  });
