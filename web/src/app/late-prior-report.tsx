import { late } from '#ui/late.tsx';

/** The report of a prior. Whoever only looks at pictures does not wait for it. */
export const LatePriorReport = late(async () => (await import('./prior-report.tsx')).PriorReport);
