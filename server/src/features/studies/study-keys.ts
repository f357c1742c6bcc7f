import { modalitiesMatching } from '@radwork/contract/modalities';
import { pageSizes } from '@radwork/contract/paging';
import { type RawBuilder, sql } from 'kysely';
import { prepared } from '#core/database.ts';
import type { Scope } from '#core/scope.ts';
import { knowsAllStudies } from '#core/study-access.ts';
import {
  conditionsOnEach,
  conditionsOnModalities,
  conditionsOnStudies,
  isAboutArrival,
  isFiltered,
  isToldByModalities,
  type StudyFilter,
} from './study-filter.ts';
import {
  type Few,
  fewOf,
  orderOf,
  orderOfEquals,
  type Ranks,
  ranksOf,
  type StudySort,
  valueOf,
} from './study-order.ts';

/** Part of a list: `limit` studies after the first `offset`. */
export type Slice = { offset: number; limit: number };

/** How many studies there are: `total`, or more than that. */
export type StudyCount = { total: number; isMore: boolean };

/** The ids of one slice of a list, in order, and how many studies the list has, of which `most` are counted. */
export const findStudies = async (
  scope: Scope,
  filter: StudyFilter,
  sort: StudySort,
  slice: Slice,
  most: number,
): Promise<StudyCount & { ids: string[] }> => {
  if (filter.words?.length) return findText(scope, filter, sort, slice, most);
  const count = await countStudies(scope, filter, most);
  return { ...count, ids: await studyIds(scope, filter, sort, slice, count) };
};

const usualSizes: ReadonlySet<number> = new Set(pageSizes);

/**
 * The ids of a list that most people look at all the time, the beginning of all that there is by date, as a query that is
 * planned once; undefined for any other list.
 */
export const usualKeys = (
  scope: Scope,
  filter: StudyFilter,
  sort: StudySort,
  slice: Slice,
): RawBuilder<unknown> | undefined => {
  const isBeginning = slice.offset === 0 && usualSizes.has(slice.limit) && sort.field === 'studyDate';
  if (!isBeginning || isFiltered(filter) || !knowsAllStudies(scope.session)) return undefined;
  return keysInOrder(scope, { filter: {}, sort, isReversed: false, ...slice });
};

/** Of a tenant with so few studies it is quicker to look at all of them than to ask the index of the words of all tenants. */
const mostOfSmallTenant = 3000;

/** To look for a text costs more than to count and to sort what is found: that is done at once. */
const findText = async (scope: Scope, filter: StudyFilter, sort: StudySort, slice: Slice, most: number) => {
  const isOfAll = knowsAllStudies(scope.session);
  // Whom few studies concern has those looked through, for which it does not matter how many others there are.
  const { isMore: isLarge } = isOfAll ? await countStudies(scope, {}, mostOfSmallTenant) : { isMore: false };
  const table = isLarge ? 'study_search' : 'studies';
  const counted = isLarge ? most : Math.max(most, mostOfSmallTenant);
  const { rows } = await sql<{ found: number; ids: string[] }>`
    with s as materialized (
      select s.id, s.study_date, ${valueOf(sort)} as value
      from ${sql.raw(table)} s where ${conditionsOnEach(scope, filter)} limit ${counted + 1})
    select count(*) as found, array(
      select s.id from s order by ${orderOf(sort, false, sql`s.value`)} limit ${slice.limit} offset ${slice.offset}) as ids
    from s`.execute(scope.db);
  const { found, ids } = rows[0] ?? { found: 0, ids: [] };
  const count = { total: Math.min(found, counted), isMore: found > counted };
  return { ...count, ids: count.isMore ? await studyIds(scope, filter, sort, slice, count) : ids };
};

/** Counts studies, up to `most`. */
export const countStudies = async (scope: Scope, filter: StudyFilter, most: number): Promise<StudyCount> => {
  const enough = sql`limit ${most + 1}`;
  const source = isOfModality(filter) ? ofModality(scope, filter, enough) : studiesOf(scope, filter);
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select from ${source} ${enough}) counted
    ${!isFiltered(filter) && knowsAllStudies(scope.session) ? prepared : sql``}`.execute(scope.db);
  const total = rows[0]?.total ?? 0;
  return { total: Math.min(total, most), isMore: total > most };
};

/**
 * The ids of one slice of a list, in order, of which there are so many. Of a long list only keys are read up to the
 * slice, in the order of an index; and from the nearer end, so that the last page costs what the first does.
 */
export const studyIds = async (
  scope: Scope,
  filter: StudyFilter,
  sort: StudySort,
  { offset, limit }: Slice,
  { total, isMore }: StudyCount,
): Promise<string[]> => {
  const size = isMore ? limit : Math.min(limit, total - offset);
  if (size <= 0) return [];
  const isReversed = !isMore && offset > total / 2;
  const ask = { filter, sort, isReversed, offset: isReversed ? total - offset - size : offset, limit: size };
  const { rows } = await keysFor(scope, ask, isMore ? Number.POSITIVE_INFINITY : total);
  const ids = rows.map(({ id }) => id);
  return isReversed ? ids.toReversed() : ids;
};

type Ask = Slice & { filter: StudyFilter; sort: StudySort; isReversed: boolean };
type Key = { id: string };

const keysFor = (scope: Scope, ask: Ask, total: number) => {
  const { filter, sort, offset, limit } = ask;
  // Whom only some studies concern has few of them, among all those that an index would go through.
  if (!knowsAllStudies(scope.session)) return sortedKeys(scope, ask).execute(scope.db);
  // Every filter but text has an index in the order of dates.
  if (sort.field === 'studyDate' && !filter.words?.length && !isAboutArrival(filter))
    return keysInOrder(scope, ask).execute(scope.db);
  // To walk through a million studies until so many of the list are found takes as long as to find them all.
  const few = 1000 * Math.sqrt(offset + limit);
  if (isFiltered(filter) && total < few) return sortedKeys(scope, ask).execute(scope.db);
  return liesTogether(ask) ? walkSome(scope, ask) : walk(scope, keysInOrder(scope, ask));
};

/** By their names, all who are called alike stand together, and nobody knows how far from the beginning. */
const liesTogether = ({ filter, sort }: Ask): boolean =>
  Boolean(filter.words?.length) && (sort.field === 'patientName' || sort.field === 'description');

/** To read more than this takes longer than to find and sort a few thousand. */
const mostWalked = 20_000;

const walkSome = async (scope: Scope, ask: Ask) => {
  const { filter, sort, isReversed, offset, limit } = ask;
  const order = orderOf(sort, isReversed, sql`s.value`);
  const near = await walk(
    scope,
    sql<Key>`
      select s.id from (
        select s.*, ${valueOf(sort)} as value from study_search s where s.deleted_at is null
        order by ${orderOf(sort, isReversed)} limit ${mostWalked}) s
      where ${conditionsOnEach(scope, filter)} order by ${order} limit ${limit} offset ${offset}`,
  );
  return near.rows.length === limit ? near : sortedKeys(scope, ask).execute(scope.db);
};

/**
 * Has the database walk through an index. It would often rather find all and sort them, since it thinks that a text is
 * rarer than it is.
 */
const walk = async (scope: Scope, keys: RawBuilder<Key>) => {
  const sorting = (isOn: 'on' | 'off') => sql`select set_config('enable_sort', ${isOn}, true)`.execute(scope.db);
  const [, found] = await Promise.all([sorting('off'), keys.execute(scope.db), sorting('on')]);
  return found;
};

/** Finds all of them, by whatever index finds them best, and sorts them: the offset keeps the two apart. */
const sortedKeys = (scope: Scope, { filter, sort, isReversed, offset, limit }: Ask): RawBuilder<Key> => sql`
  select s.id from (${valuesOf(scope, filter, sort)} offset 0) s
  order by ${orderOf(sort, isReversed, sql`s.value`)} limit ${limit} offset ${offset}`;

const valuesOf = (scope: Scope, filter: StudyFilter, sort: StudySort): RawBuilder<unknown> =>
  sql`select s.id, s.study_date, ${valueOf(sort)} as value from ${studiesOf(scope, filter)}`;

/** Takes the slice out of an index that has the order. */
const keysInOrder = (scope: Scope, ask: Ask): RawBuilder<Key> => {
  const { sort, isReversed, offset, limit } = ask;
  const ranks = ranksOf(sort);
  if (ranks) return rankedKeys(scope, ask, ranks);
  const few = fewOf(sort);
  if (few) return fewBeforeMany(scope, ask, few);
  const { source, by } = inOrder(scope, ask);
  return sql`select s.id from ${source} order by ${orderOf(sort, isReversed, by)} ${part({ offset, limit })}`;
};

/** Of the beginning of a list it is written out how much, so that a statement which is prepared may be planned for it. */
const part = ({ offset, limit }: Slice): RawBuilder<unknown> =>
  offset === 0 ? sql`limit ${sql.lit(limit)}` : sql`limit ${limit} offset ${offset}`;

/** No index has the ranks in their order, but one has the studies of each rank: a slice is in the first of all these. */
const rankedKeys = (
  scope: Scope,
  { filter, sort, isReversed, offset, limit }: Ask,
  { column, values }: Ranks,
): RawBuilder<Key> => {
  const ofRank = (value: string, rank: number) => sql`(
    select ${sql.lit(rank)} as rank, s.study_date, s.id
    from ${eachStudyOf(scope, filter)} and ${sql.ref(column)} = ${sql.lit(value)}
    order by ${orderOfEquals(sort, isReversed)} limit ${offset + limit})`;
  return sql`
    select s.id from (${sql.join(values.map(ofRank), sql` union all `)}) s
    order by ${orderOf(sort, isReversed, sql`s.rank`)} limit ${limit} offset ${offset}`;
};

/** Those who have what is sorted by are sorted, and the others read as an index has them: a slice is in the first of both. */
const fewBeforeMany = (
  scope: Scope,
  { filter, sort, isReversed, offset, limit }: Ask,
  { ids, isMissing, nothing }: Few,
): RawBuilder<Key> => {
  const first = sql`
    select s.id, s.study_date, ${valueOf(sort)} as value from ${eachStudyOf(scope, filter)} and s.id in ${ids}
    order by ${orderOf(sort, isReversed)} limit ${offset + limit}`;
  const others = sql`
    select s.id, s.study_date, ${nothing} as value from ${eachStudyOf(scope, filter)} and ${isMissing}
    order by ${orderOfEquals(sort, isReversed)} limit ${offset + limit}`;
  return sql`
    select s.id from ((${first}) union all (${others})) s
    order by ${orderOf(sort, isReversed, sql`s.value`)} limit ${limit} offset ${offset}`;
};

type Ordered = { source: RawBuilder<unknown>; by?: RawBuilder<unknown> };

/** Studies, where an index has the order that is asked for. */
const inOrder = (scope: Scope, { filter, sort, isReversed, offset, limit }: Ask): Ordered => {
  const first = sql`order by ${orderOf(sort, isReversed)} limit ${offset + limit}`;
  switch (sort.field) {
    case 'studyDate':
      return { source: isOfModality(filter) ? ofModality(scope, filter, first) : eachStudyOf(scope, filter) };
    case 'modality':
    case 'seriesCount':
      return { source: byMainModality(scope, filter) };
    case 'patientId':
      // One patient after the other, and the studies of each.
      return {
        source: sql`patients p, ${eachStudyOf(scope, filter)} and s.patient_id = p.id`,
        by: sql`p.patient_id`,
      };
    default:
      return { source: eachStudyOf(scope, filter) };
  }
};

/**
 * A list of a modality by date needs nothing that the modalities' own table lacks: 8 ms against 260 ms in the middle
 * of 270,000.
 */
const isOfModality = (filter: StudyFilter): boolean => filter.modality !== undefined && isToldByModalities(filter);

/** Those of several modalities are taken together (C50); of each no more are read than could be asked for of all. */
const ofModality = (scope: Scope, filter: StudyFilter, ofEach: RawBuilder<unknown>): RawBuilder<unknown> => {
  const rowsOf = (modality: string) => sql`(
    select s.* from (select study_id as id, study_date, status from study_modalities where modality = ${modality}) s
    where ${conditionsOnModalities(scope, filter)} ${ofEach})`;
  // A study that has several of them is one.
  return sql`(${sql.join(modalitiesMatching(filter.modality ?? '').map(rowsOf), sql` union `)}) s`;
};

const byMainModality = (scope: Scope, filter: StudyFilter): RawBuilder<unknown> => {
  const rows = sql`
    (select study_id as id, study_date, status, modality, series_count from study_modalities where is_main) s`;
  return isToldByModalities(filter) && !filter.modality
    ? sql`${rows} where ${conditionsOnModalities(scope, filter)}`
    : sql`${rows} where s.id in (select s.id from ${eachStudyOf(scope, filter)})`;
};

const studiesOf = (scope: Scope, filter: StudyFilter): RawBuilder<unknown> =>
  sql`${tableOf(filter)} s where ${conditionsOnStudies(scope, filter)}`;

const eachStudyOf = (scope: Scope, filter: StudyFilter): RawBuilder<unknown> =>
  sql`${tableOf(filter)} s where ${conditionsOnEach(scope, filter)}`;

/** Text is searched through its view (migrations/0003_archive.sql). */
const tableOf = ({ words }: StudyFilter) => sql.raw(words?.length ? 'study_search' : 'studies');
