import { t } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, put, asReading, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { namedPatient } from '../core/named-patient.ts';
import { largestBody, reportContent } from './report-forms.ts';

/** Interval between autosaves of a changing text, in milliseconds. */
export const autosaveIntervalMs = 10_000;

export const autosave = z.object({
  /**
   * ID of the autosave. The browser chooses a new ID each time, so that a page that closes before the response still
   * knows the ID.
   */
  id: z.string(),
  reportId: z.string().nullable(),
  /** Revision of the report on which the text is based; null without a report. */
  baseRevision: z.number().nullable(),
  /** Patient about whom the text was begun, even if the study has moved since; null if unknown. */
  patient: namedPatient.nullable(),
  content: z.string(),
  hasCriticalFindings: z.boolean(),
  criticalFindingsDetails: z.string(),
  savedAt: z.string(),
});
export type Autosave = z.infer<typeof autosave>;

export const autosaveForm = z.object({
  id: z.uuid(),
  /** Report to which the text belongs; null if there is no report yet. */
  reportId: z.uuid().nullable(),
  baseRevision: z.number().int().nullable(),
  /** ID of the patient record for which the text was begun; null if unknown. */
  patientId: z.uuid().nullable(),
  content: reportContent,
  hasCriticalFindings: z.boolean(),
  criticalFindingsDetails: z.string().max(4000, { error: () => t`The details are longer than 4,000 characters` }),
  /** ID of the autosave that this autosave replaces; null if the browser knows none. */
  replaces: z.uuid().nullable(),
});

export const autosaveErrors = { newer: 'report.kept_elsewhere' } as const;

/**
 * Autosave of the report that the caller is typing. It is not a version of the report: only its author can read it, the
 * next autosave replaces it, and saving or discarding the report deletes it.
 */
export const reportAutosaves = {
  /**
   * Returns the caller's autosaves of a study: for its open report, for a new report, or for a report signed meanwhile.
   */
  find: get('/studies/:id/kept-texts', {
    can: 'report.edit',
    audited: asReading('report.viewKept', 'study', 'study'),
    reply: z.array(autosave),
  }),
  /**
   * Stores an autosave if the rules of the report allow the caller to write. 409 `newer` if the caller has saved
   * another text in another window; that text stays.
   */
  keep: put('/workflow/studies/:id/kept-text', {
    can: 'report.edit',
    audited: notAudited.ownText,
    body: autosaveForm,
    largestBody,
    reply: autosave.pick({ id: true, savedAt: true }),
  }),
  /** Deletes the autosave, unless a newer autosave has replaced it. */
  giveUp: del('/workflow/studies/:id/kept-text', {
    can: 'report.edit',
    audited: notAudited.ownText,
    query: z.object({ keptTextId: z.uuid() }),
  }),
};

export const noun = {
  calls: [reportAutosaves],
  actions: {
    Report: {
      'report.viewKept': 'Viewed autosaves',
    },
  },
} as const satisfies Noun;
