import { importJobStates } from '@radwork/contract/imaging/import-job-states';
import { z } from 'zod';
import { pageInAddress } from '#core/http/search-params.ts';

/** Filter and page of the import jobs, stored in the address. */
export const jobsSearch = z.object({
  state: z.enum(importJobStates).optional().catch(undefined),
  ...pageInAddress,
});
export type JobsSearch = z.infer<typeof jobsSearch>;
