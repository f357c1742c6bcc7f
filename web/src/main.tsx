import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@fontsource-variable/inter/index.css';
import '@fontsource/jetbrains-mono/latin-400.css';
import '@fontsource/jetbrains-mono/latin-600.css';
import '#ui/tokens.css';
import '#ui/base.css';
import { QueryClient } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { App } from '#app/app.tsx';
import { pathOfLegacyLink } from '#app/legacy-links.ts';
import { createAppRouter } from '#app/router.tsx';
import { ApiError } from '#core/api.ts';
import { styleNonce } from '#ui/theme.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const meant = pathOfLegacyLink(window.location.hash);
if (meant) window.history.replaceState(null, '', meant);

// The library that stops the page from scrolling under a dialog asks for the nonce of its style element here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // Rows that change under the pointer open the wrong study: a list is renewed when asked, not on every return.
      refetchOnWindowFocus: false,
      staleTime: 15_000,
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});
createRoot(root).render(<App client={client} router={createAppRouter()} />);
