import { t } from '../core/translate.ts';
import { z } from 'zod';
import { areDaysInOrder, dayFilter, daysOutOfOrder } from '../core/day-filter.ts';
import { del, get, post, put, asReading, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { page, pageQuery, sortQuery } from '../core/paging.ts';
import { areInOrder, dayInQuery, outOfOrder } from '../core/period.ts';
import { priorities } from '../core/priorities.ts';
import { conditionsQuery } from './study-conditions.ts';
import { studyForm, studyRegistration } from './study-forms.ts';
import { studyAges, studyStages } from './study-work-filters.ts';
import {
  deletedStudy,
  dicomTag,
  orderSeparation,
  priorStudy,
  seriesSummary,
  studyAuditEntry,
  studyDetails,
  studyRow,
  priorOrders,
} from './study-rows.ts';
import { studyStatuses } from './study-status.ts';

/**
 * Fields of the sort order. `urgency`: open studies by priority, due time and waiting time, then all others, the newest
 * first.
 */
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
  'urgency',
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
 * A page of studies. In a very long list, a full count takes longer than the page itself. In that case `isTotalExact`
 * is false, the list has more studies than `totalElements`, and `totalPages` covers only the counted studies. Callers
 * can still request later pages, which raise the total, so a next page always exists. On the last page, the total is
 * exact. To reach the other end, reverse the sort order.
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
    /** Further conditions (study-conditions.ts). */
    where: conditionsQuery,
  })
  .refine(areDaysInOrder, daysOutOfOrder)
  .refine(({ arrivedFrom, arrivedTo }) => areInOrder(arrivedFrom, arrivedTo), outOfOrder('arrivedFrom'));

/** Limit of a selection: studies that one act can change or export by their ids. */
export const mostSelected = 500;

/** Values of conditions that studies of the organization have. */
const filterChoices = z.object({ bodyParts: z.array(z.string()), devices: z.array(z.string()) });
export type FilterChoices = z.infer<typeof filterChoices>;

const briefSize = z.coerce.number().int().min(1).max(50).default(5);

const reason = z
  .string()
  .trim()
  .min(1, { error: () => t`Reason is required` })
  .max(500, { error: () => t`The reason is longer than 500 characters` });

export const legalHoldForm = z.object({ isOnLegalHold: z.boolean(), reason });

/** The join that the user has seen. */
export const separationForm = z.object({ joinId: z.uuid({ error: () => t`Choose a joined order` }) });

/** The reason for a purge before the retention ends. */
export const earlyPurgeForm = z.object({ reason });

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
  /** Returns the ids of the studies that a search finds, in its order: the first `mostSelected`. */
  matching: get('/studies/search/ids', {
    can: 'study.view',
    audited: asReading('study.search', 'study'),
    query: studySearch,
    reply: z.object({ ids: z.array(z.string()), isMore: z.boolean() }),
  }),
  /** Returns body parts and devices of the studies that the caller may see, from A to Z. */
  filterChoices: get('/studies/filter-choices', {
    can: 'study.view',
    audited: notAudited.noPatient,
    reply: filterChoices,
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
  /** Finds a study by its StudyInstanceUID, which viewers use as ID. */
  getByUid: get('/studies/uid/:studyUid', { can: 'study.view', audited: 'study.view', reply: studyDetails }),
  series: get('/studies/:id/series', {
    can: 'study.view',
    audited: asReading('study.viewSeries', 'study', 'study'),
    reply: z.array(seriesSummary),
  }),
  tags: get('/studies/:id/tags', { can: 'study.view', audited: 'study.view', reply: z.array(dicomTag) }),
  /**
   * Returns other studies of the patient. They are sorted newest first, with undated studies last, or most similar
   * first.
   */
  priors: get('/studies/:id/priors', {
    can: 'study.view',
    audited: asReading('study.viewPriors', 'study', 'study', 'study.prefetch'),
    query: z.object({ size: briefSize, order: z.enum(priorOrders).default('date') }),
    reply: z.array(priorStudy),
  }),
  /** Returns the latest audit entries of the study, newest first. More than five require audit.view. */
  audit: get('/studies/:id/audit', {
    can: 'study.view',
    audited: asReading('study.viewAudit', 'study', 'study'),
    query: z.object({ size: briefSize }),
    reply: z.array(studyAuditEntry),
  }),
  /** Registers a study without images. */
  create: post('/studies', {
    can: 'study.create',
    audited: 'study.create',
    body: studyRegistration,
    reply: studyDetails,
    successStatus: 201,
  }),
  update: put('/studies/:id', { can: 'study.edit', audited: 'study.update', body: studyForm, reply: studyDetails }),
  /** Moves the study to the recycle bin. It can be restored for the number of days that the organization has set. */
  remove: del('/studies/:id', { can: 'study.delete', audited: 'study.delete' }),
  deleted: get('/studies/deleted', {
    can: 'study.delete',
    audited: asReading('study.viewDeleted', 'study'),
    query: z.object(pageQuery),
    reply: page(deletedStudy),
  }),
  restore: post('/studies/:id/restore', { can: 'study.delete', audited: 'study.restore', reply: studyDetails }),
  /**
   * Lets corrected images into a deleted study: the first file that has one of its UIDs and other bytes purges it. Its
   * replacement is stored under its own UIDs.
   */
  allowReplacement: post('/studies/:id/replacement', {
    can: 'study.delete',
    audited: 'study.allowReplacement',
    body: earlyPurgeForm,
  }),
  /** Asks to purge a deleted study before its retention ends. Another user must confirm. */
  requestPurge: post('/studies/:id/purge', {
    can: 'study.delete',
    audited: 'study.requestPurge',
    body: earlyPurgeForm,
  }),
  /** Confirms the purge that another user asked for, and purges the study. */
  confirmPurge: post('/studies/:id/purge/confirmation', { can: 'study.delete', audited: 'study.purge' }),
  /** Withdraws an allowed replacement or a requested purge. The study stays in the recycle bin. */
  withdrawPurge: del('/studies/:id/purge', { can: 'study.delete', audited: 'study.withdrawPurge' }),
  /**
   * Separates images from an order that they joined by accession number. The order has no images again, and the images
   * get a study of their own.
   */
  separateOrder: post('/studies/:id/separation', {
    can: 'study.edit',
    audited: 'study.separateOrder',
    body: separationForm,
    reply: orderSeparation,
  }),
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
      'study.prefetch': 'Loaded study in advance',
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
      'study.allowReplacement': 'Allowed replacement of deleted study',
      'study.replace': 'Replaced deleted study',
      'study.joinOrder': 'Joined images with their order',
      'study.separateOrder': 'Separated images from their order',
      'study.requestPurge': 'Requested purge of study',
      'study.withdrawPurge': 'Withdrew purge or replacement',
    },
    Patient: {
      'patient.viewStudies': 'Listed patient studies',
    },
  },
} as const satisfies Noun;
