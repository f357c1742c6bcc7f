import { QueryClient } from '@tanstack/react-query';
import { shouldRetry, retryDelay } from '#core/http/retry.ts';
import { modeAt } from '#reading/viewer/viewer-modes.ts';
import { pathOfLegacyLink } from './routing/legacy-links.ts';

const meant = pathOfLegacyLink(window.location.hash);
if (meant) window.history.replaceState(null, '', meant);

/** Cache of the data of the screens. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Rows that change under the pointer open the wrong study. A list therefore refetches on request, not on each
      // focus.
      refetchOnWindowFocus: false,
      staleTime: 15_000,
      retry: shouldRetry,
      retryDelay,
    },
  },
});
const { pathname } = window.location;
if (modeAt(pathname)) {
  // Starts before the rest of the application is evaluated, which takes as long as the answer. The route loads the same
  // files and shows the error.
  import('#reading/viewer/prefetch-viewer.ts').then(
    ({ prefetchViewerData }) => prefetchViewerData(queryClient, pathname),
    () => undefined,
  );
}
