import type { Feature } from './core/feature.ts';
import { feature as accounts } from './identity/accounts/feature.ts';
import { feature as applicationEntities } from './identity/application-entities/feature.ts';
import { feature as assignmentRules } from './reading/assignment-rules/feature.ts';
import { feature as atlas } from './knowledge/atlas/feature.ts';
import { feature as audit } from './identity/audit/feature.ts';
import { feature as bulkChanges } from './reading/bulk-changes/feature.ts';
import { feature as chat } from './reading/chat/feature.ts';
import { feature as criticalFindings } from './reading/critical-findings/feature.ts';
import { feature as dashboard } from './insight/dashboard/feature.ts';
import { feature as dictation } from './reading/dictation/feature.ts';
import { feature as drafting } from './reading/drafting/feature.ts';
import { feature as groups } from './identity/groups/feature.ts';
import { feature as followUps } from './reading/follow-ups/feature.ts';
import { feature as guidelines } from './knowledge/guidelines/feature.ts';
import { feature as hangingRules } from './reading/hanging-rules/feature.ts';
import { feature as health } from './identity/health/feature.ts';
import { feature as identities } from './imaging/identities/feature.ts';
import { feature as importJobs } from './imaging/import-jobs/feature.ts';
import { feature as keptLayouts } from './reading/kept-layouts/feature.ts';
import { feature as keyImages } from './reading/key-images/feature.ts';
import { feature as lesions } from './reading/lesions/feature.ts';
import { feature as library } from './knowledge/library/feature.ts';
import { feature as live } from './identity/live/feature.ts';
import { feature as macros } from './reading/macros/feature.ts';
import { feature as measurements } from './reading/measurements/feature.ts';
import { feature as notifications } from './identity/notifications/feature.ts';
import { feature as outreach } from './reading/outreach/feature.ts';
import { feature as patients } from './imaging/patients/feature.ts';
import { feature as peerReviews } from './reading/peer-reviews/feature.ts';
import { feature as portal } from './reading/portal/feature.ts';
import { feature as readingLocks } from './reading/reading-locks/feature.ts';
import { feature as readingQueue } from './reading/reading-queue/feature.ts';
import { feature as remoteArchives } from './imaging/remote-archives/feature.ts';
import { feature as reportAutosaves } from './reading/report-autosaves/feature.ts';
import { feature as reportChecks } from './reading/report-checks/feature.ts';
import { feature as reportComments } from './reading/report-comments/feature.ts';
import { feature as reportDelivery } from './reading/report-delivery/feature.ts';
import { feature as reportFeedback } from './reading/report-feedback/feature.ts';
import { feature as reportPictures } from './reading/report-pictures/feature.ts';
import { feature as reportSearch } from './reading/report-search/feature.ts';
import { feature as reportingSettings } from './reading/reporting-settings/feature.ts';
import { feature as reports } from './reading/reports/feature.ts';
import { feature as rereadings } from './imaging/rereadings/feature.ts';
import { feature as rejections } from './imaging/rejections/feature.ts';
import { feature as seriesMoves } from './imaging/series-moves/feature.ts';
import { feature as reviewPhrases } from './reading/review-phrases/feature.ts';
import { feature as roles } from './identity/roles/feature.ts';
import { feature as savedPictures } from './reading/saved-pictures/feature.ts';
import { feature as savedViews } from './imaging/saved-views/feature.ts';
import { feature as search } from './insight/search/feature.ts';
import { feature as sessions } from './identity/sessions/feature.ts';
import { feature as sharing } from './reading/sharing/feature.ts';
import { feature as signingHolds } from './identity/signing-holds/feature.ts';
import { feature as signingMeans } from './identity/signing-means/feature.ts';
import { feature as singleSignOn } from './identity/single-sign-on/feature.ts';
import { feature as storedFiles } from './imaging/stored-files/feature.ts';
import { feature as studyArrivals } from './imaging/study-arrivals/feature.ts';
import { feature as studyGroups } from './imaging/study-groups/feature.ts';
import { feature as studies } from './imaging/studies/feature.ts';
import { feature as studyPreviews } from './reading/study-previews/feature.ts';
import { feature as templates } from './reading/templates/feature.ts';
import { feature as tenants } from './identity/tenants/feature.ts';
import { feature as thumbnails } from './imaging/thumbnails/feature.ts';
import { feature as users } from './identity/users/feature.ts';
import { feature as workflow } from './reading/workflow/feature.ts';

/** One line for each folder of a feature. */
export const features: readonly Feature[] = [
  accounts,
  applicationEntities,
  atlas,
  assignmentRules,
  audit,
  bulkChanges,
  chat,
  criticalFindings,
  dashboard,
  dictation,
  drafting,
  groups,
  followUps,
  guidelines,
  hangingRules,
  health,
  identities,
  importJobs,
  keptLayouts,
  keyImages,
  lesions,
  library,
  live,
  macros,
  measurements,
  notifications,
  outreach,
  patients,
  peerReviews,
  portal,
  readingLocks,
  readingQueue,
  remoteArchives,
  reportAutosaves,
  reportChecks,
  reportComments,
  reportDelivery,
  reportFeedback,
  reportPictures,
  reportSearch,
  reportingSettings,
  reports,
  rereadings,
  rejections,
  seriesMoves,
  reviewPhrases,
  roles,
  savedPictures,
  savedViews,
  search,
  sessions,
  sharing,
  signingHolds,
  signingMeans,
  singleSignOn,
  storedFiles,
  studies,
  studyArrivals,
  studyGroups,
  studyPreviews,
  templates,
  tenants,
  thumbnails,
  users,
  workflow,
];
