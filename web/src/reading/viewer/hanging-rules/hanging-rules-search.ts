import { z } from 'zod';

/** Search parameters of the screen. `rule` is the ID of the open rule. */
export const hangingRulesSearch = z.object({ rule: z.string().optional().catch(undefined) });
