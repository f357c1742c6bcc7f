import type { DashboardPart } from '@radwork/contract/insight/dashboard';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { knowsAllStudies } from '#core/access/study-access.ts';
import { countedRows, knownOnce, readInPeriod } from './counted-rows.ts';
import { type Period, stepOf } from './period.ts';
import { asJson, byBucket, byColumn, type SumOfBucket, type SumOfColumn } from './sums.ts';

/** The figures that are read together for a caller who may know of few studies. */
export type FiguresOfFewStudies = {
  studies: number;
  /** Number of signed reports. */
  reports: number;
  arrived: SumOfColumn[];
  turnaround: SumOfBucket[];
};

/** Number of studies above which reading them one by one takes longer than reading the whole period. */
export const maxFewStudies = 10_000;

const partsOfFew: readonly DashboardPart[] = ['tiles', 'volume', 'turnaround'];

/**
 * Reads all figures in one statement, for a caller who may know of few studies. Separate statements for each figure
 * took a second for 5,000 of a million studies. Undefined for other callers.
 */
export const readFiguresOfFewStudies = async (
  scope: Scope,
  period: Period,
  requestedParts: ReadonlySet<DashboardPart>,
): Promise<FiguresOfFewStudies | undefined> => {
  if (!partsOfFew.some((part) => requestedParts.has(part)) || !(await knowsFew(scope))) return undefined;
  const { db, session } = scope;
  const whose = readInPeriod(period);
  const nothing = sql`'[]'::json`;
  const { rows } = await sql<FiguresOfFewStudies>`${knownOnce(session)}
    select (select count(*) from known)::int as studies,
           ${requestedParts.has('tiles') ? sql`(select count(*) from signed)::int` : sql`0`} as reports,
           ${requestedParts.has('volume') ? asJson(byColumn(stepOf(period))(countedRows.ARRIVED(whose))) : nothing} as arrived,
           ${requestedParts.has('turnaround') ? asJson(byBucket(countedRows.TURNAROUND(whose))) : nothing} as turnaround`.execute(
    db,
  );
  return rows[0];
};

/** Whether the caller is a referring physician who takes part in few studies. */
const knowsFew = async ({ db, session }: Scope): Promise<boolean> => {
  if (knowsAllStudies(session)) return false;
  const { rows } = await sql<{ known: number }>`
    select count(*)::int as known from (
      select from study_participants where user_id = ${session.userId} limit ${maxFewStudies + 1}) parts`.execute(db);
  return (rows[0]?.known ?? 0) <= maxFewStudies;
};
