import { pageSizes } from '@radwork/contract/paging';
import { studySortFields, studyStatuses, studyViews } from '@radwork/contract/studies';
import { z } from 'zod';

const sorts = studySortFields.flatMap((field) => [`${field},asc`, `${field},desc`] as const);
const text = z
  .string()
  .transform((given) => given || undefined)
  .optional()
  .catch(undefined);

/** The page, its size and its order, as the address of a list says them. */
export const listPaging = z.object({
  page: z.coerce.number().int().min(0).optional().catch(undefined),
  size: z.coerce.number().pipe(z.literal(pageSizes)).optional().catch(undefined),
  sort: z.enum(sorts).optional().catch(undefined),
});
export type ListPaging = z.infer<typeof listPaging>;

/** What the address of the study list may say. Anything it says wrongly counts as not said. */
export const studiesSearch = listPaging.extend({
  /** All studies where it is left out. */
  view: z.enum(studyViews).exclude(['ALL']).optional().catch(undefined),
  query: text,
  modality: text,
  status: z.enum(studyStatuses).optional().catch(undefined),
  startDate: text,
  endDate: text,
  /** Shows this study alone, its series open. */
  studyId: text,
});
export type StudiesSearch = z.infer<typeof studiesSearch>;
