import { z } from 'zod';

/** Search parameters of the page for a new study. Invalid values are ignored. */
export const createStudySearch = z.object({
  /** Registers a study without images instead of uploading images. */
  form: z.literal('register').optional().catch(undefined),
  /** The patient of the new study. */
  patientId: z.uuid().optional().catch(undefined),
});
