import { t } from '../core/translate.ts';
import { z } from 'zod';
import { asReading, get, put } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

const studyGroup = z.object({ id: z.string(), name: z.string() });
export type StudyGroup = z.infer<typeof studyGroup>;

/** Groups of a study by name, and the revision of the study that has them. */
const groupsOfStudy = z.object({ revision: z.number().int(), groups: z.array(studyGroup) });
export type GroupsOfStudy = z.infer<typeof groupsOfStudy>;

/** Groups of a study. Users who are limited to groups see a study only through them. */
export const studyGroups = {
  /** Returns the groups of a study by name, and the revision that `replace` needs. */
  list: get('/studies/:id/groups', {
    can: 'study.view',
    audited: asReading('study.view', 'study', 'study'),
    reply: groupsOfStudy,
  }),
  /**
   * Replaces the groups of a study. A caller who is limited to groups changes only their own groups, and must leave one
   * of them. Throws 409 for an outdated revision, and for a removed group to which the study is assigned. Also throws
   * 409 when an assignee would no longer see the study. Throws 422 for an unknown group.
   */
  replace: put('/studies/:id/groups', {
    can: 'study.assign',
    audited: 'study.setGroups',
    body: z.object({
      revision: z.number().int(),
      groupIds: z
        .array(z.uuid({ error: () => t`Choose groups of this organization` }))
        .max(50, { error: () => t`Choose at most 50 groups` }),
    }),
    reply: groupsOfStudy,
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
