/** A range of days from a QIDO-RS query (PS3.18 §8.3.4.1, PS3.4 §C.2.2.2.5). Both ends are included. */
export type DateRange = { from?: string; to?: string };

/**
 * Day of a DA value, and the time after it if a device wrote a DT value instead (PS3.5 §6.2): 20261120101500.000+0100, also
 * with separators as in ISO 8601.
 */
const dayAndTime = /^(\d{4})([.-]?)(\d{2})\2(\d{2})(?:[T ]?(\d{2}:?\d{2}.*))?$/i;

/**
 * Converts a DA value to YYYY-MM-DD. Returns undefined if it is no day of the calendar. Accepts the form before 1993,
 * 1993.04.22, and the day of a DT value. A DT value with a time zone has no day, because its local day may be another,
 * unless its time is midnight, which devices add to a day. Year 0 is invalid, also in PostgreSQL.
 */
export const dateOf = (da: string | undefined): string | undefined => {
  const match = dayAndTime.exec(unpadded(da));
  if (!match) return undefined;
  const [, year, , month, day, time] = match;
  if (time !== undefined && (clockOf(time) === undefined || isOtherwhere(time))) return undefined;
  const date = `${year}-${month}-${day}`;
  return year !== '0000' && isInCalendar(Number(year), Number(month), Number(day)) ? date : undefined;
};

/** Time zone at the end of a DT value. */
const zone = /(?:Z|[+-]\d{2}:?\d{2})$/i;

/** Whether a time has a zone, and is not midnight: the local day may be the day before or after. */
const isOtherwhere = (time: string): boolean => zone.test(time) && !/^[0:.,]+$/.test(time.replace(zone, ''));

const unpadded = (value: string | undefined): string => value?.replaceAll('\0', ' ').trim() ?? '';

const isInCalendar = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);

const daysOf = (year: number, month: number): number => {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
};

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/**
 * Hour, minute and second of a TM value (PS3.5 §6.2), at the start of the text. Devices also write colons, fractions of
 * any length or without digits, fractions of a minute, and a time zone as in DT. Fraction and zone are not read.
 */
const clockTime = /^(\d{2})(?::?(\d{2})(?::?(\d{2}))?)?(?:[.,]\d*)?(?:Z|[+-]\d{2}:?\d{2})?$/i;

/** Returns whether a DA value is a DT value with a time zone. */
const hasZone = (value: string): boolean => zone.test(dayAndTime.exec(value)?.[5] ?? '');

/** Returns the time of a DT value without a time zone, if its day is valid. */
const timeAfterDay = (value: string): string | undefined => {
  const time = dateOf(value) && !hasZone(value) && dayAndTime.exec(value)?.[5];
  return time ? clockOf(time) : undefined;
};

/**
 * Converts a TM value to HH:mm:ss. Missing parts become zero. Returns undefined if it is no time. Accepts 10:45:30,
 * 104530.1234567, 104530. and 104530Z, and the time of a DT value without a time zone.
 */
export const timeOf = (tm: string | undefined): string | undefined => {
  const text = unpadded(tm);
  return clockOf(text) ?? timeAfterDay(text);
};

const clockOf = (text: string): string | undefined => {
  const match = clockTime.exec(text);
  if (!match) return undefined;
  const [, hour = '00', minute = '00', second = '00'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  return `${hour}:${minute}:${second === '60' ? '59' : second}`;
};

/**
 * Combines a DA and a TM value (PS3.5 §6.2) to YYYY-MM-DDTHH:mm:ss, in the local time of the modality. DICOM rarely names
 * the time zone. Reads the time of a DA value that is a DT value if TM has none. Returns the day alone, YYYY-MM-DD, when
 * the time is missing or invalid, because midnight would be a false time, and when the DA value has a time zone, because
 * the TM value has none. Returns undefined without a valid date.
 */
export const dateTimeOf = (da: string | undefined, tm: string | undefined): string | undefined => {
  const date = dateOf(da);
  if (hasZone(unpadded(da))) return date;
  const time = timeOf(tm) ?? timeAfterDay(unpadded(da));
  return date && time ? `${date}T${time}` : date;
};

/** True when a result of `dateTimeOf` has a time, not only a day. */
export const hasTime = (dateTime: string): boolean => dateTime.includes('T');

/** Returns a day, but not the day of a DT value. */
const dayOf = (da: string | undefined): string | undefined => (unpadded(da).length > 10 ? undefined : dateOf(da));

/** Reads the range of a query value: "20200101-20201231", "20200101-", "-20201231", or one day. */
export const matchRange = (value: string): DateRange | undefined => {
  const day = dayOf(value);
  if (day) return { from: day, to: day };
  const match = /^([\d.]*)-([\d.]*)$/.exec(value.trim());
  const [, first, last] = match ?? [];
  const from = dayOf(first);
  const to = dayOf(last);
  const isValid = (from ?? to) && Boolean(first) === Boolean(from) && Boolean(last) === Boolean(to);
  return isValid ? { ...(from && { from }), ...(to && { to }) } : undefined;
};
