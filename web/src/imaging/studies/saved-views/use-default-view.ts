import type { SavedView } from '@radwork/contract/imaging/saved-views';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readSession } from '#core/state/session.ts';
import type { StudiesSearch } from '#imaging/studies/list/studies-search.ts';
import { useUsableViews } from './use-saved-views.ts';

/** User who has seen the list since the page was loaded. The client lives as long as the page. */
const seenBy = new WeakMap<QueryClient, string>();

/**
 * Opens the default view of the user when the list first opens, without filters. Later, an address without filters means
 * all studies.
 */
export const useDefaultView = (
  search: StudiesSearch,
  open: (view: SavedView, options: { replace: boolean }) => void,
): void => {
  const client = useQueryClient();
  const views = useUsableViews();
  const userId = readSession()?.user.id ?? '';
  const isPlain = Object.values(search).every((value) => value === undefined);
  useEffect(() => {
    if (seenBy.get(client) === userId || (isPlain && !views)) return;
    seenBy.set(client, userId);
    const view = isPlain ? views?.find(({ isDefault }) => isDefault) : undefined;
    if (view) open(view, { replace: true });
  }, [client, userId, isPlain, views, open]);
};
