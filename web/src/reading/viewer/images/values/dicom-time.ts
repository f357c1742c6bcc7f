/**
 * Converts a time "HHMMSS.FFFFFF" to seconds since midnight; only the hour is required (PS3.5 §6.2, TM). Devices also
 * write colons and fractions of any length. Characters after the time are not read.
 */
export const secondsOfDay = (time: string): number | undefined => {
  const [match, hours, minutes = '0', seconds = '0'] = /^(\d\d)(?::?(\d\d)(?::?(\d\d(?:\.\d+)?))?)?/.exec(time) ?? [];
  if (match === undefined) return undefined;
  const [h, m, s] = [Number(hours), Number(minutes), Number(seconds)];
  return h < 24 && m < 60 && s <= 60 ? h * 3600 + m * 60 + s : undefined;
};

/** Returns the seconds since 1970, in local time, of a date "YYYYMMDD" and a time (PS3.5 §6.2, DA and TM). */
export const momentOf = (date: string, time: string): number | undefined => {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(date) ?? [];
  const seconds = secondsOfDay(time);
  if (day === undefined || seconds === undefined) return undefined;
  const midnight = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // Rejects an impossible date such as February 31.
  return midnight.getUTCDate() === Number(day) ? midnight.getTime() / 1000 + seconds : undefined;
};

/**
 * Returns the offset from UTC in seconds, as in "+0130", from the end of a date-time or from a header (PS3.5 §6.2, DT).
 */
export const utcOffsetOf = (text: string): number | undefined => {
  const [, sign, hours, minutes] = /([+-])(\d\d)(\d\d)$/.exec(text) ?? [];
  if (sign === undefined) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
};
