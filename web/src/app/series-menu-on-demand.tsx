import { loadOnDemand } from '#ui/feedback/on-demand.tsx';

/** Menu of a series. Its code is loaded on demand, so that the first image does not wait for it. */
export const SeriesMenuOnDemand = loadOnDemand(async () => (await import('./series-menu.tsx')).SeriesMenuWithPatients);
