import { type RawBuilder, sql } from 'kysely';

/** When a day "yyyy-MM-dd" begins where the tenant is. */
export const startOfDay = (day: string, timeZone: string): RawBuilder<string> =>
  sql`(${day}::date::timestamp at time zone ${timeZone})`;

/** When it has ended, which is when the next one begins. */
export const endOfDay = (day: string, timeZone: string): RawBuilder<string> =>
  sql`((${day}::date + 1)::timestamp at time zone ${timeZone})`;

/** The day that it is now where the tenant is. */
export const today = (timeZone: string, now = new Date()): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(now);

/** The day so many days later, or earlier. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
