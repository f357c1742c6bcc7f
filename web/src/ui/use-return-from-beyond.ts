import type { Page } from '@radwork/contract/paging';
import { useEffect, useEffectEvent } from 'react';

/** A page past the end is empty, after a deletion for example: `onLast` is asked to show the last that is not. */
export const useReturnFromBeyond = (page: Page<unknown> | undefined, onLast: (page: number) => void): void => {
  const isBeyond = page?.content.length === 0 && page.totalPages > 0 && page.number >= page.totalPages;
  const last = isBeyond ? page.totalPages - 1 : undefined;
  const showLast = useEffectEvent(onLast);
  useEffect(() => {
    if (last !== undefined) showLast(last);
  }, [last]);
};
