import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router';
import type { Access } from '@radwork/contract/access';
import { z } from 'zod';
import { clearSession } from '#core/session.ts';
import { criticalFindingsSearch } from '#features/critical-findings/critical-findings-search.ts';
import { patientsSearch } from '#features/patients/patients-search.ts';
import { notificationsSearch } from '#features/notifications/notifications-search.ts';
import { jobsSearch } from '#features/remote-archives/jobs-search.ts';
import { remoteSearch } from '#features/remote-archives/remote-search.ts';
import { reportsSearch } from '#features/reports/reports-search.ts';
import { loginSearch } from '#features/sessions/login-search.ts';
import { deletedStudiesSearch } from '#features/studies/deleted-studies-search.ts';
import { listPaging, studiesSearch } from '#features/studies/studies-search.ts';
import { createStudySearch } from '#features/studies/create-study-search.ts';
import { studyPageSearch } from '#features/studies/study-page-search.ts';
import { templatesSearch } from '#features/templates/templates-search.ts';
import { coming } from './coming-screens.tsx';
import { ErrorPage } from './error-page.tsx';
import { requireSession } from './guard.ts';
import { AccessDeniedPage, NotFoundPage } from './missing-pages.tsx';
import { OpenInStandardViewer } from './open-in-standard-viewer.tsx';
import { Root } from './root.tsx';
import { parseSearch, stringifySearch } from './search-params.ts';
import { Shell } from './shell.tsx';
import { ViewerLayout } from './viewer-layout.tsx';

declare module '@tanstack/react-router' {
  /** Every route says who may open it and what the browser calls it; one that does not, does not compile. */
  interface StaticDataRouteOption {
    can: Access;
    title?: string | ((search: { form?: unknown }) => string);
  }
  interface Register {
    router: AppRouter;
  }
}

const layout = { can: 'public' } as const;
const goTo = (to: '/dashboard' | '/pages/404' | '/stydys-search') => ({
  staticData: layout,
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({ to, replace: true });
  },
});

const root = createRootRoute({ staticData: layout, component: Root, notFoundComponent: NotFoundPage });

const publicPages = [
  createRoute({ getParentRoute: () => root, path: '/', ...goTo('/dashboard') }),
  createRoute({ getParentRoute: () => root, path: '/pages', ...goTo('/pages/404') }),
  createRoute({
    getParentRoute: () => root,
    path: '/pages/404',
    staticData: { can: 'public', title: 'Page not found' },
    component: NotFoundPage,
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/pages/403',
    staticData: { can: 'public', title: 'Access denied' },
    component: AccessDeniedPage,
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/login',
    staticData: { can: 'public', title: 'Sign in' },
    validateSearch: loginSearch,
    beforeLoad: ({ cause }) => {
      // Only on entry: when another tab signs in meanwhile, this page is looked at again and must not undo that.
      if (cause === 'enter') clearSession();
    },
    component: lazyRouteComponent(() => import('#features/sessions/login-screen.tsx'), 'LoginScreen'),
  }),
] as const;

const home = createRoute({
  getParentRoute: () => root,
  path: '/home',
  staticData: { can: 'public', title: 'Welcome' },
  component: lazyRouteComponent(() => import('#features/sessions/home-screen.tsx'), 'HomeScreen'),
});

const portal = createRoute({
  getParentRoute: () => root,
  path: '/portal/report/$hash',
  staticData: { can: 'public', title: 'Report' },
  component: lazyRouteComponent(() => import('#features/sharing/portal-page.tsx'), 'PortalPage'),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  staticData: layout,
  beforeLoad: requireSession,
});

const shell = createRoute({ getParentRoute: () => signedIn, id: 'shell', staticData: layout, component: Shell });

const screens = [
  createRoute({ getParentRoute: () => shell, path: '/dashboard', ...coming('/dashboard') }),
  createRoute({
    getParentRoute: () => shell,
    path: '/studies',
    staticData: { can: 'study.view', title: 'Studies' },
    validateSearch: studiesSearch,
    component: lazyRouteComponent(() => import('./studies-page.tsx'), 'StudiesPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/studies/deleted',
    staticData: { can: 'study.delete', title: 'Recycle bin' },
    validateSearch: deletedStudiesSearch,
    component: lazyRouteComponent(() => import('#features/studies/deleted-studies-screen.tsx'), 'DeletedStudiesScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/studies/create',
    staticData: {
      can: 'study.create',
      title: ({ form }) => (form === 'register' ? 'Register Study' : 'Upload Study'),
    },
    validateSearch: createStudySearch,
    component: lazyRouteComponent(() => import('./upload-page.tsx'), 'UploadPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/studies/$id',
    staticData: { can: 'study.view', title: 'Study' },
    validateSearch: studyPageSearch,
    component: lazyRouteComponent(() => import('./study-page.tsx'), 'StudyPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/studies/$id/edit',
    staticData: { can: 'study.edit', title: 'Edit Study' },
    component: lazyRouteComponent(() => import('#features/studies/edit-study-screen.tsx'), 'EditStudyScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/patients',
    staticData: { can: 'patient.view', title: 'Patient Management' },
    validateSearch: patientsSearch,
    component: lazyRouteComponent(() => import('#features/patients/patients-screen.tsx'), 'PatientsScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/patients/create',
    staticData: { can: 'patient.edit', title: 'Create Patient' },
    component: lazyRouteComponent(() => import('#features/patients/create-patient-screen.tsx'), 'CreatePatientScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/patients/$id',
    staticData: { can: 'patient.view', title: 'Patient' },
    validateSearch: listPaging,
    component: lazyRouteComponent(() => import('./patient-page.tsx'), 'PatientPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/patients/$id/edit',
    staticData: { can: 'patient.edit', title: 'Edit Patient' },
    component: lazyRouteComponent(() => import('#features/patients/edit-patient-screen.tsx'), 'EditPatientScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/notifications',
    staticData: { can: 'authenticated', title: 'Notifications' },
    validateSearch: notificationsSearch,
    component: lazyRouteComponent(
      () => import('#features/notifications/notifications-screen.tsx'),
      'NotificationsScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/critical-findings',
    staticData: { can: 'report.view', title: 'Critical findings' },
    validateSearch: criticalFindingsSearch,
    component: lazyRouteComponent(
      () => import('#features/critical-findings/critical-findings-screen.tsx'),
      'CriticalFindingsScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/reports',
    staticData: { can: 'report.view', title: 'Reports' },
    validateSearch: reportsSearch,
    component: lazyRouteComponent(() => import('./reports-page.tsx'), 'ReportsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/templates',
    staticData: { can: 'template.manage', title: 'Templates Management' },
    validateSearch: templatesSearch,
    component: lazyRouteComponent(() => import('#features/templates/templates-screen.tsx'), 'TemplatesScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/stydys-search',
    staticData: { can: 'study.import', title: 'Remote Studies Search' },
    validateSearch: remoteSearch,
    component: lazyRouteComponent(
      () => import('#features/remote-archives/remote-search-screen.tsx'),
      'RemoteSearchScreen',
    ),
  }),
  createRoute({ getParentRoute: () => shell, path: '/studies-search', ...goTo('/stydys-search') }),
  createRoute({
    getParentRoute: () => shell,
    path: '/queue-jobs',
    staticData: { can: 'study.import', title: 'Import Jobs' },
    validateSearch: jobsSearch,
    component: lazyRouteComponent(() => import('#features/remote-archives/import-jobs-screen.tsx'), 'ImportJobsScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/remote-config-page',
    staticData: { can: 'config.manage', title: 'Remote Configurations' },
    component: lazyRouteComponent(
      () => import('#features/remote-archives/configurations-screen.tsx'),
      'ConfigurationsScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/reporting-settings',
    staticData: { can: 'config.manage', title: 'Reporting Settings' },
    component: lazyRouteComponent(
      () => import('#features/reporting-settings/reporting-settings-screen.tsx'),
      'ReportingSettingsScreen',
    ),
  }),
  createRoute({ getParentRoute: () => shell, path: '/atlas', ...coming('/atlas') }),
  createRoute({ getParentRoute: () => shell, path: '/guidelines', ...coming('/guidelines') }),
  createRoute({
    getParentRoute: () => shell,
    path: '/audit',
    validateSearch: z.object({ studyId: z.string().optional().catch(undefined) }),
    ...coming('/audit'),
  }),
  createRoute({ getParentRoute: () => shell, path: '/roles', ...coming('/roles') }),
  createRoute({ getParentRoute: () => shell, path: '/tenants', ...coming('/tenants') }),
  createRoute({ getParentRoute: () => shell, path: '/users/{-$id}', ...coming('/users/{-$id}') }),
] as const;

const viewerLayout = createRoute({
  getParentRoute: () => signedIn,
  id: 'viewer-layout',
  staticData: layout,
  component: ViewerLayout,
});

const viewers = [
  createRoute({
    getParentRoute: () => viewerLayout,
    path: '/viewer/{-$id}',
    staticData: { can: 'study.view', title: 'Viewer' },
    component: lazyRouteComponent(() => import('./viewer-with-report.tsx'), 'ViewerWithReport'),
  }),
  createRoute({
    getParentRoute: () => viewerLayout,
    path: '/usviewer/{-$id}',
    ...coming('/usviewer/{-$id}', <OpenInStandardViewer />),
  }),
  createRoute({
    getParentRoute: () => viewerLayout,
    path: '/mpr/$id/{-$series}',
    ...coming('/mpr/$id/{-$series}', <OpenInStandardViewer />),
  }),
  createRoute({
    getParentRoute: () => viewerLayout,
    path: '/petct/{-$id}',
    validateSearch: z.object({ fusion: z.string().optional().catch(undefined) }),
    ...coming('/petct/{-$id}', <OpenInStandardViewer />),
  }),
] as const;

const routeTree = root.addChildren([
  ...publicPages,
  home,
  portal,
  signedIn.addChildren([shell.addChildren([...screens]), viewerLayout.addChildren([...viewers])]),
]);

/** The router of the application; tests give it a history of their own. */
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
