import { studySortFields, studyStatuses, studyViews } from '@radwork/contract/studies';
import { z } from 'zod';
import { pageInAddress, wordsInAddress } from '#core/list-address.ts';

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
  /** Shows this study alone, its series open. */
  studyId: wordsInAddress,
});
export type StudiesSearch = z.infer<typeof studiesSearch>;
