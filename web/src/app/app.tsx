import { t } from '@lingui/core/macro';
import { direction } from '#core/language.ts';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '#core/http/api.ts';
import { type StoredSession, onSessionChange, readSession } from '#core/state/session.ts';
import { toast } from '#core/browser/toasts.ts';
import { answerQuestion } from '#ui/dialogs/confirm.tsx';
import { cssVariables, styleNonce, theme } from '#ui/layout/theme.ts';
import { OverlaysOnDemand } from './overlays-on-demand.tsx';
import type { AppRouter } from './routing/router.tsx';

type Props = { client: QueryClient; router: AppRouter; env?: 'default' | 'test' };

/** Everything that surrounds the screens: theme, text direction, data cache, router, confirmation dialog and toasts. */
export function App({ client, router, env = 'default' }: Props) {
  useEffect(() => followSession(client, router), [client, router]);
  useEffect(reportUnhandledErrors, []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      forceColorScheme="dark"
      getStyleNonce={styleNonce}
      env={env}
    >
      <DirectionProvider initialDirection={direction} detectDirection={false}>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
          <OverlaysOnDemand />
        </QueryClientProvider>
      </DirectionProvider>
    </MantineProvider>
  );
}

/**
 * Follows sign-in and sign-out, including those in other tabs and by the server. Drops cached data and runs the route
 * guard again, which asks a signed-out user to sign in. Also checks the session when a tab becomes visible, because a
 * sleeping tab may miss the event. If another user has signed in, reloads the page, because screens and libraries still
 * hold data of the former user.
 */
const followSession = (client: QueryClient, router: AppRouter) => {
  let last = readSession();
  const follow = () => {
    const next = readSession();
    if (next?.token === last?.token) return;
    const isAnother = last !== undefined && next !== undefined && !isSamePerson(last, next);
    last = next;
    client.clear();
    // Cancels an open confirmation dialog. It is outside all pages and may name a patient.
    answerQuestion(false);
    if (isAnother) window.location.reload();
    else void router.invalidate();
  };
  const stop = onSessionChange(follow);
  window.addEventListener('pageshow', follow);
  document.addEventListener('visibilitychange', follow);
  return () => {
    stop();
    window.removeEventListener('pageshow', follow);
    document.removeEventListener('visibilitychange', follow);
  };
};

const isSamePerson = (one: StoredSession, other: StoredSession): boolean =>
  one.user.id === other.user.id && one.tenant.subdomain === other.tenant.subdomain;

/**
 * Shows a message for unhandled promise rejections. API calls show their own errors, and an aborted call is not an
 * error.
 */
const reportUnhandledErrors = () => {
  const report = (event: PromiseRejectionEvent) => {
    const { reason } = event;
    if (event.defaultPrevented || reason instanceof ApiError) return;
    if (reason instanceof DOMException && reason.name === 'AbortError') return;
    toast.failure(t`Something went wrong on this page. If it stops working, reload it.`);
  };
  // Waits until all other listeners have run, because they may handle the error.
  const onRejection = (event: PromiseRejectionEvent) => void setTimeout(() => report(event));
  window.addEventListener('unhandledrejection', onRejection);
  return () => window.removeEventListener('unhandledrejection', onRejection);
};
