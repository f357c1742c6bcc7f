import { importJobStates } from '@radwork/contract/import-jobs';
import { pageSizes } from '@radwork/contract/paging';
import { z } from 'zod';

/** What the address of the import jobs may say. */
export const jobsSearch = z.object({
  state: z.enum(importJobStates).optional().catch(undefined),
  page: z.coerce.number().int().min(0).optional().catch(undefined),
  size: z.coerce.number().pipe(z.literal(pageSizes)).optional().catch(undefined),
});
export type JobsSearch = z.infer<typeof jobsSearch>;
