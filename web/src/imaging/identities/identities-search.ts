import { z } from 'zod';
import { pageInAddress } from '#core/http/search-params.ts';

/** Search parameters of the identity questions. */
export const identitiesSearch = z.object({
  ...pageInAddress,
  state: z.enum(['OPEN', 'DECIDED']).optional().catch(undefined),
});
export type IdentitiesSearch = z.infer<typeof identitiesSearch>;

export const defaultSize = 10;
