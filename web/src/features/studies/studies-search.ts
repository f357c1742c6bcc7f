import { priorities } from '@radwork/contract/priorities';
import { studyAges, studyStages } from '@radwork/contract/study-work-filters';
import { studySortFields, studyStatuses, studyViews } from '@radwork/contract/studies';
import { z } from 'zod';
import { dayInAddress, pageInAddress, wordsInAddress } from '#core/list-address.ts';

const sorts = studySortFields.flatMap((field) => [`${field},asc`, `${field},desc`] as const);

/** The page, its size and its order, as the address of a list says them. */
export const listPaging = z.object({
  ...pageInAddress,
  sort: z.enum(sorts).optional().catch(undefined),
});
export type ListPaging = z.infer<typeof listPaging>;

/** What the address of the study list may say. Anything it says wrongly counts as not said. */
export const studiesSearch = listPaging.extend({
  /** All studies where it is left out. */
  view: z.enum(studyViews).exclude(['ALL']).optional().catch(undefined),
  query: wordsInAddress,
  modality: wordsInAddress,
  status: z.enum(studyStatuses).optional().catch(undefined),
  startDate: wordsInAddress,
  endDate: wordsInAddress,
  /** What the dashboard's numbers ask for. */
  priority: z.enum(priorities).optional().catch(undefined),
  mainModality: wordsInAddress,
  stage: z.enum(studyStages).optional().catch(undefined),
  age: z.enum(studyAges).optional().catch(undefined),
  arrivedFrom: dayInAddress,
  arrivedTo: dayInAddress,
  assigneeId: z.uuid().optional().catch(undefined),
  /** Shows this study alone, its series open. */
  studyId: wordsInAddress,
});
export type StudiesSearch = z.infer<typeof studiesSearch>;

/** None of what the dashboard's numbers ask for. */
export const noFigureFilters = {
  priority: undefined,
  mainModality: undefined,
  stage: undefined,
  age: undefined,
  arrivedFrom: undefined,
  arrivedTo: undefined,
  assigneeId: undefined,
} satisfies Partial<StudiesSearch>;
