import { tenantStates } from '@radwork/contract/tenants';
import { z } from 'zod';
import { pageInAddress, wordsInAddress } from '#core/list-address.ts';

/** What the address of the organisations may say. */
export const tenantsSearch = z.object({
  query: wordsInAddress,
  status: z.enum(tenantStates).optional().catch(undefined),
  ...pageInAddress,
});
export type TenantsSearch = z.infer<typeof tenantsSearch>;
