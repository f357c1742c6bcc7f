import { z } from 'zod';
import { get } from './endpoint.ts';

/** An entry of the atlas or a guideline as it is offered beside a study. */
export const offeredText = z.object({
  id: z.string(),
  title: z.string(),
  author: z.string(),
  modality: z.string(),
  bodyPart: z.string(),
  files: z.number(),
});
export type OfferedText = z.infer<typeof offeredText>;

export const offeredTexts = z.object({
  /** What was looked for, in words: "CT chest". */
  subject: z.string(),
  atlas: z.array(offeredText),
  guidelines: z.array(offeredText),
});
export type OfferedTexts = z.infer<typeof offeredTexts>;

export const knowledge = {
  /** The entries and guidelines for a study's modality and body part, the closest first. */
  forStudy: get('/knowledge/for-study/:id', { can: 'study.view', reply: offeredTexts }),
};
