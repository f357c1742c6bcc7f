import { z } from 'zod';

/** Who a patient is, for somebody to tell one record from another: `id` is the record's, `patientId` stands in the files. */
export const namedPatient = z.object({ id: z.string(), patientName: z.string(), patientId: z.string() });
export type NamedPatient = z.infer<typeof namedPatient>;
