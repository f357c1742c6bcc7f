import { z } from 'zod';
import { criticalFindingForm, criticalFindingSummary } from './critical-findings.ts';
import { get, post, asReading, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { identityMark } from '../imaging/identities.ts';
import { namedPatient } from '../core/named-patient.ts';
import { page } from '../core/paging.ts';
import { preliminaryForm, preliminaryMark, preliminaryReport } from './preliminary-reports.ts';
import { readingOfReport } from './reading-locks.ts';
import {
  draftForm,
  finalizeForm,
  largestBody,
  newReportForm,
  rerouteForm,
  reviewForm,
  reviewRequestForm,
} from './report-forms.ts';
import { reportListQuery, reportViews } from './report-list.ts';
import { addendumDraft, person, signedPart, signer } from './report-parts.ts';
import { reportActions } from './report-status.ts';
import { criticalStates, reportStatuses } from '../imaging/study-marks.ts';

export { reportListQuery, reportSortFields, type ReportView, reportViews } from './report-list.ts';

/** Maximum number of visible characters in a report. HTML markup does not count. */
export const reportTextLimit = 10_000;

/** Actions on an existing report. */
export const reportActs = [
  'edit',
  'requestReview',
  'submitReview',
  'rerouteReview',
  'issuePreliminary',
  'finalize',
  'addend',
  'share',
  'addCriticalFinding',
] as const;
export type ReportAct = (typeof reportActs)[number];

/** Actions that the caller may perform at present. `reasons` explains each refused action. */
export const reportRights = z.object({
  canEdit: z.boolean(),
  canRequestReview: z.boolean(),
  canSubmitReview: z.boolean(),
  canRerouteReview: z.boolean(),
  canIssuePreliminary: z.boolean(),
  canFinalize: z.boolean(),
  canAddend: z.boolean(),
  canShare: z.boolean(),
  canAddCriticalFinding: z.boolean(),
  reasons: z.array(z.object({ act: z.enum(reportActs), reason: z.string() })),
});
export type ReportRights = z.infer<typeof reportRights>;

export const reportHistoryEntry = z.object({
  version: z.number(),
  status: z.enum(reportStatuses),
  action: z.enum(reportActions),
  actor: person,
  at: z.string(),
  comment: z.string(),
  contentHash: z.string(),
});
export type ReportHistoryEntry = z.infer<typeof reportHistoryEntry>;

/** One version with its full text. The critical flags are null for versions stored before the flags existed. */
export const reportVersion = reportHistoryEntry.extend({
  content: z.string(),
  hasCriticalFindings: z.boolean().nullable(),
  criticalFindingsDetails: z.string().nullable(),
});
export type ReportVersion = z.infer<typeof reportVersion>;

export const reportRow = z.object({
  id: z.string(),
  studyId: z.string(),
  status: z.enum(reportStatuses),
  /** Whether an addendum or correction was signed after finalization. */
  amended: z.boolean(),
  author: person,
  reviewer: person.nullable(),
  createdAt: z.string(),
  finalizedAt: z.string().nullable(),
  hasCriticalFindings: z.boolean(),
  /** State of the most urgent critical finding; null if there is none. */
  criticalState: z.enum(criticalStates).nullable(),
  /** ID of the patient record of the study. `patientId` is the Patient ID in the files. */
  patientRecordId: z.string(),
  patientName: z.string(),
  patientId: z.string(),
  studyDate: z.string().nullable(),
  modality: z.string(),
  accessionNumber: z.string(),
  studyDescription: z.string(),
  /** Mark of an open identity question, or null. Signing then requires an identity statement. */
  identity: identityMark.nullable(),
});
export type ReportRow = z.infer<typeof reportRow>;

export const report = reportRow.extend({
  dateOfBirth: z.string().nullable(),
  content: z.string(),
  revision: z.number(),
  /** Time when the study last moved to another patient while the report was unsigned. */
  refiledAt: z.string().nullable(),
  criticalFindingsDetails: z.string(),
  criticalFindings: z.array(criticalFindingSummary),
  criticalResults: z.array(z.object({ finding: z.string() })),
  reviewNotes: z.string(),
  reviewComments: z.string(),
  reviewRequestedAt: z.string().nullable(),
  reviewCompletedAt: z.string().nullable(),
  finalizedBy: signer.nullable(),
  /** SHA-256 of the finalized text, in hexadecimal. */
  contentHash: z.string().nullable(),
  /** Whether the text still has this hash; null until finalized. */
  isUnchanged: z.boolean().nullable(),
  /** Statement that the signer confirmed. Empty before signing, and for signatures made before it was stored. */
  statement: z.string(),
  /** Note about the signature (contract/src/reading/report-parts.ts). */
  signingRemark: z.string(),
  /** Identity statement of the reader, if signed while the question was open; otherwise empty. */
  identityStatement: z.string(),
  /** Parts signed after the report, in signing order. */
  addenda: z.array(signedPart),
  /** Number of images that arrived since the last signature; 0 until signed. */
  newImages: z.number(),
  /** Draft of an addendum by the caller. */
  addendumDraft: addendumDraft.nullable(),
  /** The last preliminary report; null if there is none, or if the caller may not know of it. */
  preliminary: preliminaryMark.nullable(),
  /** Words of the signer on an important change since the preliminary report; usually empty. */
  preliminaryChange: z.string(),
  signatureData: z.string().nullable(),
  signatureRequired: z.boolean(),
  /** The secret token of the open share link (sharing.ts); null if there is none, or if the caller may not share. */
  linkHash: z.string().nullable(),
  /** Number of comments on passages (report-comments.ts); 0 for callers who see no drafts. */
  commentCount: z.number(),
  history: z.array(reportHistoryEntry),
  rights: reportRights,
});
export type Report = z.infer<typeof report>;

/** Report of a study, if any, and whether the caller may begin a report. */
export const reportOfStudy = z.object({
  report: report.nullable(),
  /** The signed report, while the newer `report` is unsigned; otherwise absent. */
  standing: report.optional(),
  /**
   * The preliminary report of the study, for a caller who sees no drafts, if the organization shows it. Absent after the
   * report is signed.
   */
  preliminary: preliminaryReport.optional(),
  /** The current patient of the study. */
  patient: namedPatient,
  canCreate: z.boolean(),
  reasons: z.array(z.string()),
  /** User who is writing the report; null for callers who see only finalized reports. */
  readingBy: readingOfReport.nullable(),
});
export type ReportOfStudy = z.infer<typeof reportOfStudy>;

/** Number of reports in a tab. If `isMore` is true, there are more than `total`, because a full count takes long. */
const reportCount = z.object({ total: z.number(), isMore: z.boolean() });
export type ReportCount = z.infer<typeof reportCount>;

/** A page of reports. If `isTotalExact` is false, there are more reports than `totalElements`. */
export const reportPage = page(reportRow).extend({ isTotalExact: z.boolean() });
export type ReportPage = z.infer<typeof reportPage>;

export const reports = {
  list: get('/reports', {
    can: 'report.view',
    audited: asReading('report.search', 'report'),
    query: reportListQuery,
    reply: reportPage,
  }),
  /** Returns the number of reports per tab, ignoring other filters. */
  views: get('/reports/views', {
    can: 'report.view',
    audited: notAudited.countsOnly,
    reply: z.record(z.enum(reportViews), reportCount),
  }),
  get: get('/reports/:id', { can: 'report.view', audited: 'report.view', reply: report }),
  version: get('/reports/:id/versions/:version', {
    can: 'report.view',
    audited: 'report.view',
    reply: reportVersion,
  }),
  ofStudy: get('/studies/:id/report', { can: 'report.view', audited: 'report.view', reply: reportOfStudy }),
  /** Returns the reports of a patient that the caller may read, newest first. */
  ofPatient: get('/patients/:id/reports', {
    can: 'report.view',
    audited: asReading('patient.viewReports', 'patient', 'patient'),
    reply: z.array(reportRow),
  }),
  reviewers: get('/reports/:id/reviewers', {
    can: 'report.view',
    audited: notAudited.noPatient,
    reply: z.array(person),
  }),
  create: post('/workflow/reports/draft/:id', {
    can: 'report.create',
    audited: 'report.create',
    body: newReportForm,
    largestBody,
    reply: report,
  }),
  save: post('/workflow/reports/:id/draft', {
    can: 'report.edit',
    audited: 'report.edit',
    body: draftForm,
    largestBody,
    reply: report,
  }),
  finalize: post('/workflow/reports/:id/finalize', {
    can: 'report.finalize',
    audited: 'report.finalize',
    body: finalizeForm,
    largestBody,
    reply: report,
  }),
  /** Freezes and marks the stored text as a preliminary report. The report stays a draft. */
  issuePreliminary: post('/workflow/reports/:id/preliminary', {
    can: 'report.edit',
    audited: 'report.issuePreliminary',
    body: preliminaryForm,
    reply: report,
  }),
  requestReview: post('/workflow/reports/:id/request-review', {
    can: 'report.edit',
    audited: 'report.requestReview',
    body: reviewRequestForm,
    reply: report,
  }),
  submitReview: post('/workflow/reports/:id/submit-review', {
    can: 'report.review',
    audited: 'report.submitReview',
    body: reviewForm,
    reply: report,
  }),
  /** Replaces the reviewer of a pending request. */
  rerouteReview: post('/workflow/reports/:id/reroute-review', {
    can: 'study.assign',
    audited: 'report.rerouteReview',
    body: rerouteForm,
    reply: report,
  }),
  addCriticalFinding: post('/workflow/reports/:id/critical-findings', {
    can: 'critical.manage',
    audited: 'report.addCriticalFinding',
    body: criticalFindingForm,
    reply: report,
  }),
};

export const noun = {
  calls: [reports],
  entities: ['report'],
  actions: {
    Report: {
      'report.view': 'Viewed report',
      'report.prefetch': 'Loaded report in advance',
      'report.search': 'Searched reports',
      'report.create': 'Created report',
      'report.edit': 'Saved report',
      'report.issuePreliminary': 'Issued preliminary report',
      'report.requestReview': 'Requested review',
      'report.submitReview': 'Reviewed report',
      'report.rerouteReview': 'Changed reviewer',
      'report.finalize': 'Signed report',
      'report.addCriticalFinding': 'Added critical finding',
    },
  },
} as const satisfies Noun;
