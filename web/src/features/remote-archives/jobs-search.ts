import { importJobStates } from '@radwork/contract/import-jobs';
import { z } from 'zod';
import { pageInAddress } from '#core/list-address.ts';

/** What the address of the import jobs may say. */
export const jobsSearch = z.object({
  state: z.enum(importJobStates).optional().catch(undefined),
  ...pageInAddress,
});
export type JobsSearch = z.infer<typeof jobsSearch>;
