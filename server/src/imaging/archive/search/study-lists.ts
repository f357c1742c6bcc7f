import { type RawBuilder, sql } from 'kysely';
import type { ReadingScope } from '#core/access/scope.ts';
import { statement } from '#core/database/statement.ts';
import type { StudyList } from './matching-keys.ts';
import { studyColumns } from './search-columns.ts';
import type { SearchRow } from './search-results.ts';

export const mostListed = 201;

/**
 * Page sizes for which a statement is prepared, besides `mostListed`. Each is one more than the page size that clients
 * request.
 */
const smallerPages = [26, 101];

/**
 * If more names match a beginning, a search that reads the newest studies first is faster than one that finds all these
 * names.
 */
const mostNamed = 5000;

/**
 * Returns the newest studies of a list, at most `limit`, for a caller who may see all studies. `limit` is at most
 * `mostListed`. Undefined when too many names match the requested beginning. These few statements are prepared, because
 * planning takes longer than reading. Each has its own index, so one plan suits three studies and a million. Two
 * measures keep the planner from fitting the plan to the first tenant. Values are in sub-selects, which the planner
 * cannot estimate. Rows are looked up one by one, which cannot become a join (docs/decisions/0009;
 * search-plans.test.ts).
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

/**
 * Parts of a statement: the text before the select, the number of matches if it is counted, and the query for the
 * studies of the page.
 */
type Parts = { first: RawBuilder<unknown>; total: RawBuilder<unknown>; source: RawBuilder<unknown> };

/** Prepares one statement for each page size. */
const reading = <Values extends { limit: number }>(
  partsOf: (values: Values, pageSize: RawBuilder<unknown>) => Parts,
) => {
  const ofSize = (size: number) =>
    statement((_, values: Values) => {
      const { first, total, source } = partsOf(values, sql.lit(size));
      return sql<ListedRow>`
        ${first} select ${studyColumns}, ${total} as found
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
  total: sql`null`,
  source: sql`(
    select * from studies where deleted_at is null and ${within(days)}
    order by study_date desc, id desc limit ${pageSize}) studies`,
}));

const readOfModality = reading((filter: Days & { modality: string }, pageSize) => ({
  first: sql``,
  total: sql`null`,
  source: sql`(
    select study_id as id from study_modalities where modality = (select ${filter.modality}::text) and ${within(filter)}
    order by study_date desc, study_id desc limit ${pageSize}) page ${eachStudy}`,
}));

/**
 * Matches the start of a name in any spelling, without case and accents. `fold_name` (migration 0080) puts a name
 * between two "=". The "=" at the end is removed, because the requested name may continue.
 */
const readNamed = reading(({ beginning }: { beginning: string; limit: number }, pageSize) => ({
  first: sql`
    with asked as materialized (select rtrim(fold_name(${beginning}), '*=') as beginning),
    named as materialized (
      ${namesIn('folded_patient_name')} union all
      ${namesIn('folded_second_spelling', sql`and folded_second_spelling <> ''`)} union all
      ${namesIn('folded_third_spelling', sql`and folded_third_spelling <> ''`)} union all
      ${otherNames})`,
  total: sql`(select count(*) from named)`,
  // A study may match up to four times: by three spellings and by the other name. Removing duplicates only from the
  // newest matches is faster than from all.
  source: sql`(
    select id from (select * from named order by study_date desc, id desc limit 4 * ${pageSize}) newest
    group by id, study_date order by study_date desc, id desc limit ${pageSize}) page ${eachStudy}`,
}));

/**
 * The other names of studies with an open identity question, of which there are few. A study is looked up by its ID:
 * the condition on its UID rules out the indexes by date, which lack the UID. So even a plan made for a small tenant
 * does not read all studies of a large tenant.
 */
const otherNames = sql`(
  select page.id, page.study_date
  from identity_questions q
  join patients known on known.id = q.known_patient_id
  join studies page on page.tenant_id = q.tenant_id and page.id = q.study_id and page.deleted_at is null
  where q.state = 'OPEN' and page.study_instance_uid <> ''
    and strpos(fold_name(q.said_name) || fold_name(known.patient_name), (select beginning from asked)) > 0
  limit ${sql.lit(mostNamed + 1)})`;

/** Finds the names that start with the requested beginning, in a column. chr(1114111) is the last Unicode character. */
const namesIn = (column: string, isThere = sql``) => sql`(
  select id, study_date from study_search
  where deleted_at is null ${isThere} and ${sql.ref(column)} ~>=~ (select beginning from asked)
    and ${sql.ref(column)} ~<~ (select beginning || chr(1114111) from asked)
  limit ${sql.lit(mostNamed + 1)})`;
