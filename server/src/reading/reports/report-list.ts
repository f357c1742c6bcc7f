import type { Query } from '@radwork/contract/core/endpoint';
import { pageOf } from '@radwork/contract/core/paging';
import type { ReportCount, ReportPage, ReportRow, reports as endpoints } from '@radwork/contract/reading/reports';
import type { ReportView } from '@radwork/contract/reading/report-list';
import { type RawBuilder, sql } from 'kysely';
import { endOfDay, startOfDay } from '#core/values/days.ts';
import type { Scope } from '#core/access/scope.ts';
import { knowsAllStudies } from '#core/access/study-access.ts';
import { conditionsOnEach, isFiltered, type StudyFilter, textFilter } from '#imaging/studies/study-filter.ts';
import { findStudies } from '#imaging/studies/study-keys.ts';
import { daysOf } from '#imaging/studies/study-list.ts';
import { isAssignedTo, knownReports, listedReports, toReportRow } from '#reading/report-records/stored-report.ts';

type ReportQuery = Query<typeof endpoints.list>;
type Filter = Partial<Omit<ReportQuery, 'page' | 'size' | 'sort'>>;

const sortColumns = { createdAt: 'r.created_at', studyDate: 's.study_date', patientName: 's.patient_name' } as const;

/** Maximum number of reports counted for the pages of a list, and for the number on a tab. */
const mostCounted = 10_000;
const mostCountedInView = 1000;

/** Maximum number of studies, or of critical reports, that are looked up one by one. */
const few = 2000;

const latestFirst = { field: 'studyDate', direction: 'desc' } as const;

/** Number of pages after the current one that the total always includes, if they exist. */
const pagesAhead = 3;

/** Returns one page of the reports of which the caller may know. */
export const list = async (scope: Scope, { page, size, sort, ...filter }: ReportQuery): Promise<ReportPage> => {
  const slice = { offset: page * size, limit: size };
  const studies = await studiesOfFilter(scope, filter);
  const most = Math.max(filter.critical ? few : mostCounted, slice.offset + (1 + pagesAhead) * size);
  const count = await countReports(scope, sql`${ofReports(scope, filter)} and ${studies.counted}`, most);
  const condition = sql<boolean>`${ofReports(scope, filter, count.isMore)} and ${studies.condition}`;
  const ids = await reportIds(scope, condition, sort, slice);
  const rows = await rowsWith(scope, ids);
  const seenCount = slice.offset + rows.length;
  const goesOn = studies.areMore && rows.length === size;
  return {
    ...pageOf(rows, Math.max(count.total, goesOn ? seenCount + pagesAhead * size : seenCount), { page, size }),
    isTotalExact: !count.isMore && !studies.areMore,
    sort: `${sort.field},${sort.direction}`,
  };
};

/** Returns the ids of the first reports of a list, in its order. */
export const listedIds = async (
  scope: Scope,
  { sort, ...filter }: Omit<ReportQuery, 'page' | 'size'>,
  limit: number,
): Promise<string[]> => {
  const { condition } = await studiesOfFilter(scope, filter);
  const ofFilter = sql<boolean>`${ofReports(scope, filter, true)} and ${condition}`;
  return reportIds(scope, ofFilter, sort, { offset: 0, limit });
};

/**
 * Returns the newest reports of studies that match every word. Finds the same reports as the list, but does not count
 * them.
 */
export const newestWith = async (scope: Scope, query: string, limit: number): Promise<ReportRow[]> => {
  return newest(scope, await holdingWords(scope, await textFilter(scope, query)), limit);
};

/** Returns the newest reports of these studies. */
export const newestOf = (scope: Scope, studyIds: readonly string[], limit: number): Promise<ReportRow[]> =>
  newest(scope, isOfAny(studyIds), limit);

const newest = async (scope: Scope, condition: RawBuilder<boolean>, limit: number): Promise<ReportRow[]> => {
  const newestFirst = { field: 'createdAt', direction: 'desc' } as const;
  return rowsWith(scope, await reportIds(scope, condition, newestFirst, { offset: 0, limit }));
};

const isOfAny = (studyIds: readonly string[]) => sql<boolean>`r.study_id = any(${studyIds}::uuid[])`;

/**
 * Returns an SQL condition for the matching studies. If there are few, the condition contains their ids. If there are
 * many, it tests the study of one report after another, because this soon finds enough reports.
 */
const holdingWords = async (scope: Scope, filter: StudyFilter): Promise<RawBuilder<boolean>> => {
  const each = sql<boolean>`(${conditionsOnEach(scope, filter)})`;
  if (!knowsAllStudies(scope.session)) return each;
  const find = (limit: number) => findStudies(scope, filter, latestFirst, { offset: 0, limit }, few);
  const { isMore, total } = await find(0);
  if (isMore || total > few) return each;
  return isOfAny((await find(few)).ids);
};

/**
 * Returns the ids of one part of the list, in order. Only then are the rows of this part read. For a caller with access
 * to few studies, all reports are found first and then sorted. `offset(0)` separates these two steps. Reading reports
 * in order until a page was full took half a minute for a caller with 5,000 of a million studies.
 */
const reportIds = async (
  scope: Scope,
  condition: RawBuilder<boolean>,
  { field, direction }: ReportQuery['sort'],
  { offset, limit }: { offset: number; limit: number },
): Promise<string[]> => {
  const known = knownReports(scope)
    .where(condition)
    .select(['r.id', sql.ref(sortColumns[field]).as('value')]);
  const rows = await scope.db
    .selectFrom((knowsAllStudies(scope.session) ? known : known.offset(0)).as('known'))
    .select('id')
    .orderBy('value', direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ id }) => id);
};

const rowsWith = async (scope: Scope, ids: readonly string[]): Promise<ReportRow[]> => {
  if (ids.length === 0) return [];
  const rows = await listedReports(scope).where('r.id', 'in', ids).execute();
  return rows.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)).map(toReportRow);
};

/** Counts the reports of each tab for the caller. */
export const views = async (scope: Scope): Promise<Record<ReportView, ReportCount>> => {
  const countView = (view: ReportView) => countReports(scope, ofReports(scope, { view }), mostCountedInView);
  const [MINE, TO_REVIEW, REVISION_REQUIRED, FINALIZED, ALL] = await Promise.all([
    countView('MINE'),
    countView('TO_REVIEW'),
    countView('REVISION_REQUIRED'),
    countView('FINALIZED'),
    countView('ALL'),
  ]);
  return { MINE, TO_REVIEW, REVISION_REQUIRED, FINALIZED, ALL };
};

/** Counts the reports of a list without reading its pages. */
export const countListed = (scope: Scope, filter: Filter): Promise<ReportCount> =>
  countReports(scope, ofReports(scope, filter), mostCounted);

const countReports = async (scope: Scope, condition: RawBuilder<boolean>, most: number): Promise<ReportCount> => {
  const counted = knownReports(scope)
    .where(condition)
    .select('r.id')
    .limit(most + 1);
  const { total } = await scope.db
    .selectFrom(counted.as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { total: Math.min(total, most), isMore: total > most };
};

type Studies = {
  /** SQL condition on the study `s` of a report: whether it matches the filter. */
  condition: RawBuilder<boolean>;
  /** SQL condition on a report: whether its study is one of those whose reports are counted. */
  counted: RawBuilder<boolean>;
  areMore: boolean;
};

/**
 * Finds the studies that match a filter, with the indexes of the study list. If there are few, the condition contains
 * their ids. Without the ids, PostgreSQL could not estimate their number and read all reports for a rare name, which
 * took 5.6 s for a million. If there are many, reading the list in order soon fills a page. Then only the reports of
 * the latest studies are counted.
 */
const studiesOfFilter = async (
  scope: Scope,
  { query = '', modality, startDate, endDate }: Filter,
): Promise<Studies> => {
  const filter: StudyFilter = { ...(await textFilter(scope, query)), modality, ...daysOf(startDate, endDate) };
  if (!isFiltered(filter)) return { condition: sql`true`, counted: sql`true`, areMore: false };
  const matches = await findStudies(scope, filter, latestFirst, { offset: 0, limit: few }, few);
  const isFound = isOfAny(matches.ids);
  // In a small tenant, `total` counts all matching studies, which may be more than the ids found.
  const areMore = matches.isMore || matches.total > matches.ids.length;
  return {
    condition: areMore ? sql<boolean>`(${conditionsOnEach(scope, filter)})` : isFound,
    counted: isFound,
    areMore,
  };
};

/**
 * SQL condition on a report `r`. `areMany`: many reports are critical, so the condition tests one report after another.
 */
const ofReports = (scope: Scope, filter: Filter, areMany = false): RawBuilder<boolean> => {
  const { status, authorId, reviewerId, critical, priority, isFirst } = filter;
  const parts: RawBuilder<unknown>[] = [viewCondition(scope, filter.view ?? 'ALL')];
  if (status) parts.push(sql`r.status = ${status}`);
  if (authorId) parts.push(sql`r.author_id = ${authorId}`);
  if (reviewerId) parts.push(sql`r.reviewer_id = ${reviewerId}`);
  parts.push(...ofSigning(scope, filter));
  if (priority) parts.push(sql`s.priority = ${priority}`);
  if (isFirst !== undefined) parts.push(isFirst ? isFirstSigned : sql`not ${isFirstSigned}`);
  if (critical === false) parts.push(sql`not ${isCritical}`);
  if (critical) parts.push(areMany ? isCritical : isOfFewCritical);
  return sql<boolean>`(${sql.join(parts, sql` and `)})`;
};

const ofSigning = ({ session }: Scope, { signedFrom, signedTo, signedBy }: Filter): RawBuilder<unknown>[] => {
  if (!signedFrom && !signedTo && !signedBy) return [];
  const parts: RawBuilder<unknown>[] = [sql`r.status = 'FINALIZED'`];
  if (signedFrom) parts.push(sql`r.finalized_at >= ${startOfDay(signedFrom, session.timeZone)}`);
  if (signedTo) parts.push(sql`r.finalized_at < ${endOfDay(signedTo, session.timeZone)}`);
  if (signedBy) parts.push(sql`r.finalized_by = ${signedBy}`);
  return parts;
};

/**
 * SQL condition: the report `r` is the first signed report of its study. Looks up the study of each report separately.
 */
export const isFirstSigned = sql<boolean>`(r.status = 'FINALIZED' and r.id = (
  select first.id from reports first where first.study_id = r.study_id and first.status = 'FINALIZED'
  order by first.finalized_at, first.id limit 1))`;

const withFindings = sql`select report_id from critical_findings where state <> 'WITHDRAWN'`;

/** SQL condition: true for the same reports as `hasCriticalFindings`, but reads the reports with findings only once. */
const isCritical = sql`(r.has_critical_findings or r.id in (${withFindings}))`;

const isOfFewCritical = sql`r.id = any(array(
  select id from reports where has_critical_findings union all ${withFindings}))`;

const viewCondition = ({ session }: Scope, view: ReportView): RawBuilder<boolean> => {
  const { userId } = session;
  switch (view) {
    case 'MINE':
      return sql`r.author_id = ${userId}`;
    case 'TO_REVIEW':
      return sql`(r.reviewer_id = ${userId} and r.status = 'PENDING_REVIEW')`;
    case 'REVISION_REQUIRED':
      return sql`(r.status = 'REVISION_REQUIRED' and (r.author_id = ${userId} or ${isAssignedTo(session)}))`;
    case 'FINALIZED':
      return sql`r.status = 'FINALIZED'`;
    case 'ALL':
      return sql`true`;
  }
};
