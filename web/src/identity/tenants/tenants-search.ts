import { tenantStates } from '@radwork/contract/identity/tenants';
import { z } from 'zod';
import { pageInAddress, searchTextParam } from '#core/http/search-params.ts';

export const tenantsSearch = z.object({
  query: searchTextParam,
  status: z.enum(tenantStates).optional().catch(undefined),
  ...pageInAddress,
});
export type TenantsSearch = z.infer<typeof tenantsSearch>;
