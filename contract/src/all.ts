import type { Endpoint, StreamEndpoint } from './core/endpoint.ts';
import type { Noun } from './core/noun.ts';
import { noun as sessions } from './identity/sessions.ts';
import { noun as search } from './insight/search.ts';
import { noun as account } from './identity/accounts.ts';
import { noun as signingHolds } from './identity/signing-holds.ts';
import { noun as signingMeans } from './identity/signing-means.ts';
import { noun as singleSignOn } from './identity/single-sign-on.ts';
import { noun as audit } from './identity/audit.ts';
import { noun as applicationEntities } from './identity/application-entities.ts';
import { noun as health } from './identity/health.ts';
import { noun as identities } from './imaging/identities.ts';
import { noun as importJobs } from './imaging/import-jobs.ts';
import { noun as remoteConfigurations } from './imaging/remote-archives.ts';
import { noun as remoteStudies } from './imaging/remote-studies.ts';
import { noun as savedViews } from './imaging/saved-views.ts';
import { noun as studyExport } from './imaging/study-export.ts';
import { noun as studies } from './imaging/studies.ts';
import { noun as patients } from './imaging/patients.ts';
import { noun as patientMerges } from './imaging/patient-merges.ts';
import { noun as reports } from './reading/reports.ts';
import { noun as reportDelivery } from './reading/report-delivery.ts';
import { noun as criticalFindings } from './reading/critical-findings.ts';
import { noun as followUps } from './reading/follow-ups.ts';
import { noun as lesions } from './reading/lesions.ts';
import { noun as peerReviews } from './reading/peer-reviews.ts';
import { noun as reportAddenda } from './reading/report-addenda.ts';
import { noun as reportAutosaves } from './reading/report-autosaves.ts';
import { noun as reportChecks } from './reading/report-checks.ts';
import { noun as reportSearch } from './reading/report-search.ts';
import { noun as reportComments } from './reading/report-comments.ts';
import { noun as reportFeedback } from './reading/report-feedback.ts';
import { noun as reviewPhrases } from './reading/review-phrases.ts';
import { noun as reportPictures } from './reading/report-pictures.ts';
import { noun as reportingSettings } from './reading/reporting-settings.ts';
import { noun as dictation } from './reading/dictation.ts';
import { noun as drafting } from './reading/drafting.ts';
import { noun as readingLocks } from './reading/reading-locks.ts';
import { noun as readingQueue } from './reading/reading-queue.ts';
import { noun as bulkChanges } from './reading/bulk-changes.ts';
import { noun as studyPreviews } from './reading/study-previews.ts';
import { noun as workflow } from './reading/workflow.ts';
import { noun as assignmentRules } from './reading/assignment-rules.ts';
import { noun as notifications } from './identity/notifications.ts';
import { noun as outreach } from './reading/outreach.ts';
import { noun as webhooks } from './reading/webhooks.ts';
import { noun as hangingRules } from './reading/hanging-rules.ts';
import { noun as keptLayouts } from './reading/kept-layouts.ts';
import { noun as keyImages } from './reading/key-images.ts';
import { noun as measurements } from './reading/measurements.ts';
import { noun as savedPictures } from './reading/saved-pictures.ts';
import { noun as chat } from './reading/chat.ts';
import { noun as portal } from './reading/portal.ts';
import { noun as sharing } from './reading/sharing.ts';
import { noun as templates } from './reading/templates.ts';
import { noun as macros } from './reading/macros.ts';
import { noun as tenants } from './identity/tenants.ts';
import { noun as dashboard } from './insight/dashboard.ts';
import { noun as users } from './identity/users.ts';
import { noun as roles } from './identity/roles.ts';
import { noun as groups } from './identity/groups.ts';
import { noun as studyGroups } from './imaging/study-groups.ts';
import { noun as atlas } from './knowledge/atlas.ts';
import { noun as guidelines } from './knowledge/guidelines.ts';
import { noun as knowledge } from './knowledge/library.ts';
import { noun as apiDocument } from './api-document.ts';
import { noun as archive } from './imaging/archive.ts';
import { noun as live } from './identity/live.ts';
import { noun as storedFiles } from './imaging/stored-files.ts';
import { noun as rereadings } from './imaging/rereadings.ts';
import { noun as rejections } from './imaging/rejections.ts';
import { noun as seriesMoves } from './imaging/series-moves.ts';

/** One entry for each file of the contract that declares a noun. */
const collected = [
  sessions,
  search,
  account,
  signingHolds,
  signingMeans,
  singleSignOn,
  audit,
  applicationEntities,
  groups,
  studyGroups,
  health,
  identities,
  importJobs,
  remoteConfigurations,
  remoteStudies,
  savedViews,
  studies,
  studyExport,
  patients,
  patientMerges,
  reports,
  reportDelivery,
  criticalFindings,
  followUps,
  lesions,
  peerReviews,
  reportAddenda,
  reportAutosaves,
  reportChecks,
  reportComments,
  reportFeedback,
  reviewPhrases,
  reportPictures,
  reportSearch,
  reportingSettings,
  dictation,
  drafting,
  readingLocks,
  readingQueue,
  bulkChanges,
  studyPreviews,
  workflow,
  assignmentRules,
  notifications,
  outreach,
  webhooks,
  hangingRules,
  keptLayouts,
  keyImages,
  measurements,
  savedPictures,
  chat,
  portal,
  sharing,
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
  rereadings,
  rejections,
  seriesMoves,
] as const;

export const nouns: readonly Noun[] = collected;

/** Every endpoint with JSON. The server must implement each, and the tests call each. */
export const endpoints: readonly Endpoint[] = nouns.flatMap(({ calls = [] }) =>
  calls.flatMap((endpointsByName) => Object.values(endpointsByName)),
);

/** The calls that transfer bytes instead of the JSON envelope, except the DICOMweb services. */
export const streams: readonly StreamEndpoint[] = nouns.flatMap(({ streams: ofNoun = [] }) => ofNoun);

type WithEntities = Extract<(typeof collected)[number], { entities: readonly string[] }>;

/** Kinds of objects to which audit entries refer. */
export type AuditEntity = WithEntities['entities'][number];

export const auditEntities: readonly string[] = nouns.flatMap(({ entities = [] }) => entities);

export const isAuditEntity = (entity: string): entity is AuditEntity => auditEntities.includes(entity);
