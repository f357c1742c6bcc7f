import { z } from 'zod';
import { asReading, get } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/** The first key image of a study. */
const previewImage = z.object({
  seriesInstanceUID: z.string(),
  sopInstanceUID: z.string(),
  frame: z.number(),
  note: z.string(),
});

/** The most similar prior that has a signed report, and the conclusion of this report as plain text. */
const previewPrior = z.object({
  id: z.string(),
  studyDate: z.string().nullable(),
  modality: z.string(),
  description: z.string(),
  impression: z.string(),
});

export const studyPreview = z.object({
  clinicalHistory: z.string(),
  keyImage: previewImage.nullable(),
  keyImageCount: z.number(),
  prior: previewPrior.nullable(),
});
export type StudyPreview = z.infer<typeof studyPreview>;

/** A look at a study from the list, before it is opened. */
export const studyPreviews = {
  read: get('/studies/:id/preview', {
    can: 'study.view',
    audited: asReading('study.preview', 'study', 'study'),
    reply: studyPreview,
  }),
};

export const noun = {
  calls: [studyPreviews],
  actions: { Study: { 'study.preview': 'Previewed study' } },
} as const satisfies Noun;
