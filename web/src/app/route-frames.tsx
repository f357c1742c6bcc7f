import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import type { Access } from '@radwork/contract/access';
import { requireSession } from './guard.ts';
import { NotFoundPage } from './missing-pages.tsx';
import { Root } from './root.tsx';
import { Shell } from './shell.tsx';
import { ViewerLayout } from './viewer-layout.tsx';
import { WithPalette } from './with-palette.tsx';

declare module '@tanstack/react-router' {
  /** Every route says who may open it and what the browser calls it; one that does not, does not compile. */
  interface StaticDataRouteOption {
    can: Access;
    title?: string | ((search: { form?: unknown }) => string);
  }
}

/** What frames pages, and may be passed by everybody. */
export const layout = { can: 'public' } as const;
/** Leads on to another page at once. */
export const goTo = (to: '/dashboard' | '/pages/404' | '/stydys-search') => ({
  staticData: layout,
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({ to, replace: true });
  },
});

export const root = createRootRoute({ staticData: layout, component: Root, notFoundComponent: NotFoundPage });

/** All that asks who one is. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  staticData: layout,
  beforeLoad: requireSession,
  component: WithPalette,
});

/** All that stands beside the sidebar. */
export const shell = createRoute({ getParentRoute: () => signedIn, id: 'shell', staticData: layout, component: Shell });

/** All that shows images and nothing else. */
export const viewerLayout = createRoute({
  getParentRoute: () => signedIn,
  id: 'viewer-layout',
  staticData: layout,
  component: ViewerLayout,
});
