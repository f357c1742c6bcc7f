import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { onSessionChange, readSession } from '#core/session.ts';
import { toastTime } from '#core/toasts.ts';
import { ConfirmDialog } from '#ui/confirm.tsx';
import { cssVariables, styleNonce, theme } from '#ui/theme.ts';
import type { AppRouter } from './router.tsx';

type Props = { client: QueryClient; router: AppRouter; env?: 'default' | 'test' };

/** Everything around the screens: theme, messages, questions, data and addresses. */
export function App({ client, router, env = 'default' }: Props) {
  useEffect(() => followSession(client, router), [client, router]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      forceColorScheme="dark"
      getStyleNonce={styleNonce}
      env={env}
    >
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
        <ConfirmDialog />
        <Notifications position="bottom-right" autoClose={toastTime.ordinary} limit={4} containerWidth={360} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

/**
 * When somebody signs out, here, in another tab or because the server said so, nothing of what they saw stays in
 * memory, and the guard of the page they are on sends them to sign in.
 */
const followSession = (client: QueryClient, router: AppRouter) => {
  let token = readSession()?.token;
  return onSessionChange(() => {
    const next = readSession()?.token;
    if (next === token) return;
    token = next;
    client.clear();
    void router.invalidate();
  });
};
