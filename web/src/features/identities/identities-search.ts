import { z } from 'zod';

/** What the address of the queue may say. */
export const identitiesSearch = z.object({
  page: z.number().int().min(0).optional().catch(undefined),
  state: z.enum(['OPEN', 'DECIDED']).optional().catch(undefined),
});
