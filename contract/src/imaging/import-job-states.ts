/** States of an import job. Their moves are in import-jobs.ts. */
export const importJobStates = ['QUEUED', 'RUNNING', 'PARTIAL', 'DONE', 'FAILED', 'CANCELLED'] as const;
export type ImportJobState = (typeof importJobStates)[number];
