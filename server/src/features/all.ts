import type { Feature } from '#core/feature.ts';
import { feature as accounts } from './accounts/feature.ts';
import { feature as applicationEntities } from './application-entities/feature.ts';
import { feature as atlas } from './atlas/feature.ts';
import { feature as audit } from './audit/feature.ts';
import { feature as chat } from './chat/feature.ts';
import { feature as criticalFindings } from './critical-findings/feature.ts';
import { feature as dashboard } from './dashboard/feature.ts';
import { feature as drafting } from './drafting/feature.ts';
import { feature as guidelines } from './guidelines/feature.ts';
import { feature as health } from './health/feature.ts';
import { feature as identities } from './identities/feature.ts';
import { feature as importJobs } from './import-jobs/feature.ts';
import { feature as keptLayouts } from './kept-layouts/feature.ts';
import { feature as keyImages } from './key-images/feature.ts';
import { feature as library } from './library/feature.ts';
import { feature as live } from './live/feature.ts';
import { feature as macros } from './macros/feature.ts';
import { feature as measurements } from './measurements/feature.ts';
import { feature as notifications } from './notifications/feature.ts';
import { feature as outreach } from './outreach/feature.ts';
import { feature as patients } from './patients/feature.ts';
import { feature as portal } from './portal/feature.ts';
import { feature as readingLocks } from './reading-locks/feature.ts';
import { feature as remoteArchives } from './remote-archives/feature.ts';
import { feature as reportAutosaves } from './report-autosaves/feature.ts';
import { feature as reportChecks } from './report-checks/feature.ts';
import { feature as reportDelivery } from './report-delivery/feature.ts';
import { feature as reportPictures } from './report-pictures/feature.ts';
import { feature as reportingSettings } from './reporting-settings/feature.ts';
import { feature as reports } from './reports/feature.ts';
import { feature as roles } from './roles/feature.ts';
import { feature as savedPictures } from './saved-pictures/feature.ts';
import { feature as search } from './search/feature.ts';
import { feature as sessions } from './sessions/feature.ts';
import { feature as sharing } from './sharing/feature.ts';
import { feature as signingHolds } from './signing-holds/feature.ts';
import { feature as signingMeans } from './signing-means/feature.ts';
import { feature as singleSignOn } from './single-sign-on/feature.ts';
import { feature as storedFiles } from './stored-files/feature.ts';
import { feature as studies } from './studies/feature.ts';
import { feature as templates } from './templates/feature.ts';
import { feature as tenants } from './tenants/feature.ts';
import { feature as users } from './users/feature.ts';
import { feature as workflow } from './workflow/feature.ts';

/** One line for each folder. */
export const features: readonly Feature[] = [
  accounts,
  applicationEntities,
  atlas,
  audit,
  chat,
  criticalFindings,
  dashboard,
  drafting,
  guidelines,
  health,
  identities,
  importJobs,
  keptLayouts,
  keyImages,
  library,
  live,
  macros,
  measurements,
  notifications,
  outreach,
  patients,
  portal,
  readingLocks,
  remoteArchives,
  reportAutosaves,
  reportChecks,
  reportDelivery,
  reportPictures,
  reportingSettings,
  reports,
  roles,
  savedPictures,
  search,
  sessions,
  sharing,
  signingHolds,
  signingMeans,
  singleSignOn,
  storedFiles,
  studies,
  templates,
  tenants,
  users,
  workflow,
];
