import { t } from './translate.ts';
import { z } from 'zod';

/**
 * Values of the tenant setting that decides how to handle files whose patient data do not match the patient with the
 * same Patient ID.
 */
export const contradictingPatients = ['KEEP', 'REFUSE_TWO', 'REFUSE'] as const;
export type ContradictingPatients = (typeof contradictingPatients)[number];

/**
 * Issuer of the Patient IDs from a source whose files name no issuer (IssuerOfPatientID, an LO of PS3.5 §6.2). Empty if
 * the issuer has no name.
 */
export const issuerOfWay = z
  .string()
  .trim()
  .max(64, { error: () => t`The issuer is longer than 64 characters` })
  .regex(/^[^\\\p{Cc}]*$/u, { error: () => t`The issuer cannot contain a backslash or a line break` });
