import {
  followUpViews,
  followUpEvents,
  followUpModalities,
  followUpOwners,
  followUpReviewCauses,
  followUpStates,
  reasonedStates,
} from './follow-up-states.ts';
import { t } from '../core/translate.ts';
import { z } from 'zod';
import { asReading, get, notAudited, post, put, stream } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { page, pageQuery } from '../core/paging.ts';
import { followUpParts } from './follow-up-parts.ts';
import { person } from './report-parts.ts';

const day = z.iso.date({ error: () => t`Use a date such as 2026-11-21` });

const reason = z
  .string()
  .trim()
  .max(1000, { error: () => t`The reason is longer than 1,000 characters` });

/** The recommended examination and the days on which it is due. */
const examination = {
  /** Empty if the report names no modality. */
  modality: z.enum([...followUpModalities, ''], { error: () => t`Choose a modality` }),
  /** Empty if neither report nor study name a body part. */
  bodyPart: z.enum([...followUpParts, ''], { error: () => t`Choose a body part` }),
  dueFrom: day,
  dueTo: day,
};

/** A study that belongs to a row, or that may be its examination. Null if the caller may not know of it. */
const relatedStudy = z.object({
  id: z.string(),
  modality: z.string(),
  description: z.string(),
  studyDate: z.string().nullable(),
});

/** A row of the register, with the patient and the caller's rights. */
export const followUp = z.object({
  id: z.string(),
  ...examination,
  /** The sentence of the report; empty if a user added the row without one. */
  quote: z.string(),
  state: z.enum(followUpStates),
  reason: z.string(),
  isOverdue: z.boolean(),
  /** Reason to look at the row again. */
  reviewCause: z.enum(followUpReviewCauses).nullable(),
  owner: person,
  reportId: z.string(),
  /** Whether the report is finalized. Before, the row waits for the signature. */
  isReportFinal: z.boolean(),
  author: person,
  studyId: z.string(),
  studyDate: z.string().nullable(),
  studyModality: z.string(),
  studyDescription: z.string(),
  patientRecordId: z.string(),
  patientName: z.string(),
  patientId: z.string(),
  /** The study that closed the row, or that was scheduled for it. */
  matchedStudy: relatedStudy.nullable(),
  /** A study that agrees in part. A user decides whether it is the examination. */
  candidate: relatedStudy.nullable(),
  revision: z.number(),
  createdDate: z.string(),
  canChange: z.boolean(),
});
export type FollowUp = z.infer<typeof followUp>;

export const followUpHistoryEntry = z.object({
  at: z.string(),
  event: z.enum(followUpEvents),
  /** Null if the server acted. */
  actor: person.nullable(),
  state: z.enum(followUpStates),
  reason: z.string(),
});
export type FollowUpHistoryEntry = z.infer<typeof followUpHistoryEntry>;

const areDaysInOrder = ({ dueFrom, dueTo }: { dueFrom: string; dueTo: string }) => dueFrom <= dueTo;
const daysOutOfOrder = { path: ['dueTo'], error: () => t`The last day must not be before the first` };

const ownerId = z.uuid({ error: () => t`Choose an owner` });

export const newFollowUpForm = z
  .object({
    ...examination,
    quote: z
      .string()
      .trim()
      .max(2000, { error: () => t`The quote is longer than 2,000 characters` })
      .default(''),
    /** Default: the owner that the settings name. */
    ownerId: ownerId.optional(),
  })
  .refine(areDaysInOrder, daysOutOfOrder);
export type NewFollowUpForm = z.input<typeof newFollowUpForm>;

const revision = z.number({ error: () => t`Revision of the follow-up is required` }).int();

export const followUpForm = z.object({ ...examination, ownerId, revision }).refine(areDaysInOrder, daysOutOfOrder);

export const followUpDecision = z
  .object({
    state: z.enum(followUpStates, { error: () => t`Choose a state` }),
    reason: reason.default(''),
    /** The study that was scheduled or that took place, if it is in the archive. */
    studyId: z.uuid().optional(),
    revision,
  })
  .refine(({ state, reason: text }) => !reasonedStates.includes(state) || text !== '', {
    path: ['reason'],
    error: () => t`Reason is required`,
  });

/** Settings of the register. */
const settingsFields = {
  owner: z.enum(followUpOwners, { error: () => t`Choose an owner` }),
  /** Whether the author of the report is reminded of an overdue row in addition to its owner. */
  remindsAuthor: z.boolean(),
};
const chosenUsers = z.array(z.uuid()).max(50, { error: () => t`Choose at most 50 users` });

export const followUpSettings = z.object({
  ...settingsFields,
  /** Users who are reminded of each overdue row. */
  contacts: z.array(person),
  candidates: z.array(person),
});
export type FollowUpSettings = z.infer<typeof followUpSettings>;

export const followUpSettingsForm = z.object({ ...settingsFields, contacts: chosenUsers });

const registerFilters = {
  view: z.enum(followUpViews).default('WAITING'),
  /** Only rows of which the caller is the owner. */
  mine: z.enum(['true', 'false']).default('false'),
  modality: z.enum(followUpModalities).optional(),
};

/** Query of `followUpExport`. */
export const followUpExportQuery = z.object(registerFilters);

/** Limit of an export. A line at the end says that rows are missing. */
export const mostExportedFollowUps = 10_000;

/**
 * Exports the register as CSV, with formulas escaped. The query is that of `followUps.list`, without the page. It also
 * requires report.view.
 */
export const followUpExport = stream('GET', '/api/follow-ups/export', 'study.export', 'follow_up.exportList');

/**
 * Register of recommended examinations. A caller sees the rows of the reports that the caller may read. Its owner and
 * users who edit reports may change a row.
 */
export const followUps = {
  list: get('/follow-ups', {
    can: 'report.view',
    audited: asReading('follow_up.search', 'follow_up'),
    query: z.object({ ...pageQuery, ...registerFilters }),
    reply: page(followUp).extend({ overdue: z.number() }),
  }),
  get: get('/follow-ups/:id', {
    can: 'report.view',
    audited: asReading('follow_up.view', 'follow_up', 'follow_up'),
    reply: followUp.extend({ history: z.array(followUpHistoryEntry) }),
  }),
  /**
   * Rows about a study. `ofStudy`: recommended in its reports. `ofPatient`: recommended in reports of other studies of
   * the patient, waiting or closed by this study.
   */
  ofStudy: get('/studies/:id/follow-ups', {
    can: 'report.view',
    audited: asReading('follow_up.view', 'study', 'study'),
    reply: z.object({ ofStudy: z.array(followUp), ofPatient: z.array(followUp) }),
  }),
  /** Adds a row to a report. In a draft, the row waits for the signature. */
  add: post('/reports/:id/follow-ups', {
    can: 'report.edit',
    audited: 'follow_up.add',
    body: newFollowUpForm,
    reply: followUp,
  }),
  edit: put('/follow-ups/:id', {
    can: 'report.view',
    audited: 'follow_up.edit',
    body: followUpForm,
    reply: followUp,
  }),
  /** Accepts or dismisses an offer, closes a row with a reason, or opens it again. 409 if the row has changed. */
  decide: put('/follow-ups/:id/state', {
    can: 'report.view',
    audited: 'follow_up.decide',
    body: followUpDecision,
    reply: followUp,
  }),
  /** States that a study, which agrees in part, is another examination. It is not offered again. */
  dismissMatch: post('/follow-ups/:id/match-dismissals', {
    can: 'report.view',
    audited: 'follow_up.dismissMatch',
    body: z.object({ studyId: z.uuid({ error: () => t`Choose a study` }) }),
    reply: followUp,
  }),
  /** States that a row was checked after a correction or a move. */
  review: post('/follow-ups/:id/review', {
    can: 'report.view',
    audited: 'follow_up.review',
    body: z.object({ revision }),
    reply: followUp,
  }),
  /** Users who may own a row: those who may know of its study. */
  owners: get('/follow-ups/:id/owners', {
    can: 'report.view',
    audited: notAudited.noPatient,
    reply: z.array(person),
  }),
  settings: get('/follow-up-settings', {
    can: 'config.manage',
    audited: notAudited.noPatient,
    reply: followUpSettings,
  }),
  saveSettings: put('/follow-up-settings', {
    can: 'config.manage',
    audited: 'follow_up_settings.save',
    body: followUpSettingsForm,
    reply: followUpSettings,
  }),
};

export const noun = {
  calls: [followUps],
  streams: [followUpExport],
  entities: ['follow_up', 'follow_up_settings'],
  actions: {
    Report: {
      'follow_up.search': 'Listed follow-ups',
      'follow_up.exportList': 'Exported list of follow-ups',
      'follow_up.view': 'Viewed follow-up',
      'follow_up.offer': 'Recognized follow-up',
      'follow_up.add': 'Added follow-up',
      'follow_up.edit': 'Edited follow-up',
      'follow_up.decide': 'Changed state of follow-up',
      'follow_up.match': 'Matched follow-up with a study',
      'follow_up.dismissMatch': 'Dismissed study of follow-up',
      'follow_up.remind': 'Reminded of follow-up',
      'follow_up.review': 'Checked follow-up',
      'follow_up.ask_review': 'Asked to check follow-up',
      'follow_up_settings.save': 'Edited follow-up settings',
    },
  },
} as const satisfies Noun;
