import { notifications } from '@radwork/contract/notifications';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { pollingQuery } from '#core/api.ts';
import { usePollInterval } from '#core/live.ts';

/** How often the inbox and its badge are asked for while no changes are told, in milliseconds (check 110). */
const pollEvery = 30_000;

type Asked = { page?: number; size: number; filter?: 'unread' | undefined };

/** One page of the inbox, kept up to date. The page before stays until the next one is there. */
export const useInbox = (asked: Asked, { enabled = true } = {}) => {
  const refetchInterval = usePollInterval(pollEvery);
  return useQuery({
    ...pollingQuery(notifications.list, { query: asked }),
    refetchInterval,
    enabled,
    placeholderData: keepPreviousData,
  });
};

/** How many notifications nobody has read; undefined until that is known. */
export const useUnreadCount = (): number | undefined => useInbox({ size: 1, filter: 'unread' }).data?.totalElements;
