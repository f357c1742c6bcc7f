import { t } from './translate.ts';
import { z } from 'zod';

/** Tenant setting for files that contradict the patient with their PatientID. */
export const contradictingPatients = ['KEEP', 'REFUSE_TWO', 'REFUSE'] as const;
export type ContradictingPatients = (typeof contradictingPatients)[number];

/**
 * Issuer of patient IDs (IssuerOfPatientID, an LO of PS3.5 §6.2) for a source whose files name none; empty if unnamed.
 */
export const issuerOfWay = z
  .string()
  .trim()
  .max(64, { error: () => t`The issuer is longer than 64 characters` })
  .regex(/^[^\\\p{Cc}]*$/u, { error: () => t`The issuer cannot contain a backslash or a line break` });
