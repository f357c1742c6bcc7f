import { type ReadingQueue, readingQueueChoice } from '@radwork/contract/reading/reading-queue';
import { t } from '@lingui/core/macro';
import {
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
  type RouterHistory,
} from '@tanstack/react-router';
import { signedInAgainPath } from '@radwork/contract/identity/signed-in-again-path';
import { z } from 'zod';
import type { Mode } from '#reading/viewer/viewer-modes.ts';
import { clearSession } from '#core/state/session.ts';
import { loginSearch } from '#identity/sessions/login-search.ts';
import { ErrorPage } from './error-page.tsx';
import { AccessDeniedPage, NotFoundPage } from './missing-pages.tsx';
import { parseSearch, stringifySearch } from './search-params.ts';
import { goTo, root, shell, signedIn, viewerLayout } from './route-frames.tsx';
import { screens } from './screen-routes.tsx';

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}

const publicPages = [
  createRoute({ getParentRoute: () => root, path: '/', ...goTo('/dashboard') }),
  createRoute({ getParentRoute: () => root, path: '/pages', ...goTo('/pages/404') }),
  createRoute({
    getParentRoute: () => root,
    path: '/pages/404',
    staticData: { can: 'public', title: t`Page not found` },
    component: NotFoundPage,
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/pages/403',
    staticData: { can: 'public', title: t`Access denied` },
    component: AccessDeniedPage,
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/login',
    staticData: { can: 'public', title: t`Sign in` },
    validateSearch: loginSearch,
    beforeLoad: ({ cause }) => {
      // Ends the session only when the user enters the screen. After a sign-in in another tab, this loader runs again
      // and must not end the new session.
      if (cause === 'enter') clearSession();
    },
    component: lazyRouteComponent(() => import('#app/pages/login-page.tsx'), 'LoginPage'),
  }),
] as const;

const home = createRoute({
  getParentRoute: () => root,
  path: '/home',
  staticData: { can: 'public', title: t`Welcome` },
  component: lazyRouteComponent(() => import('#identity/sessions/home-screen.tsx'), 'HomeScreen'),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  staticData: { can: 'public', title: t`Setup` },
  component: lazyRouteComponent(() => import('#identity/sessions/setup-screen.tsx'), 'SetupScreen'),
});

const portal = createRoute({
  getParentRoute: () => root,
  path: '/portal/report/$hash',
  staticData: { can: 'public', title: t`Report` },
  component: lazyRouteComponent(() => import('#reading/sharing/portal-page.tsx'), 'PortalPage'),
});

const setPassword = createRoute({
  getParentRoute: () => root,
  path: '/set-password',
  staticData: { can: 'public', title: t`Set password` },
  component: lazyRouteComponent(() => import('#identity/accounts/set-password-page.tsx'), 'SetPasswordPage'),
});

const enrolling = createRoute({
  getParentRoute: () => signedIn,
  path: '/second-factor',
  staticData: { can: 'authenticated', title: t`Second factor` },
  validateSearch: loginSearch,
  component: lazyRouteComponent(() => import('#identity/accounts/enroll-page.tsx'), 'EnrollPage'),
});

const signedInAgain = createRoute({
  getParentRoute: () => signedIn,
  path: signedInAgainPath,
  staticData: { can: 'authenticated', title: t`Signed in again` },
  component: lazyRouteComponent(() => import('#identity/single-sign-on/signed-in-again-page.tsx'), 'SignedInAgainPage'),
});

const viewersWithReport = () => import('#app/viewers/viewer-with-report.tsx');

/** Prefetches the code of a viewer when the pointer is on a link to it, because the imaging library is large. */
const fetchViewer = (mode: Mode): void => {
  // Ignores errors, because the component of the route loads the same files and shows the error.
  import('#reading/viewer/prefetch-viewer.ts').then(
    (prefetching) => prefetching.fetchViewer(mode),
    () => undefined,
  );
};

/** Queue that the user reads. Without it, a viewer only shows the study. It stays when the viewer changes. */
const ofQueue = { queue: readingQueueChoice.optional().catch(undefined) };
const keepQueue = { middlewares: [retainSearchParams<{ queue?: ReadingQueue | undefined }>(['queue'])] };

const viewers = [
  createRoute({
    getParentRoute: () => viewerLayout,
    path: '/viewer/{-$id}',
    validateSearch: z.object({
      image: z.string().optional().catch(undefined),
      series: z.string().optional().catch(undefined),
      ...ofQueue,
    }),
    search: keepQueue,
    staticData: { can: 'study.view', title: t`Viewer` },
    loader: () => fetchViewer('standard'),
    component: lazyRouteComponent(viewersWithReport, 'StandardViewer'),
  }),
  createRoute({
    getParentRoute: () => viewerLayout,
    path: '/usviewer/{-$id}',
    validateSearch: z.object(ofQueue),
    search: keepQueue,
    staticData: { can: 'study.view', title: t`Ultrasound viewer` },
    loader: () => fetchViewer('ultrasound'),
    component: lazyRouteComponent(viewersWithReport, 'UltrasoundViewer'),
  }),
  createRoute({
    getParentRoute: () => viewerLayout,
    path: '/mpr/$id/{-$series}',
    validateSearch: z.object({ measurement: z.string().optional().catch(undefined), ...ofQueue }),
    search: keepQueue,
    staticData: { can: 'study.view', title: t`MPR / 3D viewer` },
    loader: () => fetchViewer('mpr'),
    component: lazyRouteComponent(viewersWithReport, 'MprViewer'),
  }),
  createRoute({
    getParentRoute: () => viewerLayout,
    path: '/petct/{-$id}',
    validateSearch: z.object({ fusion: z.string().optional().catch(undefined), ...ofQueue }),
    search: keepQueue,
    staticData: { can: 'study.view', title: t`Fusion viewer` },
    loader: () => fetchViewer('fusion'),
    component: lazyRouteComponent(viewersWithReport, 'FusionViewer'),
  }),
] as const;

const routeTree = root.addChildren([
  ...publicPages,
  home,
  setup,
  portal,
  setPassword,
  signedIn.addChildren([
    enrolling,
    signedInAgain,
    shell.addChildren([...screens]),
    viewerLayout.addChildren([...viewers]),
  ]),
]);

/** Creates the router of the application. Tests pass their own history. */
export const createAppRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    defaultErrorComponent: ErrorPage,
    ...(history && { history }),
  });

export type AppRouter = ReturnType<typeof createAppRouter>;
