import { z } from 'zod';

/** Identifies a patient for the user. `id` is the ID of the record, `patientId` the Patient ID in the files. */
export const namedPatient = z.object({ id: z.string(), patientName: z.string(), patientId: z.string() });
export type NamedPatient = z.infer<typeof namedPatient>;
