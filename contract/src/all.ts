import { account, passwordLinks } from './account.ts';
import { applicationEntities } from './application-entities.ts';
import { audit } from './audit.ts';
import { atlas } from './atlas.ts';
import { chat } from './chat.ts';
import { criticalFindings } from './critical-findings.ts';
import { dashboard } from './dashboard.ts';
import { drafting } from './drafting.ts';
import { guidelines } from './guidelines.ts';
import { health } from './health.ts';
import { identities } from './identities.ts';
import { importJobs } from './import-jobs.ts';
import { knowledge } from './knowledge.ts';
import { macros } from './macros.ts';
import { keptLayouts } from './kept-layouts.ts';
import { keyImages } from './key-images.ts';
import { measurements } from './measurements.ts';
import { notifications } from './notifications.ts';
import { outreach } from './outreach.ts';
import { patientMerges } from './patient-merges.ts';
import { patients } from './patients.ts';
import { portal } from './portal.ts';
import { readingLocks } from './reading-locks.ts';
import { remoteConfigurations } from './remote-configurations.ts';
import { remoteStudies } from './remote-studies.ts';
import { reportAddenda } from './report-addenda.ts';
import { reportAutosaves } from './report-autosaves.ts';
import { reportChecks } from './report-checks.ts';
import { reportPictures } from './report-pictures.ts';
import { reportingSettings } from './reporting-settings.ts';
import { reportDeliveries } from './report-delivery.ts';
import { reports } from './reports.ts';
import { roles } from './roles.ts';
import { savedPictures } from './saved-pictures.ts';
import { search } from './search.ts';
import { sessions } from './sessions.ts';
import { signingHolds } from './signing-holds.ts';
import { signingMeansCalls } from './signing-means.ts';
import { singleSignOn } from './single-sign-on.ts';
import { studies } from './studies.ts';
import { globalTemplates, templateFacts, templates } from './templates.ts';
import { organisation, setup, tenants } from './tenants.ts';
import { users } from './users.ts';
import { workflow } from './workflow.ts';
import { webhooks } from './webhooks.ts';

/** Every JSON endpoint. The server must implement each, and the tests call each. */
export const endpoints = [
  sessions,
  search,
  account,
  passwordLinks,
  signingHolds,
  signingMeansCalls,
  singleSignOn,
  audit,
  applicationEntities,
  health,
  identities,
  importJobs,
  remoteConfigurations,
  remoteStudies,
  studies,
  patients,
  patientMerges,
  reports,
  reportDeliveries,
  criticalFindings,
  reportAddenda,
  reportAutosaves,
  reportChecks,
  reportPictures,
  reportingSettings,
  drafting,
  readingLocks,
  workflow,
  notifications,
  outreach,
  webhooks,
  keptLayouts,
  keyImages,
  measurements,
  savedPictures,
  chat,
  portal,
  templates,
  globalTemplates,
  templateFacts,
  macros,
  tenants,
  organisation,
  setup,
  dashboard,
  users,
  roles,
  atlas,
  guidelines,
  knowledge,
].flatMap((noun) => Object.values(noun));
