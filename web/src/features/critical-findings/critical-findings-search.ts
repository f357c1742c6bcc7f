import { criticalSeverities, criticalStates } from '@radwork/contract/critical-findings';
import { z } from 'zod';
import { pageInAddress } from '#core/list-address.ts';

/** What the address of the board may say. */
export const criticalFindingsSearch = z.object({
  severity: z.enum(criticalSeverities).optional().catch(undefined),
  state: z.enum(criticalStates).optional().catch(undefined),
  /** A finding that somebody was told of: it stands first, whatever else is shown. */
  findingId: z.string().optional().catch(undefined),
  ...pageInAddress,
});
export type CriticalFindingsSearch = z.infer<typeof criticalFindingsSearch>;
