import { t } from '../core/translate.ts';
import { z } from 'zod';
import { asReading, get, put } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

const studyGroup = z.object({ id: z.string(), name: z.string() });
export type StudyGroup = z.infer<typeof studyGroup>;

/** Groups of a study. Users who are limited to groups see a study only through them. */
export const studyGroups = {
  /** Returns the groups of a study by name. */
  list: get('/studies/:id/groups', {
    can: 'study.view',
    audited: asReading('study.view', 'study', 'study'),
    reply: z.array(studyGroup),
  }),
  /**
   * Replaces the groups of a study. A caller who is limited to groups must leave one of their own groups. Throws 422 for
   * an unknown group.
   */
  replace: put('/studies/:id/groups', {
    can: 'study.assign',
    audited: 'study.setGroups',
    body: z.object({
      groupIds: z
        .array(z.uuid({ error: () => t`Choose groups of this organization` }))
        .max(50, { error: () => t`Choose at most 50 groups` }),
    }),
    reply: z.array(studyGroup),
  }),
};

export const noun = {
  calls: [studyGroups],
  actions: {
    Study: {
      'study.setGroups': 'Changed groups of study',
    },
  },
} as const satisfies Noun;
