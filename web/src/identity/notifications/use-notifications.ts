import { notifications } from '@radwork/contract/identity/notifications';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { pollingQuery } from '#core/http/api.ts';
import { usePollInterval } from '#core/live/live.ts';

/**
 * Poll interval of list and unread count while live events are unavailable, in milliseconds. The specification sets it.
 */
const pollEvery = 30_000;

type InboxQuery = { page?: number; size: number; filter?: 'unread' | undefined };

/**
 * Loads a page of notifications and keeps it up to date. The previous page stays visible until the next page arrives.
 */
export const useInbox = (inboxQuery: InboxQuery, { enabled = true } = {}) => {
  const refetchInterval = usePollInterval(pollEvery);
  return useQuery({
    ...pollingQuery(notifications.list, { query: inboxQuery }),
    refetchInterval,
    enabled,
    placeholderData: keepPreviousData,
  });
};

/** Returns the number of unread notifications; undefined until loaded. */
export const useUnreadCount = (): number | undefined => useInbox({ size: 1, filter: 'unread' }).data?.totalElements;
