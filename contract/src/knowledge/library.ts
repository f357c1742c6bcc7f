import { z } from 'zod';
import { get, unaudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/** An atlas entry or guideline that is offered for a study. */
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
  /** Search term such as "CT chest". */
  subject: z.string(),
  atlas: z.array(offeredText),
  guidelines: z.array(offeredText),
});
export type OfferedTexts = z.infer<typeof offeredTexts>;

export const knowledge = {
  /** Returns entries and guidelines for modality and body part of the study, the best match first. */
  forStudy: get('/knowledge/for-study/:id', {
    can: 'study.view',
    audited: unaudited('returns no more of the study than its audited page'),
    reply: offeredTexts,
  }),
};

export const noun = {
  calls: [knowledge],
} as const satisfies Noun;
