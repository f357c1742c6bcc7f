import type { SavedView } from '@radwork/contract/imaging/saved-views';
import { useEffect, useRef } from 'react';
import type { StudiesSearch } from '#imaging/studies/list/studies-search.ts';
import { useSavedViews } from './use-saved-views.ts';

/**
 * Opens the default view of the user when the list opens without filters. Later, an address without filters means all
 * studies.
 */
export const useDefaultView = (
  search: StudiesSearch,
  open: (view: SavedView, options: { replace: boolean }) => void,
): void => {
  const isDecided = useRef(false);
  const { data: views } = useSavedViews();
  const isPlain = Object.values(search).every((value) => value === undefined);
  useEffect(() => {
    if (isDecided.current || (isPlain && !views)) return;
    isDecided.current = true;
    const view = isPlain ? views?.find(({ isDefault }) => isDefault) : undefined;
    if (view) open(view, { replace: true });
  }, [isPlain, views, open]);
};
