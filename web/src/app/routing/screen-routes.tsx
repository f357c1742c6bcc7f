import { t } from '@lingui/core/macro';
import { IconUsersGroup } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { identitiesSearch } from '#imaging/identities/identities-search.ts';
import { auditSearchInAddress } from '#identity/audit/audit-search.ts';
import { dashboardSearch } from '#insight/dashboard/dashboard-search.ts';
import { librarySearch } from '#knowledge/library/library-search.ts';
import { patientsSearch } from '#imaging/patients/list/patients-search.ts';
import { notificationsSearch } from '#identity/notifications/notifications-search.ts';
import { jobsSearch } from '#imaging/remote-archives/imports/jobs-search.ts';
import { remoteSearch } from '#imaging/remote-archives/search/remote-search.ts';
import { deletedStudiesSearch } from '#imaging/studies/deleted/deleted-studies-search.ts';
import { listPaging, studiesSearch } from '#imaging/studies/list/studies-search.ts';
import { createStudySearch } from '#imaging/studies/editing/create-study-search.ts';
import { studyPageSearch } from '#imaging/studies/page/study-page-search.ts';
import { usersSearch } from '#identity/users/users-search.ts';
import { tenantsSearch } from '#identity/tenants/tenants-search.ts';
import { goTo, shell } from './route-frames.tsx';
import { readingScreens } from './reading-routes.tsx';

/** Screens with a sidebar. */
export const screens = [
  createRoute({
    getParentRoute: () => shell,
    path: '/dashboard',
    staticData: { can: 'dashboard.view', title: t`Dashboard` },
    validateSearch: dashboardSearch,
    component: lazyRouteComponent(() => import('#app/pages/dashboard-page.tsx'), 'DashboardPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/studies',
    staticData: { can: 'study.view', title: t`Studies` },
    validateSearch: studiesSearch,
    component: lazyRouteComponent(() => import('#app/pages/studies-page.tsx'), 'StudiesPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/studies/deleted',
    staticData: { can: 'study.delete', title: t`Recycle bin` },
    validateSearch: deletedStudiesSearch,
    component: lazyRouteComponent(
      () => import('#imaging/studies/deleted/deleted-studies-screen.tsx'),
      'DeletedStudiesScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/studies/create',
    staticData: {
      can: 'study.create',
      title: ({ form }) => (form === 'register' ? t`Register study` : t`Upload Study`),
    },
    validateSearch: createStudySearch,
    component: lazyRouteComponent(() => import('#app/pages/upload-page.tsx'), 'UploadPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/studies/$id',
    staticData: { can: 'study.view', title: t`Study` },
    validateSearch: studyPageSearch,
    component: lazyRouteComponent(() => import('#app/pages/study-page.tsx'), 'StudyPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/studies/$id/edit',
    staticData: { can: 'study.edit', title: t`Edit Study` },
    component: lazyRouteComponent(() => import('#imaging/studies/editing/edit-study-screen.tsx'), 'EditStudyScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/patients',
    staticData: { can: 'patient.view', title: t`Patient Management` },
    validateSearch: patientsSearch,
    component: lazyRouteComponent(() => import('#imaging/patients/list/patients-screen.tsx'), 'PatientsScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/patients/create',
    staticData: { can: 'patient.edit', title: t`Create patient` },
    component: lazyRouteComponent(
      () => import('#imaging/patients/editing/create-patient-screen.tsx'),
      'CreatePatientScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/patients/$id',
    staticData: { can: 'patient.view', title: t`Patient` },
    validateSearch: listPaging,
    component: lazyRouteComponent(() => import('#app/pages/patient-page.tsx'), 'PatientPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/patients/$id/edit',
    staticData: { can: 'patient.edit', title: t`Edit patient` },
    component: lazyRouteComponent(
      () => import('#imaging/patients/editing/edit-patient-screen.tsx'),
      'EditPatientScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account',
    staticData: { can: 'authenticated', title: t`My account` },
    component: lazyRouteComponent(() => import('#app/pages/account-page.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/keyboard',
    staticData: { can: 'authenticated', title: t`Keyboard` },
    component: lazyRouteComponent(() => import('#app/keyboard/keyboard-page.tsx'), 'KeyboardPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/notifications',
    staticData: { can: 'authenticated', title: t`Notifications` },
    validateSearch: notificationsSearch,
    component: lazyRouteComponent(
      () => import('#identity/notifications/notifications-screen.tsx'),
      'NotificationsScreen',
    ),
  }),
  ...readingScreens,
  createRoute({
    getParentRoute: () => shell,
    path: '/identities',
    staticData: { can: 'patient.merge', title: t`Identity questions` },
    validateSearch: identitiesSearch,
    component: lazyRouteComponent(() => import('#imaging/identities/identities-screen.tsx'), 'IdentitiesScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/stydys-search',
    staticData: { can: 'study.import', title: t`Remote Studies Search` },
    validateSearch: remoteSearch,
    component: lazyRouteComponent(
      () => import('#imaging/remote-archives/search/remote-search-screen.tsx'),
      'RemoteSearchScreen',
    ),
  }),
  createRoute({ getParentRoute: () => shell, path: '/studies-search', ...goTo('/stydys-search') }),
  createRoute({
    getParentRoute: () => shell,
    path: '/queue-jobs',
    staticData: { can: 'study.import', title: t`Import jobs` },
    validateSearch: jobsSearch,
    component: lazyRouteComponent(
      () => import('#imaging/remote-archives/imports/import-jobs-screen.tsx'),
      'ImportJobsScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/remote-config-page',
    staticData: { can: 'config.manage', title: t`Remote Configurations` },
    component: lazyRouteComponent(
      () => import('#imaging/remote-archives/configurations/configurations-screen.tsx'),
      'ConfigurationsScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/single-sign-on',
    staticData: { can: 'config.manage', title: t`Single sign-on` },
    component: lazyRouteComponent(
      () => import('#identity/single-sign-on/single-sign-on-screen.tsx'),
      'SingleSignOnScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/reporting-settings',
    staticData: { can: 'config.manage', title: t`Reporting settings` },
    component: lazyRouteComponent(
      () => import('#reading/reporting-settings/reporting-settings-screen.tsx'),
      'ReportingSettingsScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/atlas',
    staticData: { can: 'staff', title: t`Medical Atlas Management` },
    validateSearch: librarySearch,
    component: lazyRouteComponent(() => import('#knowledge/library/atlas-screen.tsx'), 'AtlasScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/guidelines',
    staticData: { can: 'staff', title: t`Guidelines Management` },
    validateSearch: librarySearch,
    component: lazyRouteComponent(() => import('#knowledge/library/guidelines-screen.tsx'), 'GuidelinesScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/audit',
    staticData: { can: 'audit.view', title: t`Audit log` },
    validateSearch: auditSearchInAddress,
    component: lazyRouteComponent(() => import('#identity/audit/audit-screen.tsx'), 'AuditScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/roles',
    staticData: { can: 'role.manage', title: t`Roles Management` },
    component: lazyRouteComponent(() => import('#identity/roles/roles-screen.tsx'), 'RolesScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/groups',
    staticData: {
      can: 'user.manage',
      title: t`Groups`,
      entry: {
        group: 'tools',
        label: t`Groups`,
        icon: IconUsersGroup,
        can: 'user.manage',
        keywords: t`team site department subspecialty limit`,
      },
    },
    component: lazyRouteComponent(() => import('#identity/groups/groups-screen.tsx'), 'GroupsScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/users/{-$id}',
    staticData: { can: 'user.manage', title: t`Users Management` },
    validateSearch: usersSearch,
    component: lazyRouteComponent(() => import('#identity/users/users-screen.tsx'), 'UsersScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/tenants',
    staticData: { can: 'tenant.manage', title: t`Tenants Management` },
    validateSearch: tenantsSearch,
    component: lazyRouteComponent(() => import('#app/tenants/tenants-page.tsx'), 'TenantsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/organization',
    staticData: { can: 'config.manage', title: t`Organization` },
    component: lazyRouteComponent(
      () => import('#identity/tenants/organization/organization-screen.tsx'),
      'OrganizationScreen',
    ),
  }),
] as const;
