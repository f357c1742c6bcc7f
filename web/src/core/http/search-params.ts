import { pageSizes } from '@radwork/contract/core/paging';
import { z } from 'zod';

/** Page and page size of a list in an address. Invalid values count as missing. */
export const pageInAddress = {
  page: z.coerce.number().int().min(0).optional().catch(undefined),
  size: z.coerce.number().pipe(z.literal(pageSizes)).optional().catch(undefined),
};

/** Search text in an address. Empty text counts as missing. */
export const searchTextParam = z
  .string()
  .transform((text) => text || undefined)
  .optional()
  .catch(undefined);

/** Date "yyyy-MM-dd" in an address. */
export const dayInAddress = z.iso.date().optional().catch(undefined);
