import type { Query } from '@radwork/contract/core/endpoint';
import { pageOf } from '@radwork/contract/core/paging';
import type { studies as endpoints, StudyPage } from '@radwork/contract/imaging/studies';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import { readDayRange } from '@radwork/contract/core/study-dates';
import { orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { isLimitedToGroups, mayKnowPatient } from '#core/access/study-access.ts';
import { searchesText } from './study-conditions.ts';
import { isFiltered, type StudyFilter, textFilter, withPlainConditions } from './study-filter.ts';
import { findStudies, studyIds, usualKeys } from './study-keys.ts';
import type { Slice } from './study-key-queries.ts';
import { countStudies, seesFew } from './study-sources.ts';
import type { StudySort } from './study-order.ts';
import { studyRows, studyRowsByDate } from './study-rows.ts';

type PageQuery = { page: number; size: number; sort: StudySort };

/** Number of pages after the current one that the total always includes, if they exist. */
const pagesAhead = 3;

const pageOfStudies = async (scope: Scope, filter: StudyFilter, pageQuery: PageQuery): Promise<StudyPage> => {
  const slice = { offset: pageQuery.page * pageQuery.size, limit: pageQuery.size };
  const atLeast = slice.offset + (1 + pagesAhead) * pageQuery.size;
  const most = Math.max(mostCounted(scope, filter), atLeast);
  const { rows, total, isMore } = await rowsOf(scope, filter, pageQuery.sort, slice, most);
  return {
    ...pageOf(rows, total, pageQuery),
    isTotalExact: !isMore,
    sort: `${pageQuery.sort.field},${pageQuery.sort.direction}`,
  };
};

const rowsOf = async (scope: Scope, filter: StudyFilter, sort: StudySort, slice: Slice, most: number) => {
  const usual = usualKeys(scope, filter, sort, slice);
  if (usual) {
    const [count, rows] = await Promise.all([
      countStudies(scope, filter, most),
      studyRowsByDate(scope, usual, sort.direction),
    ]);
    return { ...count, rows };
  }
  const { ids, ...count } = await findStudies(scope, filter, sort, slice, most);
  return { ...count, rows: await studyRows(scope, ids) };
};

/**
 * Returns the maximum number of studies to count for a list. Counting should take no longer than reading the page.
 * Without text, an index is counted. Text matches are checked one by one, which takes longer with a modality or a
 * status. For a text of two letters, there is no index. Matches of a body part are checked too. For users who are limited
 * to groups, several studies are checked for each that counts.
 */
export const mostCounted = ({ session }: Scope, filter: StudyFilter): number => {
  const most = mostOfAll(filter);
  if (!isLimitedToGroups(session)) return most;
  if (!isFiltered(filter)) return 2000;
  const isChecked = filter.where?.some(({ field }) => field === 'bodyPart' || field === 'modality');
  return filter.modality || filter.modalities || isChecked || most < 2000 ? 150 : 500;
};

const mostOfAll = ({ words = [], modality, modalities, status, where = [] }: StudyFilter): number => {
  const searched = [...words, ...where.filter(searchesText).flatMap(({ values }) => values)];
  if (searched.length === 0) return where.some(({ field }) => field === 'bodyPart') ? 2000 : 10_000;
  const isIndexed = searched.some(({ length }) => length > 2);
  return (words.length > 0 && (modality || modalities || status)) || !isIndexed ? 500 : 2000;
};

export const list = (scope: Scope, { status, modality, view, ...paging }: Query<typeof endpoints.list>) =>
  pageOfStudies(scope, { status, modality, view }, paging);

/**
 * Finds studies that contain every word in patient name or ID, accession number or description. A former ID finds its
 * patient's studies, too.
 */
export const search = async (scope: Scope, searchQuery: Query<typeof endpoints.search>): Promise<StudyPage> => {
  const { page, size, sort } = searchQuery;
  return pageOfStudies(scope, await filterOf(scope, searchQuery), { page, size, sort });
};

/** Returns the filter of a search. */
export const filterOf = async (
  scope: Scope,
  { query = '', startDate, endDate, page: _page, size: _size, sort: _sort, ...filter }: Query<typeof endpoints.search>,
): Promise<StudyFilter> =>
  withPlainConditions({
    ...filter,
    ...(await textFilter(scope, query)),
    ...daysOf(startDate, endDate),
    isOfFew: await seesFew(scope),
  });

/** Returns the ids of the studies that a search finds, in its order: the first `most`. */
export const matching = async (
  scope: Scope,
  searchQuery: Query<typeof endpoints.search>,
  most: number,
): Promise<{ ids: string[]; isMore: boolean }> => {
  const filter = await filterOf(scope, searchQuery);
  const { ids, ...count } = await findStudies(scope, filter, searchQuery.sort, { offset: 0, limit: most }, most);
  return { ids, isMore: count.isMore || count.total > ids.length };
};

/**
 * Combines two date filters, each a day or a range. The result is one range from the beginning of the first to the end
 * of the second. A single first day sets no end.
 */
export const daysOf = (start = '', end = ''): Pick<StudyFilter, 'from' | 'to'> => {
  const [first, last] = [readDayRange(start), readDayRange(end)];
  return {
    from: first?.from ?? (isRange(end) ? last?.from : undefined),
    to: last?.to ?? (isRange(start) ? first?.to : undefined),
  };
};

const isRange = (text: string): boolean =>
  text.length > '2026-11-21'.length || text.startsWith('-') || text.endsWith('-');

/** Returns the studies that arrived last. */
export const recent = async (scope: Scope, { size }: Query<typeof endpoints.recent>): Promise<StudyRow[]> => {
  const sort = { field: 'createdDate', direction: 'desc' } as const;
  const ids = await studyIds(scope, {}, sort, { offset: 0, limit: size }, { total: size, isMore: true });
  return studyRows(scope, ids);
};

/** Returns the unread studies, the most urgent first. Of equally urgent studies, the oldest come first. */
export const pending = (scope: Scope, query: Query<typeof endpoints.pending>): Promise<StudyPage> =>
  pageOfStudies(scope, { status: 'PENDING' }, { ...query, sort: { field: 'priority', direction: 'desc' } });

export const ofPatient = async (
  scope: Scope,
  patientId: string,
  query: Query<typeof endpoints.ofPatient>,
): Promise<StudyPage> => {
  const patient = await scope.db
    .selectFrom('patients')
    .select('id')
    .where('id', '=', patientId)
    .where(mayKnowPatient(scope.session, 'patients.id'))
    .executeTakeFirst();
  orNotFound(patient, 'patient');
  return pageOfStudies(scope, { patientId, status: query.status, modality: query.modality, view: query.view }, query);
};
