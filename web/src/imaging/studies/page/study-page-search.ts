import { z } from 'zod';

/** Search parameters of the study page. Invalid values are ignored. */
export const studyPageSearch = z.object({
  /** Prior of the same patient shown next to this study. */
  prior: z.uuid().optional().catch(undefined),
  /** The visible pane on small screens. */
  pane: z.enum(['report']).optional().catch(undefined),
});
