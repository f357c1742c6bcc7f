import { pageSizes } from '@radwork/contract/paging';
import { studySortFields, studyStatuses } from '@radwork/contract/studies';
import { z } from 'zod';

const sorts = studySortFields.flatMap((field) => [`${field},asc`, `${field},desc`] as const);
const text = z
  .string()
  .transform((given) => given || undefined)
  .optional()
  .catch(undefined);

/** What the address of the study list may say. Anything it says wrongly counts as not said. */
export const studiesSearch = z.object({
  query: text,
  modality: text,
  status: z.enum(studyStatuses).optional().catch(undefined),
  startDate: text,
  endDate: text,
  page: z.coerce.number().int().min(0).optional().catch(undefined),
  size: z.coerce.number().pipe(z.literal(pageSizes)).optional().catch(undefined),
  sort: z.enum(sorts).optional().catch(undefined),
  /** Shows this study alone, its series open. */
  studyId: text,
});
export type StudiesSearch = z.infer<typeof studiesSearch>;
