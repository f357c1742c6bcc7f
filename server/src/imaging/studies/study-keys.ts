import { pageSizes } from '@radwork/contract/core/paging';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { isLimitedToGroups, knowsAllStudies, seesFewStudies } from '#core/access/study-access.ts';
import { canHold, conditionsOnEach, isFiltered, type StudyFilter } from './study-filter.ts';
import { dueOrLast, orderOf, orderOfOpen, rankOfUrgency, type StudySort, valueOf } from './study-order.ts';
import {
  fewFor,
  type Key,
  keysFor,
  keysInOrder,
  mostRead,
  type Slice,
  sortedKeys,
  unsortedKeys,
} from './study-key-queries.ts';
import { countStudies, eachStudyOf, mostSorted, seesFew, type StudyCount } from './study-sources.ts';

/** Returns the ids of one part of a list, in order, and the number of studies in the list, up to `most`. */
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
 * Returns a prepared query for the most frequent list: the first page of all studies by date. Undefined for any other
 * list.
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

/**
 * Below this number of studies, reading all of a tenant takes less time than the text index, which covers all tenants.
 */
const mostOfSmallTenant = 3000;

/** Users who are limited to groups, but see many studies, are of a large tenant. */
const isOfLargeTenant = async (scope: Scope): Promise<boolean> =>
  isLimitedToGroups(scope.session) || (await countStudies(scope, {}, mostOfSmallTenant)).isMore;

/** The text search takes most of the time, so one statement searches, counts and sorts. */
const findText = async (scope: Scope, filter: StudyFilter, sort: StudySort, slice: Slice, most: number) => {
  const isOfFew = filter.isOfFew ?? (await seesFew(scope));
  const isLarge = !isOfFew && (await isOfLargeTenant(scope));
  const table = isLarge ? 'study_search' : 'studies';
  const counted = isLarge ? most : Math.max(most, isOfFew ? mostSorted : mostOfSmallTenant);
  const { rows } = await sql<{ found: number; ids: string[] }>`
    with s as materialized (
      select s.id, s.study_date, ${valueOf(sort)} as value
      from ${sql.raw(table)} s where ${conditionsOnEach(scope, { ...filter, isOfFew })} limit ${counted + 1})
    select count(*) as found, array(
      select s.id from s order by ${orderOf(sort, false, sql`s.value`)} limit ${slice.limit} offset ${slice.offset}) as ids
    from s`.execute(scope.db);
  const { found, ids } = rows[0] ?? { found: 0, ids: [] };
  const count = { total: Math.min(found, counted), isMore: found > counted };
  return { ...count, ids: count.isMore ? await studyIds(scope, filter, sort, slice, count) : ids };
};

/**
 * Returns the ids of one part of a list, in order. In a long list, the index is read only up to that part. Reading
 * starts at the nearer end, so the last page takes as long as the first.
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
  const isSorted = (filter.isOfFew ?? (await seesFew(scope))) && !liesAmongOthers(scope, filter, sort);
  if (sort.field === 'urgency' && !isSorted) {
    return idsByUrgency(scope, filter, sort, { offset, limit: size });
  }
  const isReversed = !isMore && offset > total / 2;
  const slice = { filter, sort, isReversed, offset: isReversed ? total - offset - size : offset, limit: size };
  // Reading an index in order would pass many studies that the caller may not see.
  const { rows } = isSorted
    ? await sortedKeys(scope, slice).execute(scope.db)
    : await keysFor(scope, slice, isMore ? Number.POSITIVE_INFINITY : total);
  const ids = rows.map(({ id }) => id);
  return isReversed ? ids.toReversed() : ids;
};

/** Orders in which the studies of a group lie among those of all others, and not together. */
const amongOthers = new Set<StudySort['field']>([
  'studyDate',
  'createdDate',
  'patientName',
  'accessionNumber',
  'description',
  'urgency',
]);

/** Whether the page of a small group comes sooner by reading the studies of all groups in order than by sorting its own. */
const liesAmongOthers = ({ session }: Scope, filter: StudyFilter, { field }: StudySort): boolean =>
  !seesFewStudies(session) && !isFiltered(filter) && amongOthers.has(field);

/** Reads one list after the other: the open studies by urgency, and the others by date. Each has its own index. */
const idsByUrgency = async (
  scope: Scope,
  filter: StudyFilter,
  { direction }: StudySort,
  { offset, limit }: Slice,
): Promise<string[]> => {
  const ids: string[] = [];
  let skipped = offset;
  for (const part of direction === 'desc' ? (['OPEN', 'DONE'] as const) : (['DONE', 'OPEN'] as const)) {
    if (!canHold(filter, part)) continue;
    const slice = { offset: skipped, limit: limit - ids.length };
    const ofPart = { ...filter, part };
    const found =
      (part === 'OPEN' ? await fewOpen(scope, ofPart, direction, slice) : undefined) ??
      (await keysOfPart(scope, ofPart, direction, slice));
    ids.push(...found.ids);
    if (ids.length >= limit) break;
    skipped = Math.max(0, skipped - found.total);
  }
  return ids;
};

/** Ids of one part of a list by urgency, and the number of its studies, if the list continues with the other part. */
type KeysOfPart = { ids: string[]; total: number };

const keysOfPart = async (
  scope: Scope,
  filter: StudyFilter,
  direction: StudySort['direction'],
  slice: Slice,
): Promise<KeysOfPart> => {
  const query = {
    filter,
    sort: { field: filter.part === 'OPEN' ? 'urgency' : 'studyDate', direction } as const,
    isReversed: false,
    ...slice,
  };
  // For users who are limited to groups, counting takes longer than reading the list in its order.
  if (isLimitedToGroups(scope.session)) {
    const { rows } = await keysFor(scope, query, Number.POSITIVE_INFINITY);
    return withTotal(scope, filter, slice, rows);
  }
  const count = await countStudies(scope, filter, Math.ceil(slice.offset + slice.limit + fewFor(slice)));
  if (!count.isMore && count.total <= slice.offset) return { ids: [], total: count.total };
  // Without a filter, every row of the index belongs to the list, so it is read in order.
  const total = isFiltered(filter) && !count.isMore ? count.total : Number.POSITIVE_INFINITY;
  const { rows } = await keysFor(scope, query, total);
  return { ids: rows.map(({ id }) => id), total: count.total };
};

/** Adds the number of studies of the part, which is only counted if the slice does not tell it. */
const withTotal = async (
  scope: Scope,
  filter: StudyFilter,
  { offset }: Slice,
  rows: readonly Key[],
): Promise<KeysOfPart> => ({
  ids: rows.map(({ id }) => id),
  total: rows.length > 0 || offset === 0 ? offset + rows.length : (await countStudies(scope, filter, offset)).total,
});

/**
 * Reads the open studies in their order and checks each. Few studies are open in a practice, so this takes less time than
 * counting the matches first. Undefined if there are too many.
 */
const fewOpen = async (
  scope: Scope,
  filter: StudyFilter,
  direction: StudySort['direction'],
  { offset, limit }: Slice,
): Promise<KeysOfPart | undefined> => {
  const { rows } = await unsortedKeys(
    scope,
    sql<Key>`
      select s.id from (
        select s.*, ${rankOfUrgency} as urgency, ${dueOrLast} as due from ${eachStudyOf(scope, { part: 'OPEN' })}
        order by ${orderOfOpen(direction)} limit ${mostRead}) s
      where ${conditionsOnEach(scope, filter)}
      order by ${orderOfOpen(direction, { rank: sql`s.urgency`, due: sql`s.due` })} limit ${limit} offset ${offset}`,
  );
  const isComplete = rows.length === limit || !(await countStudies(scope, { part: 'OPEN' }, mostRead)).isMore;
  return isComplete ? withTotal(scope, filter, { offset, limit }, rows) : undefined;
};
