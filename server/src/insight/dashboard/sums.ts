import { type RawBuilder, sql } from 'kysely';
import { endOfDay, startOfDay } from '#core/values/days.ts';
import type { Scope } from '#core/access/scope.ts';
import { knowsAllStudies } from '#core/access/study-access.ts';
import { countedRows, type Kind, knownInPeriod } from './counted-rows.ts';
import type { Period, Step } from './period.ts';

export type Sum = { key: string; total: number };

export type SumOfColumn = Sum & { beginning: string };
export type SumOfBucket = Sum & { bucket: number };

/** Adds up rows (kind, day, key, bucket, n) by some of these columns. */
type Adding = (rows: RawBuilder<unknown>) => RawBuilder<unknown>;

const adding =
  (columns: RawBuilder<unknown>, by: RawBuilder<unknown>): Adding =>
  (rows) =>
    sql`select ${columns}, sum(n)::int as total from (${rows}) counted group by ${by} having sum(n) <> 0`;

const byKey = adding(sql`key`, sql`key`);
export const byColumn = (step: Step): Adding =>
  adding(sql`key, date_trunc(${step.toLowerCase()}, day::timestamp)::date::text as beginning`, sql`1, 2`);
export const byBucket = adding(sql`key, bucket`, sql`key, bucket`);

/** Returns the sums of a kind in the period, by key. */
export const sumsByKey = (scope: Scope, kind: Kind, period: Period) => sums<Sum>(scope, kind, period, byKey);

/** Returns the same sums by the first day "yyyy-MM-dd" of each column. */
export const sumsByColumn = (scope: Scope, kind: Kind, period: Period, step: Step) =>
  sums<SumOfColumn>(scope, kind, period, byColumn(step));

/** Returns the same sums by bucket. */
export const sumsByBucket = (scope: Scope, kind: Kind, period: Period) =>
  sums<SumOfBucket>(scope, kind, period, byBucket);

/** Returns the rows of a statement as one JSON value. */
export const asJson = (rows: RawBuilder<unknown>) => sql`(select coalesce(json_agg(one), '[]') from (${rows}) one)`;

/**
 * Reads the daily sums and the changes that were not added to them yet. The sums count all studies of the tenant, by
 * days of the time zone that the tenant had then. Reads the studies instead if the caller may know only of some, or if
 * the time zone has changed since.
 */
const sums = async <T>(scope: Scope, kind: Kind, period: Period, add: Adding): Promise<T[]> => {
  const { db, session } = scope;
  if (knowsAllStudies(session)) {
    // Uses one statement. Nothing is then counted twice when sums change at the same time, and the sums belong to the
    // returned time zone.
    const { rows } = await sql<{ timeZone: string | null; sums: T[] }>`
      select (select time_zone from dashboard_folds) as "timeZone",
             ${asJson(add(addedUp(kind, period)))} as sums`.execute(db);
    const [read] = rows;
    if (read?.timeZone === period.timeZone) return read.sums;
  }
  const { rows } = await sql<T>`${add(countedRows[kind](knownInPeriod(session, period)))}`.execute(db);
  return rows;
};

const addedUp = (kind: Kind, { from, to, timeZone }: Period): RawBuilder<unknown> => sql`
  select day, key, bucket, total as n from dashboard_days
  where kind = ${kind} and day >= ${from}::date and day <= ${to}::date
  union all
  select (at at time zone ${timeZone})::date, key, bucket, change from dashboard_changes
  where kind = ${kind} and at >= ${startOfDay(from, timeZone)} and at < ${endOfDay(to, timeZone)}`;
