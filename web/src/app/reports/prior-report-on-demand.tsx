import { loadOnDemand } from '#ui/feedback/on-demand.tsx';

/** Report of a prior. Loaded on demand, so that users who view images need not wait for its code. */
export const PriorReportOnDemand = loadOnDemand(async () => (await import('./prior-report.tsx')).PriorReport);
