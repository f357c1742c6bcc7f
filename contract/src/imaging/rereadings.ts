import { translated } from '../core/translate.ts';
import { z } from 'zod';
import { asReading, get, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { page, pageQuery } from '../core/paging.ts';

/**
 * Outcome for a value that differs when the header is read again: corrected; left, because a user may have entered the
 * stored value; or failed, because the file could not be read.
 */
export const rereadOutcomes = ['CHANGED', 'LEFT', 'FAILED'] as const;
export type RereadOutcome = (typeof rereadOutcomes)[number];

export const rereadOutcomeLabels: Record<RereadOutcome, string> = translated({
  CHANGED: 'Corrected',
  LEFT: 'Not corrected',
  FAILED: 'Not read',
});

/** Progress of rereading the headers of stored files after an upgrade; null before it starts. */
export const rereadProgress = z.object({
  filesRead: z.number(),
  filesInAll: z.number(),
  changed: z.number(),
  left: z.number(),
  failed: z.number(),
  finishedDate: z.string().nullable(),
});
export type RereadProgress = z.infer<typeof rereadProgress>;

export const headerDifference = z.object({
  id: z.string(),
  outcome: z.enum(rereadOutcomes),
  study: z.object({ id: z.string(), description: z.string(), modality: z.string(), accessionNumber: z.string() }),
  patientName: z.string(),
  sopInstanceUid: z.string(),
  /** Keyword of the DICOM attribute; empty if the file could not be read. */
  keyword: z.string(),
  before: z.string(),
  /** The new value, or the reason why the file could not be read. */
  after: z.string(),
  /** Number of files of the study with this difference. */
  files: z.number(),
  foundDate: z.string(),
});
export type HeaderDifference = z.infer<typeof headerDifference>;

export const rereadings = {
  progress: get('/rereadings', {
    can: 'patient.merge',
    audited: notAudited.countsOnly,
    reply: rereadProgress.nullable(),
  }),
  /** Returns the differences, latest first. */
  differences: get('/rereadings/differences', {
    can: 'patient.merge',
    audited: asReading('rereading.view', 'study'),
    query: z.object({ ...pageQuery, outcome: z.enum(rereadOutcomes).optional() }),
    reply: page(headerDifference),
  }),
};

export const noun = {
  calls: [rereadings],
  actions: {
    Study: {
      'rereading.view': 'Listed values that were read again',
      'study.reread': 'Corrected by reading headers again',
    },
  },
} as const satisfies Noun;
