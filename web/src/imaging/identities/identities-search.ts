import { z } from 'zod';
import { pageInAddress } from '#core/http/search-params.ts';

export const identitiesSearch = z.object({
  ...pageInAddress,
  state: z.enum(['OPEN', 'DECIDED']).optional().catch(undefined),
});
export type IdentitiesSearch = z.infer<typeof identitiesSearch>;

export const defaultSize = 10;
