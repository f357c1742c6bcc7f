import { usePreference } from '#core/state/preferences.ts';
import { readSession } from '#core/state/session.ts';

export const densities = ['standard', 'compact'] as const;

/** Name under which this browser stores the row height of the study list, for each user. */
export const densityPreference = (): string => `studies.density.${readSession()?.user.id ?? ''}`;

/** Row height of the study list. */
export const useDensity = () => usePreference(densityPreference(), densities);
