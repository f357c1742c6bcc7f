import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { userTypes } from '../core/access.ts';
import { areDaysInOrder, dayFilter, daysOutOfOrder } from '../core/day-filter.ts';
import { del, get, post, put, asReading, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { identityMark } from './identities.ts';
import type { Moves } from '../core/moves.ts';
import { page, pageQuery, sortQuery } from '../core/paging.ts';
import { areInOrder, dayInQuery, outOfOrder } from '../core/period.ts';
import { priorities } from '../core/priorities.ts';
import { criticalStates, reading, reportStatuses } from './study-marks.ts';
import { studyForm, studyRegistration } from './study-forms.ts';
import { studyAges, studyStages } from './study-work-filters.ts';

export const studyStatuses = ['PENDING', 'ASSIGNED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'ARCHIVED'] as const;
export type StudyStatus = (typeof studyStatuses)[number];

/** Labels of the statuses. */
export const studyStatusLabels: Record<StudyStatus, string> = translated({
  PENDING: 'Pending',
  ASSIGNED: 'Assigned',
  IN_PROGRESS: 'In progress',
  COMPLETED: 'Completed',
  CANCELLED: 'Canceled',
  ARCHIVED: 'Archived',
});

/** Changes of the status that users can make. Automatic changes (C26) are defined where they are caused. */
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

/** Returns the progress of a study in percent; 0 for an unknown status (C23). */
export const progressOf = (status: string): number => progress[status as StudyStatus] ?? 0;

export const seriesSummary = z.object({
  id: z.string(),
  seriesInstanceUID: z.string(),
  seriesNumber: z.number().nullable(),
  seriesDescription: z.string(),
  modality: z.string(),
  bodyPartExamined: z.string(),
  instanceCount: z.number(),
  /**
   * Number of instances by kind: images, documents to be read, and others, such as segmentations or waveforms. SOP
   * class and pixels decide the kind, never the modality. Absent in lists that do not count instances.
   */
  contents: z.object({ images: z.number(), documents: z.number(), others: z.number() }).optional(),
});
export type SeriesSummary = z.infer<typeof seriesSummary>;

const patientOfStudy = z.object({
  id: z.string(),
  patientName: z.string(),
  patientId: z.string(),
  gender: z.enum(['M', 'F', 'O', 'U']),
  dateOfBirth: z.string().nullable(),
});

/** User with an active assignment. `active` is false if this user can no longer sign in. */
const assignee = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  userType: z.enum(userTypes),
  active: z.boolean(),
});
export type Assignee = z.infer<typeof assignee>;

/**
 * Row of a study list. `studyDate` is in the local time of the scanner, "yyyy-MM-ddTHH:mm:ss"; null if the files have
 * none.
 */
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
  /** Assignees, the earliest assignment first. */
  assignees: z.array(assignee),
  /** Earliest due date of the active assignments. */
  dueDate: z.string().nullable(),
  /** User who is writing the report; null for callers who see only finalized reports. */
  readingBy: reading.nullable(),
  /** State of the most urgent critical finding in the reports; null if there is none. */
  criticalState: z.enum(criticalStates).nullable(),
  /**
   * Mark of an open identity question: the files do not match the patient with the same Patient ID. Null if there is
   * none.
   */
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
  /** Reason why the caller cannot use the chat of the study (C78); null if allowed. */
  chatRefusal: z.string().nullable(),
  clinicalHistory: z.string(),
  /** Whether the study must not be deleted, for example because of a court case (C21). */
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
  /** Radiation dose in mGy·cm, mGy and mSv; null if the files have none. */
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

/** Another study of the patient, with the newest report of that study that the caller may read. */
export const priorStudy = studyRow.extend({
  report: z.object({ id: z.string(), status: z.enum(reportStatuses), finalizedAt: z.string().nullable() }).nullable(),
});
export type PriorStudy = z.infer<typeof priorStudy>;

export const priorOrders = ['date', 'relevance'] as const;
export type PriorOrder = (typeof priorOrders)[number];

export const studyAuditEntry = z.object({
  id: z.string(),
  /** Action in the form "entity.action", such as "study.view". */
  action: z.string(),
  timestamp: z.string(),
  username: z.string(),
  outcome: z.enum(['SUCCESS', 'FAILURE']),
});
export type StudyAuditEntry = z.infer<typeof studyAuditEntry>;

/** A study in the recycle bin. `purgeDate` is the earliest date on which it is purged (C21). */
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
 * Tabs of the study list. MINE: the caller has an active assignment. UNASSIGNED: open and without assignment. OVERDUE:
 * an assignment is past its due date.
 */
export const studyViews = ['MINE', 'UNASSIGNED', 'PENDING', 'IN_PROGRESS', 'OVERDUE', 'ALL'] as const;
export type StudyView = (typeof studyViews)[number];

/** Number of studies in a tab. If `isMore` is true, there are more than `total`, because a full count takes long. */
const viewCount = z.object({ total: z.number(), isMore: z.boolean() });
export type StudyViewCount = z.infer<typeof viewCount>;

/**
 * A page of studies. In a very long list, a full count takes longer than the page. Then `isTotalExact` is false, the
 * list has more studies than `totalElements`, and `totalPages` covers only the counted studies. Callers can still
 * request later pages, which raise the total, so a next page always exists. On the last page, the total is exact. To
 * reach the other end, reverse the sort order.
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

/** Filters that links of the dashboard set. */
export const figureFilters = {
  priority: z.enum(priorities).optional(),
  /** Main modality of the study. */
  mainModality: z.string().trim().max(16).optional(),
  stage: z.enum(studyStages).optional(),
  /** Time since arrival, for studies without a report. */
  age: z.enum(studyAges).optional(),
  /** First and last day of arrival, in the time zone of the tenant. */
  arrivedFrom: dayInQuery,
  arrivedTo: dayInQuery,
  /** ID of a user with an active assignment. */
  assigneeId: z.uuid({ error: () => t`Choose a user` }).optional(),
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
  reason: z
    .string()
    .trim()
    .min(1, { error: () => t`Reason is required` })
    .max(500, { error: () => t`The reason is longer than 500 characters` }),
});

export const studies = {
  list: get('/studies', {
    can: 'study.view',
    audited: asReading('study.search', 'study'),
    query: z.object(filters),
    reply: studyPage,
  }),
  search: get('/studies/search', {
    can: 'study.view',
    audited: asReading('study.search', 'study'),
    query: studySearch,
    reply: studyPage,
  }),
  /** Returns the number of studies per tab, ignoring other filters. */
  views: get('/studies/views', {
    can: 'study.view',
    audited: notAudited.countsOnly,
    reply: z.record(z.enum(studyViews), viewCount),
  }),
  recent: get('/studies/recent', {
    can: 'study.view',
    audited: asReading('study.search', 'study'),
    query: z.object({ size: briefSize }),
    reply: z.array(studyRow),
  }),
  pending: get('/studies/pending', {
    can: 'study.view',
    audited: asReading('study.search', 'study'),
    query: z.object(pageQuery),
    reply: studyPage,
  }),
  ofPatient: get('/studies/patient/:id', {
    can: 'study.view',
    audited: asReading('patient.viewStudies', 'patient', 'patient'),
    query: z.object(filters),
    reply: studyPage,
  }),
  get: get('/studies/:id', { can: 'study.view', audited: 'study.view', reply: studyDetails }),
  /** Finds a study by its StudyInstanceUID, which viewers use as ID (C6). */
  getByUid: get('/studies/uid/:studyUid', { can: 'study.view', audited: 'study.view', reply: studyDetails }),
  series: get('/studies/:id/series', {
    can: 'study.view',
    audited: asReading('study.viewSeries', 'study', 'study'),
    reply: z.array(seriesSummary),
  }),
  tags: get('/studies/:id/tags', { can: 'study.view', audited: 'study.view', reply: z.array(dicomTag) }),
  /**
   * Returns other studies of the patient. They are sorted newest first, with undated studies last (C32), or most
   * similar first.
   */
  priors: get('/studies/:id/priors', {
    can: 'study.view',
    audited: asReading('study.viewPriors', 'study', 'study'),
    query: z.object({ size: briefSize, order: z.enum(priorOrders).default('date') }),
    reply: z.array(priorStudy),
  }),
  /** Returns the latest audit entries of the study, newest first. More than five require audit.view (C31). */
  audit: get('/studies/:id/audit', {
    can: 'study.view',
    audited: asReading('study.viewAudit', 'study', 'study'),
    query: z.object({ size: briefSize }),
    reply: z.array(studyAuditEntry),
  }),
  /** Registers a study without images (C17). */
  create: post('/studies', {
    can: 'study.create',
    audited: 'study.create',
    body: studyRegistration,
    reply: studyDetails,
    successStatus: 201,
  }),
  update: put('/studies/:id', { can: 'study.edit', audited: 'study.update', body: studyForm, reply: studyDetails }),
  /**
   * Moves the study to the recycle bin. It can be restored for the number of days that the organization has set (C21).
   */
  remove: del('/studies/:id', { can: 'study.delete', audited: 'study.delete' }),
  deleted: get('/studies/deleted', {
    can: 'study.delete',
    audited: asReading('study.viewDeleted', 'study'),
    query: z.object(pageQuery),
    reply: page(deletedStudy),
  }),
  restore: post('/studies/:id/restore', { can: 'study.delete', audited: 'study.restore', reply: studyDetails }),
  /**
   * Sets or lifts a legal hold. It also requires config.manage, because users who delete studies must not lift a legal
   * hold.
   */
  setLegalHold: put('/studies/:id/legal-hold', {
    can: 'study.delete',
    audited: 'study.hold',
    body: legalHoldForm,
    reply: studyDetails,
  }),
};

export const noun = {
  calls: [studies],
  entities: ['study'],
  actions: {
    Study: {
      'study.view': 'Opened study',
      'study.viewSeries': 'Listed series',
      'study.search': 'Searched studies',
      'study.viewPriors': 'Viewed prior studies',
      'study.viewAudit': 'Viewed study audit log',
      'study.viewDeleted': 'Listed deleted studies',
      'study.create': 'Created study',
      'study.update': 'Edited study',
      'study.delete': 'Deleted study',
      'study.restore': 'Restored study',
      'study.hold': 'Placed study on legal hold',
      'study.release': 'Released study from legal hold',
      'study.purge': 'Purged study',
    },
    Patient: {
      'patient.viewStudies': 'Listed patient studies',
    },
  },
} as const satisfies Noun;
