import { t } from '@radwork/contract/core/translate';
import { matchRange } from '@radwork/dicom/dicom-date';
import { type RawBuilder, sql } from 'kysely';
import { malformed } from '#core/http/problem.ts';

/**
 * A range of times of day as HH:mm:ss. Both ends belong to it. `isRange`: whether the value in the query was a range,
 * not a single time.
 */
type TimeRange = { from: string; to: string; isRange: boolean };

const earliest = '00:00:00';
const latest = '23:59:59';

/**
 * Returns the range of a TM query value: "101500-113000", "1015-", "-12", or a single time (PS3.4 §C.2.2.2.5). A
 * missing part matches everything: "10" is the whole hour. Fractions of a second are ignored. Undefined for an invalid
 * time.
 */
export const matchTimes = (value: string): TimeRange | undefined => {
  const [first = '', last, ...more] = value.split('-').map((end) => end.trim());
  if (more.length > 0 || (first === '' && !last)) return undefined;
  const from = first === '' ? earliest : timeOf(first, earliest);
  const to = last === undefined ? timeOf(first, latest) : last === '' ? latest : timeOf(last, latest);
  return from && to ? { from, to, isRange: last !== undefined } : undefined;
};

/** Returns a TM value as HH:mm:ss. Missing parts come from `defaultTime`. */
const timeOf = (tm: string, defaultTime: string): string | undefined => {
  const match = /^([01]\d|2[0-3])(?::?([0-5]\d)(?::?([0-5]\d|60)(?:\.\d*)?)?)?$/.exec(tm);
  if (!match) return undefined;
  const [restOfHour, restOfMinute] = defaultTime.split(':').slice(1);
  const [, hour, minute = restOfHour, second = restOfMinute] = match;
  return `${hour}:${minute}:${second === '60' ? '59' : second}`;
};

/**
 * Requested values of a date and its time. Empty for every value. `isKnown`: the column that says whether the time is
 * known, if it may be unknown.
 */
type MomentRange = {
  column: string;
  isKnown?: string;
  date: { name: string; value: string };
  time: { name: string; value: string };
};

/**
 * Returns the conditions for a date and its time, which share one column. Two ranges become one range from the first
 * moment to the last (PS3.18 §8.3.4.1.1, PS3.4 §C.2.2.2.5.4). Throws 400 for an invalid value.
 */
export const momentConditions = ({ column, isKnown, date, time }: MomentRange): RawBuilder<boolean>[] => {
  const days = date.value === '' ? undefined : matchRange(date.value);
  const times = time.value === '' ? undefined : matchTimes(time.value);
  if (date.value !== '' && !days) {
    throw malformed(t`${date.name} is not a date such as 20261121, or a range such as 20261101-20261121`);
  }
  if (time.value !== '' && !times) {
    throw malformed(t`${time.name} is not a time such as 101500, or a range such as 101500-113000`);
  }
  const isOneRange = days && times?.isRange;
  return [
    ...(days ? daysBetween(column, days, isOneRange ? times : wholeDay) : []),
    ...(times && !isOneRange ? timesBetween(column, times) : []),
    // An unknown time matches no time (PS3.4 §C.2.2.2.5), although the column holds the start of the day.
    ...(times && isKnown !== undefined ? [sql<boolean>`${sql.ref(isKnown)}`] : []),
  ];
};

const wholeDay = { from: earliest, to: latest };
/** The earliest real day. A missing date is stored as the day before it. */
const firstDay = '0001-01-02';

/**
 * Returns the first moment of a DA value and the moment after its last. An empty value covers all days and also missing
 * dates.
 */
export const momentsOfDays = (value = ''): { from: string; before: string } => {
  const days = matchRange(value);
  return {
    from: days ? (days.from ?? firstDay) : '-infinity',
    before: days?.to ? `${days.to} 24:00:00` : 'infinity',
  };
};

const daysBetween = (column: string, days: { from?: string; to?: string }, times: { from: string; to: string }) => [
  sql<boolean>`${sql.ref(column)} >= ${`${days.from ?? firstDay} ${days.from ? times.from : earliest}`}::timestamp`,
  ...(days.to ? [sql<boolean>`${sql.ref(column)} < ${`${days.to} ${times.to}`}::timestamp + interval '1 second'`] : []),
];

const timesBetween = (column: string, { from, to }: TimeRange) => [
  sql<boolean>`${sql.ref(column)} >= ${firstDay}::timestamp`,
  sql<boolean>`${sql.ref(column)}::time between ${from}::time and ${to}::time + interval '0.999999 seconds'`,
];
