import { z } from 'zod';

/** Search parameters of the screen for a new study. Invalid values are ignored. */
export const createStudySearch = z.object({
  /** Whether to register a study without images instead of uploading images. */
  form: z.literal('register').optional().catch(undefined),
  /** ID of the patient of the new study. */
  patientId: z.uuid().optional().catch(undefined),
});
