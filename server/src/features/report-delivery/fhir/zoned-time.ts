/**
 * A time of a study, "2026-11-20T09:30:00", with its distance from UTC, as FHIR asks for it: as the scanner said it
 * ("+0100"), else as it was in the tenant's zone on that day. Undefined for an unknown time.
 */
export const zonedTime = (time: string | null, offset: string, timeZone: string): string | undefined => {
  if (time === null) return undefined;
  const [, hours, minutes] = /^([+-]\d\d)(\d\d)$/.exec(offset) ?? [];
  return `${time.slice(0, 19)}${hours && minutes ? `${hours}:${minutes}` : offsetOf(time, timeZone)}`;
};

const offsetOf = (time: string, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(
    new Date(`${time.slice(0, 19)}Z`),
  );
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, offset] = /^GMT([+-]\d\d:\d\d)/.exec(name) ?? [];
  return offset ?? 'Z';
};
