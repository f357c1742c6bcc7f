import { z } from 'zod';

/** What the address of a new study may say. Anything it says wrongly counts as not said. */
export const createStudySearch = z.object({
  /** A study without images is registered, in place of images being uploaded. */
  form: z.literal('register').optional().catch(undefined),
  /** For this patient. */
  patientId: z.uuid().optional().catch(undefined),
});
