import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { isLimitedToGroups } from '#core/access/study-access.ts';
import { conditionsOnEach, isAboutArrival, isFiltered, type StudyFilter } from './study-filter.ts';
import {
  type SparseSort,
  sparseSortOf,
  orderOf,
  orderOfEquals,
  orderOfOpen,
  type Ranks,
  ranksOf,
  type StudySort,
  valueOf,
} from './study-order.ts';
import { byMainModality, eachStudyOf, isOfModality, ofModality, studiesOf } from './study-sources.ts';

/** Part of a list: `limit` studies from `offset` on. */
export type Slice = { offset: number; limit: number };

/** Below this number of matches, finding all of them takes less time than reading up to a million studies in order. */
export const fewFor = ({ offset, limit }: Slice): number => 1000 * Math.sqrt(offset + limit);

export type StudyQuery = Slice & { filter: StudyFilter; sort: StudySort; isReversed: boolean };
export type Key = { id: string };

/** Returns the ids of one part of a list of `total` studies, in order. */
export const keysFor = (scope: Scope, query: StudyQuery, total: number) => {
  const { filter, sort } = query;
  // Every filter except text and further conditions has an index by date.
  if (sort.field === 'studyDate' && !filter.words?.length && !filter.where?.length && !isAboutArrival(filter))
    return keysInOrder(scope, query).execute(scope.db);
  const isOfSome = isFiltered(filter) || isLimitedToGroups(scope.session);
  if (isOfSome && total < fewFor(query)) return sortedKeys(scope, query).execute(scope.db);
  return liesTogether(query) ? keysOfSome(scope, query) : unsortedKeys(scope, keysInOrder(scope, query));
};

/** Whether the matches are adjacent in the index. They may still be far from its start. */
const liesTogether = ({ filter, sort }: StudyQuery): boolean =>
  Boolean(filter.words?.length) && (sort.field === 'patientName' || sort.field === 'description');

/**
 * Maximum number of rows to read in order. Reading more takes longer than finding and sorting a few thousand matches.
 */
export const mostRead = 20_000;

const keysOfSome = async (scope: Scope, query: StudyQuery) => {
  const { filter, sort, isReversed, offset, limit } = query;
  const order = orderOf(sort, isReversed, sql`s.value`);
  const near = await unsortedKeys(
    scope,
    sql<Key>`
      select s.id from (
        select s.*, ${valueOf(sort)} as value from study_search s where s.deleted_at is null
        order by ${orderOf(sort, isReversed)} limit ${mostRead}) s
      where ${conditionsOnEach(scope, filter)} order by ${order} limit ${limit} offset ${offset}`,
  );
  return near.rows.length === limit ? near : sortedKeys(scope, query).execute(scope.db);
};

/**
 * Makes the database read an index in order. Otherwise the database would expect too few text matches, and would sort
 * all matches.
 */
export const unsortedKeys = async (scope: Scope, keys: RawBuilder<Key>) => {
  const sorting = (isOn: 'on' | 'off') => sql`select set_config('enable_sort', ${isOn}, true)`.execute(scope.db);
  const [, result] = await Promise.all([sorting('off'), keys.execute(scope.db), sorting('on')]);
  return result;
};

/**
 * Finds all matches by the best index and then sorts them. "offset 0" keeps the planner from combining the two steps.
 */
export const sortedKeys = (
  scope: Scope,
  { filter, sort, isReversed, offset, limit }: StudyQuery,
): RawBuilder<Key> => sql`
  select s.id from (${valuesOf(scope, filter, sort)} offset 0) s
  order by ${orderOf(sort, isReversed, sql`s.value`)} limit ${limit} offset ${offset}`;

const valuesOf = (scope: Scope, filter: StudyFilter, sort: StudySort): RawBuilder<unknown> =>
  sql`select s.id, s.study_date, ${valueOf(sort)} as value from ${studiesOf(scope, filter)}`;

/** Reads the part from an index in the right order. */
export const keysInOrder = (scope: Scope, query: StudyQuery): RawBuilder<Key> => {
  const { filter, sort, isReversed, offset, limit } = query;
  if (sort.field === 'urgency') {
    return sql`select s.id from ${eachStudyOf(scope, filter)}
      order by ${orderOfOpen(sort.direction)} ${part({ offset, limit })}`;
  }
  const ranks = ranksOf(sort);
  if (ranks) return rankedKeys(scope, query, ranks);
  const few = sparseSortOf(sort);
  if (few) return fewBeforeMany(scope, query, few);
  const { source, by } = inOrder(scope, query);
  return sql`select s.id from ${source} order by ${orderOf(sort, isReversed, by)} ${part({ offset, limit })}`;
};

/**
 * Returns limit and offset. The limit of a first page is a literal, so that the plan of a prepared statement takes it
 * into account.
 */
const part = ({ offset, limit }: Slice): RawBuilder<unknown> =>
  offset === 0 ? sql`limit ${sql.lit(limit)}` : sql`limit ${limit} offset ${offset}`;

/**
 * Ranks are not in the order of an index, but each rank has an index. Reads the first rows of each rank and merges
 * them.
 */
const rankedKeys = (
  scope: Scope,
  { filter, sort, isReversed, offset, limit }: StudyQuery,
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

/**
 * Sorts the few studies that have a value, and reads the other studies from an index. The requested part of the list is
 * among the first rows of these two sources.
 */
const fewBeforeMany = (
  scope: Scope,
  { filter, sort, isReversed, offset, limit }: StudyQuery,
  { ids, isMissing, nothing }: SparseSort,
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

/** Returns a source with an index in the requested order. */
const inOrder = (scope: Scope, { filter, sort, isReversed, offset, limit }: StudyQuery): Ordered => {
  const first = sql`order by ${orderOf(sort, isReversed)} limit ${offset + limit}`;
  switch (sort.field) {
    case 'studyDate':
      return { source: isOfModality(scope, filter) ? ofModality(scope, filter, first) : eachStudyOf(scope, filter) };
    case 'modality':
    case 'seriesCount':
      return { source: byMainModality(scope, filter) };
    case 'patientId':
      // Reads one patient after another, each with the patient's studies.
      return {
        source: sql`patients p, ${eachStudyOf(scope, filter)} and s.patient_id = p.id`,
        by: sql`p.patient_id`,
      };
    default:
      return { source: eachStudyOf(scope, filter) };
  }
};
