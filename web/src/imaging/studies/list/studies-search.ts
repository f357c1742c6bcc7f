import { priorities } from '@radwork/contract/core/priorities';
import { studyAges, studyStages } from '@radwork/contract/imaging/study-work-filters';
import { readConditions, textOfConditions } from '@radwork/contract/imaging/study-conditions';
import { studySortFields, studyViews } from '@radwork/contract/imaging/studies';
import { studyStatuses } from '@radwork/contract/imaging/study-status';
import { z } from 'zod';
import { dayInAddress, pageInAddress, searchTextParam } from '#core/http/search-params.ts';

const sorts = studySortFields.flatMap((field) => [`${field},asc`, `${field},desc`] as const);

/** Page, page size and sort order of a list, stored in the address. */
export const listPaging = z.object({
  ...pageInAddress,
  sort: z.enum(sorts).optional().catch(undefined),
});
export type ListPaging = z.infer<typeof listPaging>;

/** Conditions as text. Invalid conditions are left out. */
const conditionsInAddress = z
  .string()
  .transform((text) => textOfConditions(readConditions(text)))
  .optional()
  .catch(undefined);

/** Search parameters of the study list. Invalid values are ignored. */
export const studiesSearch = listPaging.extend({
  /** Selected tab; absent for all studies. */
  view: z.enum(studyViews).exclude(['ALL']).optional().catch(undefined),
  query: searchTextParam,
  modality: searchTextParam,
  status: z.enum(studyStatuses).optional().catch(undefined),
  startDate: searchTextParam,
  endDate: searchTextParam,
  /** Further conditions (study-conditions.ts). */
  where: conditionsInAddress,
  /** ID of the saved view from which the list started. The other parameters may have changed since. */
  savedView: z.uuid().optional().catch(undefined),
  /** Filters set by links of the dashboard. */
  priority: z.enum(priorities).optional().catch(undefined),
  mainModality: searchTextParam,
  stage: z.enum(studyStages).optional().catch(undefined),
  age: z.enum(studyAges).optional().catch(undefined),
  arrivedFrom: dayInAddress,
  arrivedTo: dayInAddress,
  assigneeId: z.uuid().optional().catch(undefined),
  /** ID of the only study to show, with its series open. */
  studyId: searchTextParam,
});
export type StudiesSearch = z.infer<typeof studiesSearch>;

/** Search parameters that show all studies, in the first order of the screen. The page size stays. */
export const everything = {
  view: undefined,
  query: undefined,
  modality: undefined,
  status: undefined,
  startDate: undefined,
  endDate: undefined,
  where: undefined,
  savedView: undefined,
  priority: undefined,
  mainModality: undefined,
  stage: undefined,
  age: undefined,
  arrivedFrom: undefined,
  arrivedTo: undefined,
  assigneeId: undefined,
  studyId: undefined,
  page: undefined,
} satisfies Partial<StudiesSearch>;

/** Search parameters that clear the filters set by the dashboard. */
export const noFigureFilters = {
  priority: undefined,
  mainModality: undefined,
  stage: undefined,
  age: undefined,
  arrivedFrom: undefined,
  arrivedTo: undefined,
  assigneeId: undefined,
} satisfies Partial<StudiesSearch>;
