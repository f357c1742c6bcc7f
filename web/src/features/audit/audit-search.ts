import { type AuditFilters, auditOutcomes } from '@radwork/contract/audit';
import { z } from 'zod';
import { wordsInAddress } from '#core/list-address.ts';

/** What the address of the audit may say. Anything it says wrongly counts as not said. */
export const auditSearchInAddress = z.object({
  from: wordsInAddress,
  to: wordsInAddress,
  user: wordsInAddress,
  action: wordsInAddress,
  outcome: z.enum(auditOutcomes).optional().catch(undefined),
  ip: wordsInAddress,
  patientId: z.uuid().optional().catch(undefined),
  studyId: z.uuid().optional().catch(undefined),
});
export type AuditSearchInAddress = z.infer<typeof auditSearchInAddress>;

/** What the server is asked for. */
export const filtersOf = ({ patientId, studyId, ...filters }: AuditSearchInAddress): AuditFilters => ({
  ...filters,
  ...(patientId && { patient: patientId }),
  ...(studyId && { study: studyId }),
});

export const noFilters = {
  from: undefined,
  to: undefined,
  user: undefined,
  action: undefined,
  outcome: undefined,
  ip: undefined,
  patientId: undefined,
  studyId: undefined,
} satisfies AuditSearchInAddress;
