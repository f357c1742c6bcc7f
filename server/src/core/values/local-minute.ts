/** Formats a moment as "2026-11-21 14:05" in the time zone of the tenant. */
export const localMinute = (moment: string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(new Date(moment));
