import { t } from '../core/translate.ts';
import { z } from 'zod';
import { del, post, put } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { addendumKinds } from './report-parts.ts';
import { largestBody, reportContent, signing } from './report-forms.ts';
import { report } from './reports.ts';

const words = {
  kind: z.enum(addendumKinds, { error: () => t`Choose an addendum or a correction` }),
  content: reportContent,
  /** Passage that a correction replaces, quoted from the corrected part. */
  passage: z
    .string()
    .trim()
    .max(4000, { error: () => t`The passage is longer than 4,000 characters` })
    .default(''),
  /** Number of the corrected part; 0 is the report. */
  corrects: z.number().int().min(0).nullable().default(null),
};

type Words = { kind: string; passage: string; corrects: number | null };

const namesPassage = ({ kind, passage, corrects }: Words) =>
  kind !== 'CORRECTION' || (passage !== '' && corrects !== null);

const passageMissing = { path: ['passage'], error: () => t`Quote the passage to correct` };

/** Revision of the draft that the caller saw. */
const revision = z.number({ error: () => t`Revision of the addendum is required` }).int();

/**
 * Text of an addendum. A new addendum has no revision yet. It can name the patient record for which it was begun. If
 * the study has moved to another patient since then, the server rejects the addendum.
 */
export const addendumForm = z
  .object({ ...words, patientRecordId: z.uuid().optional() })
  .refine(namesPassage, passageMissing);
export const addendumSaveForm = z.object({ ...words, revision }).refine(namesPassage, passageMissing);
export const addendumSignForm = z.object({ ...words, ...signing, revision }).refine(namesPassage, passageMissing);

/**
 * Addenda and corrections of a finalized report. Each is a signed document; only its author sees the draft. Every call
 * returns the whole report.
 */
export const reportAddenda = {
  begin: post('/reports/:id/addenda', {
    can: 'report.finalize',
    audited: 'report.beginAddendum',
    body: addendumForm,
    largestBody,
    reply: report,
  }),
  save: put('/reports/:id/addenda/:addendumId', {
    can: 'report.finalize',
    audited: 'report.saveAddendum',
    body: addendumSaveForm,
    largestBody,
    reply: report,
  }),
  /** Discards a draft. If a revision is given, discards only the text that the caller saw. */
  discard: del('/reports/:id/addenda/:addendumId', {
    can: 'report.finalize',
    audited: 'report.discardAddendum',
    query: z.object({ revision: z.coerce.number().int().optional() }),
    reply: report,
  }),
  sign: post('/reports/:id/addenda/:addendumId/finalize', {
    can: 'report.finalize',
    audited: 'report.addend',
    body: addendumSignForm,
    largestBody,
    reply: report,
  }),
};

export const noun = {
  calls: [reportAddenda],
  actions: {
    Report: {
      'report.addend': 'Signed addendum',
      'report.beginAddendum': 'Created addendum',
      'report.saveAddendum': 'Saved addendum',
      'report.discardAddendum': 'Discarded addendum',
    },
  },
} as const satisfies Noun;
