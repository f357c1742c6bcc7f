import { t } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, post, put, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { pageSizes } from '../core/paging.ts';
import { studySearch } from './studies.ts';

/** Owners of saved views: the user who saved the view, a group for its members, or the organization for all users. */
export const savedViewOwners = ['USER', 'GROUP', 'ORGANIZATION'] as const;
export type SavedViewOwner = (typeof savedViewOwners)[number];

/** Maximum number of saved views of one owner. Groups have fewer, because users can be members of many groups. */
export const mostSavedViews: Record<SavedViewOwner, number> = { USER: 40, GROUP: 10, ORGANIZATION: 40 };

const chooseGroup = () => t`Choose a group`;

const parameter = z.string().max(4000).optional();

/**
 * Filters, sort order and page size of the study list, as its address holds them. Values that the list would refuse are
 * refused here too.
 */
export const savedSearch = z
  .object({
    view: parameter,
    query: parameter,
    modality: parameter,
    status: parameter,
    startDate: parameter,
    endDate: parameter,
    where: parameter,
    priority: parameter,
    mainModality: parameter,
    stage: parameter,
    age: parameter,
    arrivedFrom: parameter,
    arrivedTo: parameter,
    assigneeId: parameter,
    sort: parameter,
    size: z.literal(pageSizes).optional(),
  })
  .superRefine((search, context) => {
    for (const { message } of studySearch.safeParse(search).error?.issues ?? []) {
      context.addIssue({ code: 'custom', message });
    }
  });
export type SavedSearch = z.infer<typeof savedSearch>;

const savedViewForm = z.object({
  name: z
    .string()
    .trim()
    .min(1, { error: () => t`Name is required` })
    .max(60, { error: () => t`The name is longer than 60 characters` }),
  search: savedSearch,
});
export type SavedViewForm = z.infer<typeof savedViewForm>;

export const savedView = savedViewForm.extend({
  id: z.string(),
  owner: z.enum(savedViewOwners),
  /** Group of a view with the owner GROUP. `isOwn`: the caller is a member. Others only manage the view. */
  group: z.object({ id: z.string(), name: z.string(), isOwn: z.boolean() }).nullable(),
  /** Whether the study list of the caller opens with this view. */
  isDefault: z.boolean(),
  revision: z.number(),
  updatedBy: z.string(),
  updatedAt: z.string(),
});
export type SavedView = z.infer<typeof savedView>;

const viewCount = z.object({ id: z.string(), total: z.number(), isMore: z.boolean() });
export type SavedViewCount = z.infer<typeof viewCount>;

/** Saved views of the study list. A view is a search with a name. It gives no right to see a study. */
export const savedViews = {
  /**
   * The caller's own views, those of the caller's groups and those of the organization, each in their order. Users who
   * manage the configuration also get the views of other groups.
   */
  list: get('/saved-views', { can: 'study.view', audited: notAudited.own, reply: z.array(savedView) }),
  /** Number of studies in each view that the caller may use, up to a limit. The path is one of studies, because counts change with studies. */
  counts: get('/studies/saved-views', {
    can: 'study.view',
    audited: notAudited.countsOnly,
    reply: z.array(viewCount),
  }),
  create: post('/saved-views', {
    can: 'study.view',
    audited: 'saved_view.create',
    /** `at`: place among the views of the same owner, from 0. Default: last. */
    body: savedViewForm
      .extend({
        owner: z.enum(savedViewOwners).default('USER'),
        /** Group of a view with the owner GROUP. */
        groupId: z.uuid({ error: chooseGroup }).optional(),
        at: z.number().int().min(0).optional(),
        isDefault: z.boolean().default(false),
      })
      .refine(({ owner, groupId }) => (owner === 'GROUP') === (groupId !== undefined), {
        path: ['groupId'],
        error: chooseGroup,
      }),
    reply: savedView,
  }),
  update: put('/saved-views/:id', {
    can: 'study.view',
    audited: 'saved_view.update',
    body: savedViewForm.extend({ revision: z.number().int() }),
    reply: savedView,
  }),
  /** Moves a view among the views of the same owner, to a place from 0. */
  move: post('/saved-views/:id/move', {
    can: 'study.view',
    audited: 'saved_view.move',
    body: z.object({ at: z.number().int().min(0) }),
    reply: z.array(savedView),
  }),
  /** Sets with which view the study list of the caller opens. */
  setDefault: put('/saved-views/:id/default', {
    can: 'study.view',
    audited: notAudited.own,
    body: z.object({ isDefault: z.boolean() }),
    reply: z.array(savedView),
  }),
  remove: del('/saved-views/:id', { can: 'study.view', audited: 'saved_view.delete' }),
};

export const noun = {
  calls: [savedViews],
  entities: ['saved_view'],
  actions: {
    Configuration: {
      'saved_view.create': 'Created saved view',
      'saved_view.update': 'Edited saved view',
      'saved_view.move': 'Moved saved view',
      'saved_view.delete': 'Deleted saved view',
    },
  },
} as const satisfies Noun;
