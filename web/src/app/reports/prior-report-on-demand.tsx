import { loadOnDemand } from '#ui/feedback/on-demand.tsx';

/** Report of a prior. Its code loads on demand; a reader of images does not wait for it. */
export const PriorReportOnDemand = loadOnDemand(async () => (await import('./prior-report.tsx')).PriorReport);
