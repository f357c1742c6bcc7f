import { late } from '#ui/late.tsx';

/** Report of a prior. Its code loads on demand; a reader of images does not wait for it. */
export const LatePriorReport = late(async () => (await import('./prior-report.tsx')).PriorReport);
