import type { Page } from '@radwork/contract/core/paging';
import { useEffect, useEffectEvent } from 'react';

/** Calls `onLast` with the last page when the current page no longer exists, for example after a deletion. */
export const useLastPageFallback = (page: Page<unknown> | undefined, onLast: (page: number) => void): void => {
  const isBeyond = page?.content.length === 0 && page.totalPages > 0 && page.number >= page.totalPages;
  const last = isBeyond ? page.totalPages - 1 : undefined;
  const showLast = useEffectEvent(onLast);
  useEffect(() => {
    if (last !== undefined) showLast(last);
  }, [last]);
};
