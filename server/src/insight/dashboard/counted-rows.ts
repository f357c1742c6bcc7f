import { type RawBuilder, sql } from 'kysely';
import { endOfDay, startOfDay } from '#core/values/days.ts';
import type { Session } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import { isFirstSigned } from '#reading/reports/report-list.ts';
import type { Period } from './period.ts';

/** The figures that are counted by day (migrations/0044_dashboard.sql). */
export type Kind = 'ARRIVED' | 'SIGNED' | 'TURNAROUND';
export const kinds: readonly Kind[] = ['ARRIVED', 'SIGNED', 'TURNAROUND'];

type CountScope = {
  timeZone: string;
  /** SQL condition: whether the study `s` is counted. */
  studies: RawBuilder<unknown>;
  /** SQL condition: whether this moment of a study is in the period. */
  moments: (moment: RawBuilder<unknown>) => RawBuilder<unknown>;
  /**
   * SQL condition: whether the report `r` is the first signed report of its study. Each source has its own form, for
   * the fastest plan.
   */
  isFirst: RawBuilder<unknown>;
  /** The tables from which the rows are read. */
  from: { studies: RawBuilder<unknown>; reports: RawBuilder<unknown> };
};

const tables = { studies: sql`studies`, reports: sql`reports` };

const within =
  ({ from, to, timeZone }: Period) =>
  (moment: RawBuilder<unknown>) =>
    sql`${moment} >= ${startOfDay(from, timeZone)} and ${moment} < ${endOfDay(to, timeZone)}`;

/** Counts studies `s` of which the caller may know, in a period. */
export const knownInPeriod = (session: Session, period: Period): CountScope => ({
  timeZone: period.timeZone,
  studies: mayKnowStudy(session, 's.id'),
  moments: within(period),
  isFirst: isFirstSigned,
  from: tables,
});

/**
 * Counts the same studies, but reads them from the result of `knownOnce`. This is enough for arrivals and turnaround.
 */
export const readInPeriod = (period: Period): CountScope => ({
  timeZone: period.timeZone,
  studies: sql`true`,
  moments: within(period),
  isFirst: sql`r.is_first`,
  from: { studies: sql`known`, reports: sql`signed` },
});

/**
 * Begins a statement that reads the few studies of which the caller may know ("known") and their signed reports
 * ("signed"). Each study is read once by its key, and reports are read only from their index (reports_first_signed).
 */
export const knownOnce = (session: Session): RawBuilder<unknown> => sql`
  with known as materialized (
    select s.id, s.created_at, s.deleted_at, s.modality, s.priority from studies s
    where s.deleted_at is null and ${mayKnowStudy(session, 's.id')}),
  signed as materialized (
    select r.* from known s cross join lateral (
      select r.study_id, r.finalized_at, row_number() over (order by r.finalized_at, r.id) = 1 as is_first
      from reports r where r.study_id = s.id and r.status = 'FINALIZED') r)`;

/** Counts all studies of the tenant, of all times. */
export const everything = (timeZone: string): CountScope => ({
  timeZone,
  studies: sql`true`,
  moments: () => sql`true`,
  isFirst: sql`r.status = 'FINALIZED' and not exists (
    select from reports earlier where earlier.study_id = r.study_id and earlier.status = 'FINALIZED'
      and (earlier.finalized_at, earlier.id) < (r.finalized_at, r.id))`,
  from: tables,
});

/**
 * Selects the rows (kind, day, key, bucket, n) that count for a kind, from studies and reports. The stored sums must
 * equal the sums of these rows.
 */
export const countedRows: Record<Kind, (whose: CountScope) => RawBuilder<unknown>> = {
  ARRIVED: ({ timeZone, studies, moments, from }) => sql`
    select 'ARRIVED' as kind, (s.created_at at time zone ${timeZone})::date as day, s.modality as key, 0 as bucket, 1 as n
    from ${from.studies} s where s.deleted_at is null and ${studies} and ${moments(sql`s.created_at`)}`,
  SIGNED: ({ timeZone, studies, moments, from }) => sql`
    select 'SIGNED' as kind, (r.finalized_at at time zone ${timeZone})::date as day,
           coalesce(r.finalized_by::text, '') as key, 0 as bucket, 1 as n
    from ${from.reports} r join ${from.studies} s on s.id = r.study_id
    where r.status = 'FINALIZED' and s.deleted_at is null and ${studies} and ${moments(sql`r.finalized_at`)}`,
  TURNAROUND: ({ timeZone, studies, moments, isFirst, from }) => sql`
    select 'TURNAROUND' as kind, (r.finalized_at at time zone ${timeZone})::date as day,
           s.priority as key, turnaround_bucket(r.finalized_at - s.created_at) as bucket, 1 as n
    from ${from.reports} r join ${from.studies} s on s.id = r.study_id
    where ${isFirst} and s.deleted_at is null and ${studies} and ${moments(sql`r.finalized_at`)}`,
};
