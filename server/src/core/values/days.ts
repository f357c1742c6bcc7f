import { type RawBuilder, sql } from 'kysely';

/** Returns the start of a day "yyyy-MM-dd" in the time zone of the tenant. */
export const startOfDay = (day: string, timeZone: string): RawBuilder<string> =>
  sql`(${day}::date::timestamp at time zone ${timeZone})`;

/** Returns the end of a day: the start of the next day. */
export const endOfDay = (day: string, timeZone: string): RawBuilder<string> =>
  sql`((${day}::date + 1)::timestamp at time zone ${timeZone})`;

/** Returns the current day in the time zone of the tenant. */
export const today = (timeZone: string, now = new Date()): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(now);

/** Returns the day a number of days later. A negative number gives an earlier day. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
