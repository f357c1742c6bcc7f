import { z } from 'zod';
import { del, get, put } from './endpoint.ts';
import { namedPatient } from './named-patient.ts';
import { largestBody, reportContent } from './report-forms.ts';

/**
 * What somebody types in a report is kept for them while they type. A kept text is no version of the report: it belongs
 * to its writer alone, is replaced by the next one, and is gone once it is saved or given up.
 */

/** How often a text that changes is kept, in milliseconds. */
export const keepEvery = 10_000;

export const keptText = z.object({
  /** New with every keep, and chosen by who keeps it: a page that is gone before the answer knows it all the same. */
  id: z.string(),
  reportId: z.string().nullable(),
  /** The version of the report that it was written on; null before there is one. */
  baseRevision: z.number().nullable(),
  /** For whom it was begun, wherever the study is filed by now; null when that is not known (any more). */
  patient: namedPatient.nullable(),
  content: z.string(),
  hasCriticalFindings: z.boolean(),
  criticalFindingsDetails: z.string(),
  savedAt: z.string(),
});
export type KeptText = z.infer<typeof keptText>;

export const keepForm = z.object({
  id: z.uuid(),
  /** The report that it is the text of; null while there is none. */
  reportId: z.uuid().nullable(),
  baseRevision: z.number().int().nullable(),
  /** The record of the patient for whom the text was begun; null when the writer cannot tell. */
  patientId: z.uuid().nullable(),
  content: reportContent,
  hasCriticalFindings: z.boolean(),
  criticalFindingsDetails: z.string().max(4000, 'The details are longer than 4,000 characters'),
  /** The kept text that the writer knows and that this one replaces; null when they know of none. */
  replaces: z.uuid().nullable(),
});

export const autosaveErrors = { newer: 'report.kept_elsewhere' } as const;

export const reportAutosaves = {
  /** The caller's own kept texts of a study: of its open report, of one that is begun, of one that was signed meanwhile. */
  find: get('/studies/:id/kept-texts', { can: 'report.edit', reply: z.array(keptText) }),
  /**
   * For those who may write the report now, by the rules of the report itself. 409 `newer` when the caller has kept
   * another text meanwhile, in another window: that one stays.
   */
  keep: put('/workflow/studies/:id/kept-text', {
    can: 'report.edit',
    body: keepForm,
    largestBody,
    reply: keptText.pick({ id: true, savedAt: true }),
  }),
  /** The caller needs this text no more. One that has been replaced since stays. */
  giveUp: del('/workflow/studies/:id/kept-text', { can: 'report.edit', query: z.object({ keptTextId: z.uuid() }) }),
};
