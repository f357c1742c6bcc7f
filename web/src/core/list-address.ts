import { pageSizes } from '@radwork/contract/paging';
import { z } from 'zod';

/** The page of a list and its size, as an address says them. What it says wrongly counts as not said. */
export const pageInAddress = {
  page: z.coerce.number().int().min(0).optional().catch(undefined),
  size: z.coerce.number().pipe(z.literal(pageSizes)).optional().catch(undefined),
};

/** Words that an address looks for; none are as good as not said. */
export const wordsInAddress = z
  .string()
  .transform((given) => given || undefined)
  .optional()
  .catch(undefined);

/** A day "yyyy-MM-dd". */
export const dayInAddress = z.iso.date().optional().catch(undefined);
