import { criticalSeverities, criticalStates, timelinesses } from '@radwork/contract/critical-findings';
import { z } from 'zod';
import { dayInAddress, pageInAddress } from '#core/list-address.ts';

/** What the address of the board may say. */
export const criticalFindingsSearch = z.object({
  severity: z.enum(criticalSeverities).optional().catch(undefined),
  state: z.enum(criticalStates).optional().catch(undefined),
  /** What the dashboard's numbers ask for. */
  timeliness: z.enum(timelinesses).optional().catch(undefined),
  dueFrom: dayInAddress,
  dueTo: dayInAddress,
  /** A finding that somebody was told of: it stands first, whatever else is shown. */
  findingId: z.string().optional().catch(undefined),
  ...pageInAddress,
});
export type CriticalFindingsSearch = z.infer<typeof criticalFindingsSearch>;
