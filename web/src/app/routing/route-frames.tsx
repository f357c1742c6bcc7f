import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import type { Access } from '@radwork/contract/core/access';
import { requireSession } from './guard.ts';
import { NotFoundPage } from './missing-pages.tsx';
import type { DeclaredEntry } from '#app/shell/navigation.ts';
import { Root } from '#app/root.tsx';
import { Shell } from '#app/shell/shell.tsx';
import { ViewerLayout } from '#app/viewers/viewer-layout.tsx';
import { WithPalette } from '#app/palette/with-palette.tsx';

declare module '@tanstack/react-router' {
  /** Requires each route to declare its permission and title. */
  interface StaticDataRouteOption {
    can: Access;
    title?: string | ((search: { form?: unknown }) => string);
    /** Entry in the sidebar and the command palette. Omitted if `navigation.ts` contains it. */
    entry?: DeclaredEntry;
  }
}

/** Static data of routes that only surround other pages. Such routes need no permission. */
export const layout = { can: 'public' } as const;
/** Returns a loader that redirects to another page. */
export const goTo = (to: '/dashboard' | '/pages/404' | '/stydys-search') => ({
  staticData: layout,
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({ to, replace: true });
  },
});

export const root = createRootRoute({ staticData: layout, component: Root, notFoundComponent: NotFoundPage });

/** Parent of all routes that need a session. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  staticData: layout,
  beforeLoad: requireSession,
  component: WithPalette,
});

/** Parent of all routes with a sidebar. */
export const shell = createRoute({ getParentRoute: () => signedIn, id: 'shell', staticData: layout, component: Shell });

/** Parent of all routes that show only images. */
export const viewerLayout = createRoute({
  getParentRoute: () => signedIn,
  id: 'viewer-layout',
  staticData: layout,
  component: ViewerLayout,
});
