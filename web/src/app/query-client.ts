import { QueryClient } from '@tanstack/react-query';
import { shouldRetry, retryDelay } from '#core/http/retry.ts';
import { modeAt } from '#reading/viewer/viewer-modes.ts';
import { pathOfLegacyLink } from './routing/legacy-links.ts';

const currentPath = pathOfLegacyLink(window.location.hash);
if (currentPath) window.history.replaceState(null, '', currentPath);

/** Cache for the data of all screens. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Does not refetch when the window gains the focus. Otherwise rows could move under the pointer, and a click
      // would open the wrong study.
      refetchOnWindowFocus: false,
      staleTime: 15_000,
      retry: shouldRetry,
      retryDelay,
    },
  },
});
const { pathname } = window.location;
if (modeAt(pathname)) {
  // Starts the request for viewer data early. Starting the rest of the application takes about as long as the response.
  // Ignores errors, because the route loads the same files and shows the error.
  import('#reading/viewer/prefetch-viewer.ts').then(
    ({ prefetchViewerData }) => prefetchViewerData(queryClient, pathname),
    () => undefined,
  );
}
