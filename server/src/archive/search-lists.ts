import { type RawBuilder, sql } from 'kysely';
import type { ReadingScope } from '#core/scope.ts';
import { statement } from '#core/statement.ts';
import type { StudyList } from './search-keys.ts';
import { studyColumns } from './search-columns.ts';
import type { SearchRow } from './search-results.ts';

/** The longest page that a list is read in. */
export const mostListed = 201;

/** Lists are read in pages of these sizes and the longest, so that there are few statements to keep: one more than people ask for. */
const smallerPages = [26, 101];

/** Of more studies than this it is cheaper to look at the newest first than to find all whose names begin alike. */
const mostNamed = 5000;

/**
 * The newest studies of a list, at most `limit` of them, for a caller who may know of all; `limit` is `mostListed` at
 * most. Undefined when it is no way to find them, because too many names begin so.
 *
 * Planning them takes longer than reading them, so these few statements are prepared. Each has one plan that is good in
 * a tenant of three studies as in one of a million: the index that is made for it. So that the planner does not find
 * another for the tenant that it happens to plan for, values stand in sub-selects, which it knows nothing of, and rows
 * are looked up one by one, which cannot become a join (docs/decisions/0009; search-plans.test.ts).
 */
export const findListed = async (
  { db }: ReadingScope,
  list: StudyList,
  limit: number,
): Promise<SearchRow[] | undefined> => {
  const rows = await rowsOf(db, list, limit);
  return (rows[0]?.found ?? 0) > mostNamed ? undefined : rows;
};

const rowsOf = (db: ReadingScope['db'], list: StudyList, limit: number): Promise<ListedRow[]> => {
  if ('nameBeginning' in list) return readNamed(db, { beginning: `${list.nameBeginning}*`, limit });
  const { modality, ...days } = list;
  return modality === undefined ? readDays(db, { ...days, limit }) : readOfModality(db, { ...days, modality, limit });
};

type ListedRow = SearchRow & { found: number | null };

/** A statement's parts: what comes first, how many studies there are if that is known, and those of the page. */
type Parts = { first: RawBuilder<unknown>; found: RawBuilder<unknown>; source: RawBuilder<unknown> };

/** One statement for each size of page. */
const reading = <Values extends { limit: number }>(
  partsOf: (values: Values, pageSize: RawBuilder<unknown>) => Parts,
) => {
  const ofSize = (size: number) =>
    statement((_, values: Values) => {
      const { first, found, source } = partsOf(values, sql.lit(size));
      return sql<ListedRow>`
        ${first} select ${studyColumns}, ${found} as found
        from ${source}
        order by studies.study_date desc, studies.id desc
        limit ${values.limit}`;
    });
  const smaller = smallerPages.map((size) => ({ size, read: ofSize(size) }));
  const largest = ofSize(mostListed);
  return (db: ReadingScope['db'], values: Values): Promise<ListedRow[]> =>
    (smaller.find(({ size }) => size >= values.limit)?.read ?? largest)(db, values);
};

const eachStudy = sql`cross join lateral (select * from studies where studies.id = page.id limit 1) studies`;

const within = ({ from, before }: { from: string; before: string }) =>
  sql`study_date >= (select ${from}::timestamp) and study_date < (select ${before}::timestamp)`;

type Days = { from: string; before: string; limit: number };

const readDays = reading((days: Days, pageSize) => ({
  first: sql``,
  found: sql`null`,
  source: sql`(
    select * from studies where deleted_at is null and ${within(days)}
    order by study_date desc, id desc limit ${pageSize}) studies`,
}));

const readOfModality = reading((asked: Days & { modality: string }, pageSize) => ({
  first: sql``,
  found: sql`null`,
  source: sql`(
    select study_id as id from study_modalities where modality = (select ${asked.modality}::text) and ${within(asked)}
    order by study_date desc, study_id desc limit ${pageSize}) page ${eachStudy}`,
}));

/**
 * By how one of the spellings of a name begins, whatever its case and accents. A folded name stands between "="
 * (fold_name of migration 0080); of one that is not known to its end the last is taken off.
 */
const readNamed = reading(({ beginning }: { beginning: string; limit: number }, pageSize) => ({
  first: sql`
    with asked as materialized (select rtrim(fold_name(${beginning}), '*=') as beginning),
    named as materialized (
      ${namesIn('folded_patient_name')} union all
      ${namesIn('folded_second_spelling', sql`and folded_second_spelling <> ''`)} union all
      ${namesIn('folded_third_spelling', sql`and folded_third_spelling <> ''`)})`,
  found: sql`(select count(*) from named)`,
  // All three spellings may begin so. To take out who is there thrice, of the newest only, is quicker than of all.
  source: sql`(
    select id from (select * from named order by study_date desc, id desc limit 3 * ${pageSize}) newest
    group by id, study_date order by study_date desc, id desc limit ${pageSize}) page ${eachStudy}`,
}));

/** Nothing that follows a beginning sorts behind the last of all characters. */
const namesIn = (column: string, isThere = sql``) => sql`(
  select id, study_date from study_search
  where deleted_at is null ${isThere} and ${sql.ref(column)} ~>=~ (select beginning from asked)
    and ${sql.ref(column)} ~<~ (select beginning || chr(1114111) from asked)
  limit ${sql.lit(mostNamed + 1)})`;
