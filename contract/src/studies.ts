import { z } from 'zod';
import { criticalStates } from './critical-findings.ts';
import { userTypes } from './access.ts';
import { areDaysInOrder, dayFilter, daysOutOfOrder } from './day-filter.ts';
import { del, get, post, put } from './endpoint.ts';
import { identityMark } from './identities.ts';
import type { Moves } from './moves.ts';
import { page, pageQuery, sortQuery } from './paging.ts';
import { areInOrder, dayInQuery, outOfOrder } from './period.ts';
import { priorities } from './priorities.ts';
import { reading } from './reading-locks.ts';
import { reportStatuses } from './reports.ts';
import { studyForm, studyRegistration } from './study-forms.ts';
import { studyAges, studyStages } from './study-work-filters.ts';

export const studyStatuses = ['PENDING', 'ASSIGNED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'ARCHIVED'] as const;
export type StudyStatus = (typeof studyStatuses)[number];

/** What people call the states, on badges and in refusals. */
export const studyStatusLabels: Record<StudyStatus, string> = {
  PENDING: 'Pending',
  ASSIGNED: 'Assigned',
  IN_PROGRESS: 'In progress',
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
  ARCHIVED: 'Archived',
};

/** The changes that people may make. System moves (C26) have causes of their own and stand with them. */
export const studyMoves: Moves<StudyStatus> = {
  PENDING: ['ASSIGNED', 'IN_PROGRESS', 'CANCELLED'],
  ASSIGNED: ['IN_PROGRESS', 'CANCELLED'],
  IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
  COMPLETED: ['ARCHIVED'],
  CANCELLED: ['ARCHIVED'],
  ARCHIVED: [],
};

const progress: Record<StudyStatus, number> = {
  PENDING: 10,
  ASSIGNED: 20,
  IN_PROGRESS: 40,
  COMPLETED: 95,
  CANCELLED: 95,
  ARCHIVED: 100,
};

/** How far along a study is, in percent; 0 for a status nobody knows (C23). */
export const progressOf = (status: string): number => progress[status as StudyStatus] ?? 0;

export const seriesSummary = z.object({
  id: z.string(),
  seriesInstanceUID: z.string(),
  seriesNumber: z.number().nullable(),
  seriesDescription: z.string(),
  modality: z.string(),
  bodyPartExamined: z.string(),
  instanceCount: z.number(),
});
export type SeriesSummary = z.infer<typeof seriesSummary>;

const patientOfStudy = z.object({
  id: z.string(),
  patientName: z.string(),
  patientId: z.string(),
  gender: z.enum(['M', 'F', 'O', 'U']),
  dateOfBirth: z.string().nullable(),
});

/** Somebody who has an active assignment of a study; not `active` when they can no longer sign in. */
const assignee = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  userType: z.enum(userTypes),
  active: z.boolean(),
});
export type Assignee = z.infer<typeof assignee>;

/** One row of a study list. `studyDate` is local to the scanner, "yyyy-MM-ddTHH:mm:ss", null when the files do not say. */
export const studyRow = z.object({
  id: z.string(),
  studyInstanceUID: z.string(),
  studyDescription: z.string(),
  description: z.string(),
  modality: z.string(),
  modalities: z.array(z.string()),
  studyDate: z.string().nullable(),
  accessionNumber: z.string(),
  status: z.enum(studyStatuses),
  priority: z.enum(priorities),
  referringPhysicianName: z.string(),
  referringPhysicianPhone: z.string(),
  createdDate: z.string(),
  lastModifiedDate: z.string(),
  seriesCount: z.number(),
  instanceCount: z.number(),
  patient: patientOfStudy,
  /** Who has it to do, who got it first comes first. */
  assignees: z.array(assignee),
  /** When the first of its active assignments is due. */
  dueDate: z.string().nullable(),
  /** Who writes its report now; null for those who learn of a report when it is final. */
  readingBy: reading.nullable(),
  /** How far the most pressing critical finding of its reports is; null without one. */
  criticalState: z.enum(criticalStates).nullable(),
  /** Set while it is open whose images these are: the files contradict the patient with their PatientID. */
  identity: identityMark.nullable(),
});
export type StudyRow = z.infer<typeof studyRow>;

export const dicomTag = z.object({
  id: z.string(),
  keyword: z.string(),
  tagId: z.string(),
  valueRepresentation: z.string(),
  value: z.string(),
});
export type DicomTag = z.infer<typeof dicomTag>;

export const studyDetails = studyRow.extend({
  revision: z.number(),
  /** In words why the caller is no part of what is said about it (C78); null where they are. */
  chatRefusal: z.string().nullable(),
  clinicalHistory: z.string(),
  /** Whether it has to be kept whatever anybody wants, such as one that a court has asked for (C21). */
  isOnLegalHold: z.boolean(),
  series: z.array(
    seriesSummary.extend({
      instances: z.array(
        z.object({
          id: z.string(),
          sopInstanceUID: z.string(),
          instanceNumber: z.number().nullable(),
          numberOfFrames: z.number(),
        }),
      ),
    }),
  ),
  equipment: z.object({
    name: z.string(),
    manufacturer: z.string(),
    model: z.string(),
    room: z.object({ name: z.string() }),
  }),
  /** Dose in mGy·cm, mGy and mSv; null when the files do not say. */
  radiation: z.object({
    totalDLP: z.number().nullable(),
    ctdiVol: z.number().nullable(),
    effectiveDose: z.number().nullable(),
  }),
  order: z.object({
    orderNumber: z.string(),
    orderingPhysician: z.object({ username: z.string() }),
    procedureCode: z.string(),
    procedureDescription: z.string(),
    scheduledDateTime: z.string().nullable(),
    performingTechnologist: z.object({ username: z.string() }),
  }),
});
export type StudyDetails = z.infer<typeof studyDetails>;

/** Another study of the same patient, and the newest report on it that the caller may read. */
export const priorStudy = studyRow.extend({
  report: z.object({ id: z.string(), status: z.enum(reportStatuses), finalizedAt: z.string().nullable() }).nullable(),
});
export type PriorStudy = z.infer<typeof priorStudy>;

export const priorOrders = ['date', 'relevance'] as const;
export type PriorOrder = (typeof priorOrders)[number];

export const studyAuditEntry = z.object({
  id: z.string(),
  /** "noun.verb", such as "study.view". */
  action: z.string(),
  timestamp: z.string(),
  username: z.string(),
  outcome: z.enum(['SUCCESS', 'FAILURE']),
});
export type StudyAuditEntry = z.infer<typeof studyAuditEntry>;

/** A study in the recycle bin: deleted by whom and when, and from when on it may be gone for good (C21). */
export const deletedStudy = studyRow.extend({
  deletedDate: z.string(),
  purgeDate: z.string(),
  deletedBy: z.string(),
});
export type DeletedStudy = z.infer<typeof deletedStudy>;

export const studySortFields = [
  'studyDate',
  'patientName',
  'modality',
  'status',
  'seriesCount',
  'description',
  'priority',
  'createdDate',
  'accessionNumber',
  'patientId',
  'referringPhysicianName',
  'assignees',
  'dueDate',
] as const;

/**
 * The worklists above the list. MINE are the studies that the caller has an active assignment of, UNASSIGNED those that
 * are open and nobody's, OVERDUE those with an assignment that should have been done by now.
 */
export const studyViews = ['MINE', 'UNASSIGNED', 'PENDING', 'IN_PROGRESS', 'OVERDUE', 'ALL'] as const;
export type StudyView = (typeof studyViews)[number];

/** How many studies a view has: `total`, or more than that when counting them all would take long. */
const viewCount = z.object({ total: z.number(), isMore: z.boolean() });
export type StudyViewCount = z.infer<typeof viewCount>;

/**
 * A page of studies. Counting a very long list would cost more than the page itself: `totalElements` is then not exact
 * but says that there are more than that many, and `totalPages` counts the pages of these. Pages behind them can be
 * asked for by their number all the same, and the total grows with them: there are always some pages to go on to, and
 * on the last page of a list, once it is reached, the total is exact. Who wants the other end sorts the other way.
 */
export const studyPage = page(studyRow).extend({ isTotalExact: z.boolean() });
export type StudyPage = z.infer<typeof studyPage>;

const filters = {
  ...pageQuery,
  sort: sortQuery(studySortFields, 'studyDate,desc'),
  status: z.enum(studyStatuses).optional(),
  modality: z.string().trim().max(16).optional(),
  view: z.enum(studyViews).default('ALL'),
};

/** What the dashboard's numbers ask for. */
export const figureFilters = {
  priority: z.enum(priorities).optional(),
  /** The one modality that stands for the study. */
  mainModality: z.string().trim().max(16).optional(),
  stage: z.enum(studyStages).optional(),
  /** Without a report, and arrived so long ago. */
  age: z.enum(studyAges).optional(),
  /** Days on which it arrived, in the tenant's time zone. */
  arrivedFrom: dayInQuery,
  arrivedTo: dayInQuery,
  /** Somebody who has an active assignment of it. */
  assigneeId: z.uuid('Choose a user').optional(),
};

export const studySearch = z
  .object({
    ...filters,
    ...figureFilters,
    query: z.string().trim().max(200).optional(),
    startDate: dayFilter,
    endDate: dayFilter,
  })
  .refine(areDaysInOrder, daysOutOfOrder)
  .refine(({ arrivedFrom, arrivedTo }) => areInOrder(arrivedFrom, arrivedTo), outOfOrder('arrivedFrom'));

const briefSize = z.coerce.number().int().min(1).max(50).default(5);

export const legalHoldForm = z.object({
  isOnLegalHold: z.boolean(),
  reason: z.string().trim().min(1, 'Reason is required').max(500, 'The reason is longer than 500 characters'),
});

export const studies = {
  list: get('/studies', { can: 'study.view', query: z.object(filters), reply: studyPage }),
  search: get('/studies/search', { can: 'study.view', query: studySearch, reply: studyPage }),
  /** How many studies each view has, whatever else is filtered. */
  views: get('/studies/views', { can: 'study.view', reply: z.record(z.enum(studyViews), viewCount) }),
  recent: get('/studies/recent', {
    can: 'study.view',
    query: z.object({ size: briefSize }),
    reply: z.array(studyRow),
  }),
  pending: get('/studies/pending', { can: 'study.view', query: z.object(pageQuery), reply: studyPage }),
  ofPatient: get('/studies/patient/:id', { can: 'study.view', query: z.object(filters), reply: studyPage }),
  get: get('/studies/:id', { can: 'study.view', reply: studyDetails }),
  /** The viewers take a StudyInstanceUID for a study's id (C6). */
  getByUid: get('/studies/uid/:studyUid', { can: 'study.view', reply: studyDetails }),
  series: get('/studies/:id/series', { can: 'study.view', reply: z.array(seriesSummary) }),
  tags: get('/studies/:id/tags', { can: 'study.view', reply: z.array(dicomTag) }),
  /** The other studies of the patient: the newest first, undated last (C32), or those most like this one first. */
  priors: get('/studies/:id/priors', {
    can: 'study.view',
    query: z.object({ size: briefSize, order: z.enum(priorOrders).default('date') }),
    reply: z.array(priorStudy),
  }),
  /** What was done to the study last, newest first; more than five entries are for those with audit.view (C31). */
  audit: get('/studies/:id/audit', {
    can: 'study.view',
    query: z.object({ size: briefSize }),
    reply: z.array(studyAuditEntry),
  }),
  /** Registers a study without images (C17). */
  create: post('/studies', {
    can: 'study.create',
    body: studyRegistration,
    reply: studyDetails,
    successStatus: 201,
  }),
  update: put('/studies/:id', { can: 'study.edit', body: studyForm, reply: studyDetails }),
  /** Into the recycle bin; from there it can be restored for the days that the organisation has set (C21). */
  remove: del('/studies/:id', { can: 'study.delete' }),
  deleted: get('/studies/deleted', { can: 'study.delete', query: z.object(pageQuery), reply: page(deletedStudy) }),
  restore: post('/studies/:id/restore', { can: 'study.delete', reply: studyDetails }),
  /** Asks for config.manage, too: whoever tidies up is not to lift what the organisation has to keep. */
  setLegalHold: put('/studies/:id/legal-hold', { can: 'study.delete', body: legalHoldForm, reply: studyDetails }),
};
