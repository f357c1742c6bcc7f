import { z } from 'zod';

/** What the address of a study's page may say. Anything it says wrongly counts as not said. */
export const studyPageSearch = z.object({
  /** The study of the same patient that is open beside this one. */
  prior: z.uuid().optional().catch(undefined),
  /** What is in front where there is no room for everything. */
  pane: z.enum(['report']).optional().catch(undefined),
});
