import { usePreference } from '#core/preferences.ts';

/** How high the rows of the study list are; remembered in this browser. */
export const useDensity = () => usePreference('studies.density', ['standard', 'compact']);
