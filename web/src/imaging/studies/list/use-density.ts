import { usePreference } from '#core/state/preferences.ts';

/** Row height of the study list; stored in this browser. */
export const useDensity = () => usePreference('studies.density', ['standard', 'compact']);
