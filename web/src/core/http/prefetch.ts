import { prefetchHeader } from '@radwork/contract/core/endpoint';
import type { FetchQueryOptions, QueryClient, QueryKey, QueryMeta } from '@tanstack/react-query';

/** Marks a query as fetched before the user opens its data. */
export const inAdvance: QueryMeta = { isInAdvance: true };

/** Returns the header that tells the server about a fetch in advance. The audit log then does not say "opened". */
export const prefetchHeaders = (meta: QueryMeta | undefined): Record<string, string> =>
  meta?.['isInAdvance'] === true ? { [prefetchHeader]: '1' } : {};

/** Age in milliseconds up to which data are not fetched in advance again. */
const freshFor = 60_000;

/**
 * Fetches data before the user opens them. They are then shown at once, and fetched again at opening, so that the audit
 * log records the opening.
 */
export const fetchInAdvance = async <T, K extends QueryKey>(
  client: QueryClient,
  options: FetchQueryOptions<T, Error, T, K>,
): Promise<T> => {
  const { queryKey } = options;
  const cached = client.getQueryState<T>(queryKey);
  if (cached?.data !== undefined && Date.now() - cached.dataUpdatedAt < freshFor) return cached.data;
  const data = await client.fetchQuery({ ...options, meta: inAdvance, staleTime: 0 });
  // A page that was opened meanwhile fetches now, as the user's own call.
  void client.invalidateQueries({ queryKey, exact: true });
  return data;
};
