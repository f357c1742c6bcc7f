import { criticalSeverities, criticalStates } from '@radwork/contract/critical-findings';
import { pageSizes } from '@radwork/contract/paging';
import { z } from 'zod';

/** What the address of the board may say. */
export const criticalFindingsSearch = z.object({
  severity: z.enum(criticalSeverities).optional().catch(undefined),
  state: z.enum(criticalStates).optional().catch(undefined),
  /** A finding that somebody was told of: it stands first, whatever else is shown. */
  findingId: z.string().optional().catch(undefined),
  page: z.coerce.number().int().min(0).optional().catch(undefined),
  size: z.coerce.number().pipe(z.literal(pageSizes)).optional().catch(undefined),
});
export type CriticalFindingsSearch = z.infer<typeof criticalFindingsSearch>;
