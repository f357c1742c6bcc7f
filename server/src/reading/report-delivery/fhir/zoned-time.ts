import { hasTime } from '@radwork/dicom/dicom-date';

/**
 * Adds the UTC offset to a study time, "2026-11-20T09:30:00", because FHIR requires it. A day
 * without a time stays as it is (FHIR R4 §2.24.0.1, dateTime). Uses the scanner's offset
 * ("+0100"), or else that of the tenant's time zone at that time. Undefined for an unknown time.
 */
export const zonedTime = (time: string | null, offset: string, timeZone: string): string | undefined => {
  if (time === null || !hasTime(time)) return time ?? undefined;
  const [, hours, minutes] = /^([+-]\d\d)(\d\d)$/.exec(offset) ?? [];
  return `${time.slice(0, 19)}${hours && minutes ? `${hours}:${minutes}` : offsetOf(time, timeZone)}`;
};

/**
 * Returns the UTC offset of a local time. The offset depends on the moment, and the moment on the offset. So the
 * calculation is repeated, which matters when clocks change.
 */
const offsetOf = (time: string, timeZone: string): string => {
  const asIfUtc = new Date(`${time.slice(0, 19)}Z`).getTime();
  const guessed = offsetAt(asIfUtc, timeZone);
  const better = offsetAt(asIfUtc - millisecondsOf(guessed), timeZone);
  return offsetAt(asIfUtc - millisecondsOf(better), timeZone);
};

const offsetAt = (moment: number, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(moment);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, offset] = /^GMT([+-]\d\d:\d\d)/.exec(name) ?? [];
  return offset ?? 'Z';
};

const millisecondsOf = (offset: string): number => {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
};
