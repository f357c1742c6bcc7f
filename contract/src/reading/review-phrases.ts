import { t } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, notAudited, post } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/** Maximum number of phrases of one user, and of shared phrases of an organization. */
export const mostPhrases = 30;

/** Decision of a review for which a phrase is offered. Choosing a phrase never changes the decision. */
export const reviewDecisions = ['APPROVE', 'REVISE'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

export const phraseForm = z.object({
  text: z
    .string({ error: () => t`Phrase is required` })
    .trim()
    .min(1, { error: () => t`Phrase is required` })
    .max(500, { error: () => t`The phrase is longer than 500 characters` }),
  decision: z.enum(reviewDecisions, { error: () => t`Choose a decision` }),
  isShared: z.boolean().default(false),
});

export const reviewPhrase = z.object({
  id: z.string(),
  text: z.string(),
  decision: z.enum(reviewDecisions),
  /** Whether all reviewers of the organization are offered the phrase. If not, only its owner is. */
  isShared: z.boolean(),
});
export type ReviewPhrase = z.infer<typeof reviewPhrase>;

/**
 * Prepared comments of a review. Reviewers have their own, and users who manage templates edit the shared ones. The
 * list has the shared phrases first.
 */
export const reviewPhrases = {
  list: get('/review-phrases', { can: 'report.view', audited: notAudited.noPatient, reply: z.array(reviewPhrase) }),
  create: post('/review-phrases', {
    can: 'report.view',
    audited: 'reviewPhrase.create',
    body: phraseForm,
    reply: reviewPhrase,
  }),
  remove: del('/review-phrases/:id', { can: 'report.view', audited: 'reviewPhrase.delete' }),
};

export const noun = {
  calls: [reviewPhrases],
  entities: ['review_phrase'],
  actions: {
    Configuration: {
      'reviewPhrase.create': 'Created review phrase',
      'reviewPhrase.delete': 'Deleted review phrase',
    },
  },
} as const satisfies Noun;
