import { readPreference, usePreference } from '#core/state/preferences.ts';

/** Number of monitors of this workstation as the user has set it. `auto`: as the browser reports it. */
export const monitorChoices = ['auto', '1', '2', '3'] as const;

const preference = ['viewer-monitors', monitorChoices] as const;

/**
 * Returns 2 if the browser reports a second monitor, else 1. The property (Window Management API) needs no permission;
 * the exact number would. Browsers without the property report one.
 */
export const reportedMonitors = (): number => {
  const { screen } = window;
  return 'isExtended' in screen && screen.isExtended === true ? 2 : 1;
};

/** Number of monitors of this workstation. 3 stands for three and more. */
export const monitorCount = (): number => {
  const chosen = readPreference(...preference);
  return chosen === 'auto' ? reportedMonitors() : Number(chosen);
};

export const useMonitorChoice = () => usePreference(...preference);
