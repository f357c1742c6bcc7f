import { z } from 'zod';
import { criticalFindingForm, criticalFindingSummary, criticalStates } from './critical-findings.ts';
import { areDaysInOrder, dayFilter, daysOutOfOrder } from './day-filter.ts';
import { del, get, post } from './endpoint.ts';
import { identityMark } from './identities.ts';
import type { Moves } from './moves.ts';
import { namedPatient } from './named-patient.ts';
import { page, pageQuery, sortQuery } from './paging.ts';
import { areInOrder, dayInQuery, outOfOrder } from './period.ts';
import { priorities } from './priorities.ts';
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
import { linkOpen, linkTerms, reportLink, reportLinkForm } from './report-links.ts';
import { addendumDraft, person, signedPart } from './report-parts.ts';

export const reportStatuses = ['DRAFT', 'PENDING_REVIEW', 'REVISION_REQUIRED', 'APPROVED', 'FINALIZED'] as const;
export type ReportStatus = (typeof reportStatuses)[number];

export const reportMoves: Moves<ReportStatus> = {
  DRAFT: ['PENDING_REVIEW', 'FINALIZED'],
  PENDING_REVIEW: ['APPROVED', 'REVISION_REQUIRED'],
  REVISION_REQUIRED: ['PENDING_REVIEW'],
  APPROVED: ['FINALIZED'],
  FINALIZED: [],
};

/** What people call the states, on badges and in refusals. */
export const reportStatusLabels: Record<ReportStatus, string> = {
  DRAFT: 'Draft',
  PENDING_REVIEW: 'Pending Review',
  REVISION_REQUIRED: 'Revision Required',
  APPROVED: 'Approved',
  FINALIZED: 'Finalized',
};

/** What a version of a report came from. */
export const reportActions = [
  'CREATED',
  'SAVED',
  'REVIEW_REQUESTED',
  'APPROVED',
  'REVISION_REQUESTED',
  'FINALIZED',
] as const;
export type ReportAction = (typeof reportActions)[number];

/** A report is at most this many visible characters; HTML around them does not count. */
export const reportTextLimit = 10_000;

/** What may be asked of a report that exists. */
export const reportActs = [
  'edit',
  'requestReview',
  'submitReview',
  'rerouteReview',
  'finalize',
  'addend',
  'share',
  'addCriticalFinding',
] as const;
export type ReportAct = (typeof reportActs)[number];

/** What this caller may do with a report now; `reasons` say in words why each of the rest is refused. */
export const reportRights = z.object({
  canEdit: z.boolean(),
  canRequestReview: z.boolean(),
  canSubmitReview: z.boolean(),
  canRerouteReview: z.boolean(),
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

/** One version in full. Of those from before flags were kept with them nobody knows how they were flagged. */
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
  /** Whether something was added to it, or corrected in it, after it was finalized (C37). */
  amended: z.boolean(),
  author: person,
  reviewer: person.nullable(),
  createdAt: z.string(),
  finalizedAt: z.string().nullable(),
  hasCriticalFindings: z.boolean(),
  /** How far the most pressing of its critical findings is; null without one. */
  criticalState: z.enum(criticalStates).nullable(),
  /** The record that the study is filed under; `patientId` is what stands in its files. */
  patientRecordId: z.string(),
  patientName: z.string(),
  patientId: z.string(),
  studyDate: z.string().nullable(),
  modality: z.string(),
  accessionNumber: z.string(),
  studyDescription: z.string(),
});
export type ReportRow = z.infer<typeof reportRow>;

export const report = reportRow.extend({
  dateOfBirth: z.string().nullable(),
  content: z.string(),
  revision: z.number(),
  /** When the study was last filed under another patient, if that was after the report was begun and before it was signed. */
  refiledAt: z.string().nullable(),
  criticalFindingsDetails: z.string(),
  criticalFindings: z.array(criticalFindingSummary),
  criticalResults: z.array(z.object({ finding: z.string() })),
  reviewNotes: z.string(),
  reviewComments: z.string(),
  reviewRequestedAt: z.string().nullable(),
  reviewCompletedAt: z.string().nullable(),
  finalizedBy: person.nullable(),
  /** SHA-256 of the finalized text, in hexadecimal. */
  contentHash: z.string().nullable(),
  /** Whether the text still has that hash; null until it is finalized. */
  isUnchanged: z.boolean().nullable(),
  /** What the signer confirmed; empty until then, and for what was signed before that was kept. */
  statement: z.string(),
  /** The remark beside the signature (contract/src/report-parts.ts). */
  signingRemark: z.string(),
  /** Set while it is open whose images the study has: a signature then needs a statement of the reader. */
  identity: identityMark.nullable(),
  /** How the reader identified the patient when they signed while that was open; empty otherwise. */
  identityStatement: z.string(),
  /** What was signed after the text, in the order in which it was. */
  addenda: z.array(signedPart),
  /** Images of its study that have come since it was signed, or last added to; none until it is signed. */
  newImages: z.number(),
  /** What the caller is about to add. */
  addendumDraft: addendumDraft.nullable(),
  signatureData: z.string().nullable(),
  signatureRequired: z.boolean(),
  linkHash: z.string().nullable(),
  history: z.array(reportHistoryEntry),
  rights: reportRights,
});
export type Report = z.infer<typeof report>;

/** The report of a study, if there is one, and whether the caller may begin one. */
export const reportOfStudy = z.object({
  report: report.nullable(),
  /** The signed report that stands for as long as `report`, a newer one, is not signed; absent where none does. */
  standing: report.optional(),
  /** Under whom the study is filed now. */
  patient: namedPatient,
  canCreate: z.boolean(),
  reasons: z.array(z.string()),
  /** Who writes it now; null for those who learn of a report when it is final. */
  readingBy: readingOfReport.nullable(),
});
export type ReportOfStudy = z.infer<typeof reportOfStudy>;

/**
 * The tabs above the list (C48): what the caller has begun, what waits for their review, what they may revise, and what
 * is finalized. Whoever sees no drafts finds nothing in the first three.
 */
export const reportViews = ['MINE', 'TO_REVIEW', 'REVISION_REQUIRED', 'FINALIZED', 'ALL'] as const;
export type ReportView = (typeof reportViews)[number];

/** How many reports a tab has: `total`, or more than that when counting them all would take long. */
const reportCount = z.object({ total: z.number(), isMore: z.boolean() });
export type ReportCount = z.infer<typeof reportCount>;

export const reportSortFields = ['createdAt', 'studyDate', 'patientName'] as const;

/** Days are those of the study. `query` is looked for where the list of studies looks for it. */
export const reportListQuery = z
  .object({
    ...pageQuery,
    sort: sortQuery(reportSortFields, 'createdAt,desc'),
    view: z.enum(reportViews).default('ALL'),
    query: z.string().trim().max(200).optional(),
    status: z.enum(reportStatuses).optional(),
    modality: z.string().trim().max(16).optional(),
    authorId: z.uuid('Choose an author').optional(),
    reviewerId: z.uuid('Choose a reviewer').optional(),
    critical: z.stringbool('Say true or false').optional(),
    startDate: dayFilter,
    endDate: dayFilter,
    /** Days on which it was signed, in the tenant's time zone, and by whom. */
    signedFrom: dayInQuery,
    signedTo: dayInQuery,
    signedBy: z.uuid('Choose a reader').optional(),
    /** Of studies of this priority. */
    priority: z.enum(priorities).optional(),
    /** Only those that were the first to be signed of their study. */
    isFirst: z.stringbool('Say true or false').optional(),
  })
  .refine(areDaysInOrder, daysOutOfOrder)
  .refine(({ signedFrom, signedTo }) => areInOrder(signedFrom, signedTo), outOfOrder('signedFrom'));

/** A page of reports; of a very long list `totalElements` says that there are more than that many. */
export const reportPage = page(reportRow).extend({ isTotalExact: z.boolean() });
export type ReportPage = z.infer<typeof reportPage>;

export const reports = {
  list: get('/reports', { can: 'report.view', query: reportListQuery, reply: reportPage }),
  /** How many reports each tab has, whatever else is filtered. */
  views: get('/reports/views', { can: 'report.view', reply: z.record(z.enum(reportViews), reportCount) }),
  get: get('/reports/:id', { can: 'report.view', reply: report }),
  version: get('/reports/:id/versions/:version', {
    can: 'report.view',
    reply: reportVersion,
  }),
  ofStudy: get('/studies/:id/report', { can: 'report.view', reply: reportOfStudy }),
  reviewers: get('/reports/:id/reviewers', { can: 'report.view', reply: z.array(person) }),
  create: post('/workflow/reports/draft/:id', {
    can: 'report.create',
    body: newReportForm,
    largestBody,
    reply: report,
  }),
  save: post('/workflow/reports/:id/draft', { can: 'report.edit', body: draftForm, largestBody, reply: report }),
  finalize: post('/workflow/reports/:id/finalize', {
    can: 'report.finalize',
    body: finalizeForm,
    largestBody,
    reply: report,
  }),
  requestReview: post('/workflow/reports/:id/request-review', {
    can: 'report.edit',
    body: reviewRequestForm,
    reply: report,
  }),
  submitReview: post('/workflow/reports/:id/submit-review', { can: 'report.review', body: reviewForm, reply: report }),
  /** Asks another colleague in the place of the one who was asked. */
  rerouteReview: post('/workflow/reports/:id/reroute-review', {
    can: 'study.assign',
    body: rerouteForm,
    reply: report,
  }),
  addCriticalFinding: post('/workflow/reports/:id/critical-findings', {
    can: 'critical.manage',
    body: criticalFindingForm,
    reply: report,
  }),
  link: get('/reports/:id/link', { can: 'report.share', reply: reportLink.nullable() }),
  linkTerms: get('/reports/:id/link/terms', { can: 'report.share', reply: linkTerms }),
  /** Makes a link, or answers with the one that is open when nothing else is asked for. */
  share: post('/reports/:id/link', { can: 'report.share', body: reportLinkForm, reply: reportLink }),
  revoke: del('/reports/:id/link', { can: 'report.share' }),
  linkOpens: get('/reports/:id/link/opens', {
    can: 'report.share',
    query: z.object(pageQuery),
    reply: page(linkOpen),
  }),
};
