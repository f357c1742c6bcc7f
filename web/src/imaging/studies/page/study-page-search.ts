import { z } from 'zod';

/** Search parameters of the study page. Invalid values are ignored. */
export const studyPageSearch = z.object({
  /** ID of the prior shown next to this study. */
  prior: z.uuid().optional().catch(undefined),
  /** Pane shown on small screens. */
  pane: z.enum(['report']).optional().catch(undefined),
});
