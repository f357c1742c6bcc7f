import { type RawBuilder, sql } from 'kysely';
import { endOfDay, startOfDay } from '#core/days.ts';
import type { Session } from '#core/scope.ts';
import { mayKnowStudy } from '#core/study-access.ts';
import { isFirstSigned } from '#features/reports/report-list.ts';
import type { Period } from './period.ts';

/** What is counted by day (migrations/0044_dashboard.sql). */
export type Kind = 'ARRIVED' | 'SIGNED' | 'TURNAROUND';
export const kinds: readonly Kind[] = ['ARRIVED', 'SIGNED', 'TURNAROUND'];

type Whose = {
  timeZone: string;
  /** What a study `s` fulfils that counts. */
  studies: RawBuilder<unknown>;
  /** What the moment fulfils by which it counts. */
  moments: (moment: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** Whether a report `r` is the first of its study that was signed, as it is told quickest of so many. */
  isFirst: RawBuilder<unknown>;
  /** What is read. */
  from: { studies: RawBuilder<unknown>; reports: RawBuilder<unknown> };
};

const tables = { studies: sql`studies`, reports: sql`reports` };

const within =
  ({ from, to, timeZone }: Period) =>
  (moment: RawBuilder<unknown>) =>
    sql`${moment} >= ${startOfDay(from, timeZone)} and ${moment} < ${endOfDay(to, timeZone)}`;

/** A study `s` that the caller may know of, in a period. */
export const knownInPeriod = (session: Session, period: Period): Whose => ({
  timeZone: period.timeZone,
  studies: mayKnowStudy(session, 's.id'),
  moments: within(period),
  isFirst: isFirstSigned,
  from: tables,
});

/** The same, out of what `knownOnce` has read, which is enough for arrivals and turn-around. */
export const readInPeriod = (period: Period): Whose => ({
  timeZone: period.timeZone,
  studies: sql`true`,
  moments: within(period),
  isFirst: sql`r.is_first`,
  from: { studies: sql`known`, reports: sql`signed` },
});

/**
 * The few studies that the caller may know of, "known", and their signed reports, "signed", as the beginning of a
 * statement. Each is looked up by its key, once, and of reports no more than their index says (reports_first_signed).
 */
export const knownOnce = (session: Session): RawBuilder<unknown> => sql`
  with known as materialized (
    select s.id, s.created_at, s.deleted_at, s.modality, s.priority from studies s
    where s.deleted_at is null and ${mayKnowStudy(session, 's.id')}),
  signed as materialized (
    select r.* from known s cross join lateral (
      select r.study_id, r.finalized_at, row_number() over (order by r.finalized_at, r.id) = 1 as is_first
      from reports r where r.study_id = s.id and r.status = 'FINALIZED') r)`;

/** Every study there ever was. */
export const everything = (timeZone: string): Whose => ({
  timeZone,
  studies: sql`true`,
  moments: () => sql`true`,
  isFirst: sql`r.status = 'FINALIZED' and not exists (
    select from reports earlier where earlier.study_id = r.study_id and earlier.status = 'FINALIZED'
      and (earlier.finalized_at, earlier.id) < (r.finalized_at, r.id))`,
  from: tables,
});

/** The rows (kind, day, key, bucket, n) that a kind has when studies and reports are read: what the sums must agree with. */
export const countedRows: Record<Kind, (whose: Whose) => RawBuilder<unknown>> = {
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
