import type { Endpoint, StreamEndpoint } from './endpoint.ts';
import type { Noun } from './noun.ts';
import { noun as sessions } from './sessions.ts';
import { noun as search } from './search.ts';
import { noun as account } from './account.ts';
import { noun as signingHolds } from './signing-holds.ts';
import { noun as signingMeans } from './signing-means.ts';
import { noun as singleSignOn } from './single-sign-on.ts';
import { noun as audit } from './audit.ts';
import { noun as applicationEntities } from './application-entities.ts';
import { noun as health } from './health.ts';
import { noun as identities } from './identities.ts';
import { noun as importJobs } from './import-jobs.ts';
import { noun as remoteConfigurations } from './remote-configurations.ts';
import { noun as remoteStudies } from './remote-studies.ts';
import { noun as studies } from './studies.ts';
import { noun as patients } from './patients.ts';
import { noun as patientMerges } from './patient-merges.ts';
import { noun as reports } from './reports.ts';
import { noun as reportDelivery } from './report-delivery.ts';
import { noun as criticalFindings } from './critical-findings.ts';
import { noun as reportAddenda } from './report-addenda.ts';
import { noun as reportAutosaves } from './report-autosaves.ts';
import { noun as reportChecks } from './report-checks.ts';
import { noun as reportPictures } from './report-pictures.ts';
import { noun as reportingSettings } from './reporting-settings.ts';
import { noun as drafting } from './drafting.ts';
import { noun as readingLocks } from './reading-locks.ts';
import { noun as workflow } from './workflow.ts';
import { noun as notifications } from './notifications.ts';
import { noun as outreach } from './outreach.ts';
import { noun as webhooks } from './webhooks.ts';
import { noun as keptLayouts } from './kept-layouts.ts';
import { noun as keyImages } from './key-images.ts';
import { noun as measurements } from './measurements.ts';
import { noun as savedPictures } from './saved-pictures.ts';
import { noun as chat } from './chat.ts';
import { noun as portal } from './portal.ts';
import { noun as templates } from './templates.ts';
import { noun as macros } from './macros.ts';
import { noun as tenants } from './tenants.ts';
import { noun as dashboard } from './dashboard.ts';
import { noun as users } from './users.ts';
import { noun as roles } from './roles.ts';
import { noun as atlas } from './atlas.ts';
import { noun as guidelines } from './guidelines.ts';
import { noun as knowledge } from './knowledge.ts';
import { noun as apiDocument } from './api-document.ts';
import { noun as archive } from './archive.ts';
import { noun as live } from './live.ts';
import { noun as storedFiles } from './stored-files.ts';

/** One line for each file of the contract that declares a noun. */
const collected = [
  sessions,
  search,
  account,
  signingHolds,
  signingMeans,
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
  reportDelivery,
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
  macros,
  tenants,
  dashboard,
  users,
  roles,
  atlas,
  guidelines,
  knowledge,
  apiDocument,
  archive,
  live,
  storedFiles,
] as const;

export const nouns: readonly Noun[] = collected;

/** Every JSON endpoint. The server must implement each, and the tests call each. */
export const endpoints: readonly Endpoint[] = nouns.flatMap(({ calls = [] }) =>
  calls.flatMap((endpointsByName) => Object.values(endpointsByName)),
);

/** The calls with bytes instead of the JSON envelope, except the DICOMweb services. */
export const streams: readonly StreamEndpoint[] = nouns.flatMap(({ streams: ofNoun = [] }) => ofNoun);

type WithEntities = Extract<(typeof collected)[number], { entities: readonly string[] }>;

/** The kinds of objects that audit entries are about. */
export type AuditEntity = WithEntities['entities'][number];

export const auditEntities: readonly string[] = nouns.flatMap(({ entities = [] }) => entities);

export const isAuditEntity = (entity: string): entity is AuditEntity => auditEntities.includes(entity);
