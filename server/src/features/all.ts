import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http.ts';
import { accountRoutes } from './accounts/routes.ts';
import { applicationEntityRoutes } from './application-entities/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { atlasRoutes } from './atlas/routes.ts';
import { chatRoutes } from './chat/routes.ts';
import { criticalFindingRoutes } from './critical-findings/routes.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { draftingRoutes } from './drafting/routes.ts';
import { guidelineRoutes } from './guidelines/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { identityRoutes } from './identities/routes.ts';
import { importJobRoutes } from './import-jobs/routes.ts';
import { libraryRoutes } from './library/routes.ts';
import { macroRoutes } from './macros/routes.ts';
import { keptLayoutRoutes } from './kept-layouts/routes.ts';
import { keyImageRoutes } from './key-images/routes.ts';
import { measurementRoutes } from './measurements/routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { outreachRoutes } from './outreach/routes.ts';
import { liveRoutes } from './live/routes.ts';
import { patientRoutes } from './patients/routes.ts';
import { portalRoutes } from './portal/routes.ts';
import { readingLockRoutes } from './reading-locks/routes.ts';
import { remoteArchiveRoutes } from './remote-archives/routes.ts';
import { reportAutosaveRoutes } from './report-autosaves/routes.ts';
import { reportCheckRoutes } from './report-checks/routes.ts';
import { reportPictureRoutes } from './report-pictures/routes.ts';
import { reportingSettingsRoutes } from './reporting-settings/routes.ts';
import { reportDeliveryRoutes } from './report-delivery/routes.ts';
import { reportRoutes } from './reports/routes.ts';
import { roleRoutes } from './roles/routes.ts';
import { savedPictureRoutes } from './saved-pictures/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { sharingRoutes } from './sharing/routes.ts';
import { signingHoldRoutes } from './signing-holds/routes.ts';
import { signingMeansRoutes } from './signing-means/routes.ts';
import { singleSignOnRoutes } from './single-sign-on/routes.ts';
import { studyRoutes } from './studies/routes.ts';
import { storedFileRoutes } from './stored-files/routes.ts';
import { templateRoutes } from './templates/routes.ts';
import { tenantRoutes } from './tenants/routes.ts';
import { userRoutes } from './users/routes.ts';
import { workflowRoutes } from './workflow/routes.ts';

/** The routes of every feature. */
export const featureRoutes: ((routes: Routes, context: Context) => void)[] = [
  accountRoutes,
  applicationEntityRoutes,
  auditRoutes,
  healthRoutes,
  identityRoutes,
  importJobRoutes,
  liveRoutes,
  remoteArchiveRoutes,
  sessionRoutes,
  signingHoldRoutes,
  signingMeansRoutes,
  singleSignOnRoutes,
  searchRoutes,
  studyRoutes,
  patientRoutes,
  reportRoutes,
  reportDeliveryRoutes,
  criticalFindingRoutes,
  sharingRoutes,
  reportAutosaveRoutes,
  reportCheckRoutes,
  reportPictureRoutes,
  reportingSettingsRoutes,
  draftingRoutes,
  readingLockRoutes,
  workflowRoutes,
  keptLayoutRoutes,
  keyImageRoutes,
  measurementRoutes,
  savedPictureRoutes,
  notificationRoutes,
  outreachRoutes,
  chatRoutes,
  portalRoutes,
  templateRoutes,
  macroRoutes,
  tenantRoutes,
  dashboardRoutes,
  userRoutes,
  roleRoutes,
  atlasRoutes,
  guidelineRoutes,
  libraryRoutes,
  storedFileRoutes,
];
