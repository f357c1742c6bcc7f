import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { toastTime } from '#core/toasts.ts';
import { ConfirmDialog } from '#ui/confirm.tsx';
import { cssVariables, styleNonce, theme } from '#ui/theme.ts';
import type { AppRouter } from './router.tsx';

type Props = { client: QueryClient; router: AppRouter; env?: 'default' | 'test' };

/** Everything around the screens: theme, messages, questions, data and addresses. */
export function App({ client, router, env = 'default' }: Props) {
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
