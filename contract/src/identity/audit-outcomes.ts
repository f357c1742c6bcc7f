/** Outcomes of an audited call. */
export const auditOutcomes = ['SUCCESS', 'FAILURE'] as const;
