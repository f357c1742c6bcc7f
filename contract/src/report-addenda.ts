import { z } from 'zod';
import { del, post, put } from './endpoint.ts';
import { addendumKinds } from './report-parts.ts';
import { largestBody, reportContent, signing } from './report-forms.ts';
import { report } from './reports.ts';

const words = {
  kind: z.enum(addendumKinds, 'Choose an addendum or a correction'),
  content: reportContent,
  /** What a correction replaces, as it reads in the part that it corrects. */
  passage: z.string().trim().max(4000, 'The passage is longer than 4,000 characters').default(''),
  /** The number of that part; 0 is the report's own text. */
  corrects: z.number().int().min(0).nullable().default(null),
};

type Words = { kind: string; passage: string; corrects: number | null };

const namesPassage = ({ kind, passage, corrects }: Words) =>
  kind !== 'CORRECTION' || (passage !== '' && corrects !== null);

const passageMissing = { path: ['passage'], message: 'Quote the passage that is corrected' };

/** A draft is saved, signed or discarded as the caller saw it. */
const revision = z.number('Say which revision of the addendum it is').int();

/** A first text has no revision yet: it may say for which patient's record it was begun, and is refused for another. */
export const addendumForm = z
  .object({ ...words, patientRecordId: z.uuid().optional() })
  .refine(namesPassage, passageMissing);
export const addendumSaveForm = z.object({ ...words, revision }).refine(namesPassage, passageMissing);
export const addendumSignForm = z.object({ ...words, ...signing, revision }).refine(namesPassage, passageMissing);

/**
 * What is added to a finalized report or corrected in it: signed documents of their own, each with a draft that only
 * its author sees. Every call answers with the whole report (C38).
 */
export const reportAddenda = {
  begin: post('/reports/:id/addenda', { can: 'report.finalize', body: addendumForm, largestBody, reply: report }),
  save: put('/reports/:id/addenda/:addendumId', {
    can: 'report.finalize',
    body: addendumSaveForm,
    largestBody,
    reply: report,
  }),
  /** With a revision, only the text that the caller saw is discarded. */
  discard: del('/reports/:id/addenda/:addendumId', {
    can: 'report.finalize',
    query: z.object({ revision: z.coerce.number().int().optional() }),
    reply: report,
  }),
  sign: post('/reports/:id/addenda/:addendumId/finalize', {
    can: 'report.finalize',
    body: addendumSignForm,
    largestBody,
    reply: report,
  }),
};
