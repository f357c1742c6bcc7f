import { t } from '@lingui/core/macro';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { auditSearchInAddress } from '#features/audit/audit-search.ts';
import { identitiesSearch } from '#features/identities/identities-search.ts';
import { criticalFindingsSearch } from '#features/critical-findings/critical-findings-search.ts';
import { dashboardSearch } from '#features/dashboard/dashboard-search.ts';
import { librarySearch } from '#features/library/library-search.ts';
import { patientsSearch } from '#features/patients/patients-search.ts';
import { notificationsSearch } from '#features/notifications/notifications-search.ts';
import { jobsSearch } from '#features/remote-archives/jobs-search.ts';
import { remoteSearch } from '#features/remote-archives/remote-search.ts';
import { reportsSearch } from '#features/reports/reports-search.ts';
import { deletedStudiesSearch } from '#features/studies/deleted-studies-search.ts';
import { listPaging, studiesSearch } from '#features/studies/studies-search.ts';
import { createStudySearch } from '#features/studies/create-study-search.ts';
import { studyPageSearch } from '#features/studies/study-page-search.ts';
import { templatesSearch } from '#features/templates/templates-search.ts';
import { usersSearch } from '#features/users/users-search.ts';
import { tenantsSearch } from '#features/tenants/tenants-search.ts';
import { goTo, shell } from './route-frames.tsx';

/** Screens with a sidebar. */
export const screens = [
  createRoute({
    getParentRoute: () => shell,
    path: '/dashboard',
    staticData: { can: 'dashboard.view', title: t`Dashboard` },
    validateSearch: dashboardSearch,
    component: lazyRouteComponent(() => import('#features/dashboard/dashboard-screen.tsx'), 'DashboardScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/studies',
    staticData: { can: 'study.view', title: t`Studies` },
    validateSearch: studiesSearch,
    component: lazyRouteComponent(() => import('./studies-page.tsx'), 'StudiesPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/studies/deleted',
    staticData: { can: 'study.delete', title: t`Recycle bin` },
    validateSearch: deletedStudiesSearch,
    component: lazyRouteComponent(() => import('#features/studies/deleted-studies-screen.tsx'), 'DeletedStudiesScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/studies/create',
    staticData: {
      can: 'study.create',
      title: ({ form }) => (form === 'register' ? t`Register study` : t`Upload Study`),
    },
    validateSearch: createStudySearch,
    component: lazyRouteComponent(() => import('./upload-page.tsx'), 'UploadPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/studies/$id',
    staticData: { can: 'study.view', title: t`Study` },
    validateSearch: studyPageSearch,
    component: lazyRouteComponent(() => import('./study-page.tsx'), 'StudyPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/studies/$id/edit',
    staticData: { can: 'study.edit', title: t`Edit Study` },
    component: lazyRouteComponent(() => import('#features/studies/edit-study-screen.tsx'), 'EditStudyScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/patients',
    staticData: { can: 'patient.view', title: t`Patient Management` },
    validateSearch: patientsSearch,
    component: lazyRouteComponent(() => import('#features/patients/patients-screen.tsx'), 'PatientsScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/patients/create',
    staticData: { can: 'patient.edit', title: t`Create patient` },
    component: lazyRouteComponent(() => import('#features/patients/create-patient-screen.tsx'), 'CreatePatientScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/patients/$id',
    staticData: { can: 'patient.view', title: t`Patient` },
    validateSearch: listPaging,
    component: lazyRouteComponent(() => import('./patient-page.tsx'), 'PatientPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/patients/$id/edit',
    staticData: { can: 'patient.edit', title: t`Edit patient` },
    component: lazyRouteComponent(() => import('#features/patients/edit-patient-screen.tsx'), 'EditPatientScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account',
    staticData: { can: 'authenticated', title: t`My account` },
    component: lazyRouteComponent(() => import('#features/account/account-screen.tsx'), 'AccountScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/notifications',
    staticData: { can: 'authenticated', title: t`Notifications` },
    validateSearch: notificationsSearch,
    component: lazyRouteComponent(
      () => import('#features/notifications/notifications-screen.tsx'),
      'NotificationsScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/critical-findings',
    staticData: { can: 'report.view', title: t`Critical findings` },
    validateSearch: criticalFindingsSearch,
    component: lazyRouteComponent(
      () => import('#features/critical-findings/critical-findings-screen.tsx'),
      'CriticalFindingsScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/identities',
    staticData: { can: 'patient.merge', title: t`Identity questions` },
    validateSearch: identitiesSearch,
    component: lazyRouteComponent(() => import('#features/identities/identities-screen.tsx'), 'IdentitiesScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/reports',
    staticData: { can: 'report.view', title: t`Reports` },
    validateSearch: reportsSearch,
    component: lazyRouteComponent(() => import('./reports-page.tsx'), 'ReportsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/templates',
    staticData: { can: 'template.manage', title: t`Templates Management` },
    validateSearch: templatesSearch,
    component: lazyRouteComponent(() => import('#features/templates/templates-screen.tsx'), 'TemplatesScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/stydys-search',
    staticData: { can: 'study.import', title: t`Remote Studies Search` },
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
    staticData: { can: 'study.import', title: t`Import jobs` },
    validateSearch: jobsSearch,
    component: lazyRouteComponent(() => import('#features/remote-archives/import-jobs-screen.tsx'), 'ImportJobsScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/remote-config-page',
    staticData: { can: 'config.manage', title: t`Remote Configurations` },
    component: lazyRouteComponent(
      () => import('#features/remote-archives/configurations-screen.tsx'),
      'ConfigurationsScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/single-sign-on',
    staticData: { can: 'config.manage', title: t`Single sign-on` },
    component: lazyRouteComponent(
      () => import('#features/single-sign-on/single-sign-on-screen.tsx'),
      'SingleSignOnScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/reporting-settings',
    staticData: { can: 'config.manage', title: t`Reporting settings` },
    component: lazyRouteComponent(
      () => import('#features/reporting-settings/reporting-settings-screen.tsx'),
      'ReportingSettingsScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/atlas',
    staticData: { can: 'staff', title: t`Medical Atlas Management` },
    validateSearch: librarySearch,
    component: lazyRouteComponent(() => import('#features/library/atlas-screen.tsx'), 'AtlasScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/guidelines',
    staticData: { can: 'staff', title: t`Guidelines Management` },
    validateSearch: librarySearch,
    component: lazyRouteComponent(() => import('#features/library/guidelines-screen.tsx'), 'GuidelinesScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/audit',
    staticData: { can: 'audit.view', title: t`Audit log` },
    validateSearch: auditSearchInAddress,
    component: lazyRouteComponent(() => import('#features/audit/audit-screen.tsx'), 'AuditScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/roles',
    staticData: { can: 'role.manage', title: t`Roles Management` },
    component: lazyRouteComponent(() => import('#features/roles/roles-screen.tsx'), 'RolesScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/users/{-$id}',
    staticData: { can: 'user.manage', title: t`Users Management` },
    validateSearch: usersSearch,
    component: lazyRouteComponent(() => import('#features/users/users-screen.tsx'), 'UsersScreen'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/tenants',
    staticData: { can: 'tenant.manage', title: t`Tenants Management` },
    validateSearch: tenantsSearch,
    component: lazyRouteComponent(() => import('./tenants-page.tsx'), 'TenantsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/organisation',
    staticData: { can: 'config.manage', title: t`Organization` },
    component: lazyRouteComponent(() => import('#features/organisation/organisation-screen.tsx'), 'OrganizationScreen'),
  }),
] as const;
