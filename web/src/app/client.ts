import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '#core/api.ts';
import { fetchAhead } from '#viewer/fetch-ahead.ts';
import { pathOfLegacyLink } from './legacy-links.ts';

const meant = pathOfLegacyLink(window.location.hash);
if (meant) window.history.replaceState(null, '', meant);

/** What the screens have asked for. */
export const client = new QueryClient({
  defaultOptions: {
    queries: {
      // Rows that change under the pointer open the wrong study: a list is renewed when asked, not on every return.
      refetchOnWindowFocus: false,
      staleTime: 15_000,
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});
// Before the rest of the application is evaluated, which takes as long as the answer.
fetchAhead(client, window.location.pathname);
