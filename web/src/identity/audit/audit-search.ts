import type { AuditFilters } from '@radwork/contract/identity/audit';
import { auditOutcomes } from '@radwork/contract/identity/audit-outcomes';
import { z } from 'zod';
import { searchTextParam } from '#core/http/search-params.ts';

/** Filters of the audit log, stored in the address. Invalid values are ignored. */
export const auditSearchInAddress = z.object({
  from: searchTextParam,
  to: searchTextParam,
  user: searchTextParam,
  action: searchTextParam,
  outcome: z.enum(auditOutcomes).optional().catch(undefined),
  ip: searchTextParam,
  patientId: z.uuid().optional().catch(undefined),
  studyId: z.uuid().optional().catch(undefined),
});
export type AuditSearchInAddress = z.infer<typeof auditSearchInAddress>;

/** Converts the filters in the address to filters of the server. */
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
