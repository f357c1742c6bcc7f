import { criticalSeverities, timelinessValues } from '@radwork/contract/reading/critical-finding-states';
import { criticalStates } from '@radwork/contract/imaging/study-marks';
import { z } from 'zod';
import { dayInAddress, pageInAddress } from '#core/http/search-params.ts';

/** Filters of the critical findings screen, stored in the address. */
export const criticalFindingsSearch = z.object({
  severity: z.enum(criticalSeverities).optional().catch(undefined),
  state: z.enum(criticalStates).optional().catch(undefined),
  /** Filters set by links of the dashboard. */
  timeliness: z.enum(timelinessValues).optional().catch(undefined),
  dueFrom: dayInAddress,
  dueTo: dayInAddress,
  /** ID of a finding opened from a notification. It is shown first, whatever the filters. */
  findingId: z.string().optional().catch(undefined),
  ...pageInAddress,
});
export type CriticalFindingsSearch = z.infer<typeof criticalFindingsSearch>;
