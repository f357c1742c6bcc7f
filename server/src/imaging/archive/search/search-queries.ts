import { t } from '@radwork/contract/core/translate';
import { type RawBuilder, sql } from 'kysely';
import { isCanceled } from '#core/database/database.ts';
import { Problem } from '#core/http/problem.ts';
import type { ReadingScope, Session } from '#core/access/scope.ts';
import { knowsAllStudies, mayKnowStudy } from '#core/access/study-access.ts';
import { instanceColumns, seriesColumns, studyColumns } from './search-columns.ts';
import type { Fields } from './search-fields.ts';
import type { Level, Matching, StudyList } from './matching-keys.ts';
import { findListed, mostListed } from './study-lists.ts';
import type { SearchRow } from './search-results.ts';

export type Page = { limit: number; offset: number };

/** One search: the conditions, the fields of each result, and the requested page. */
export type Search = {
  level: Level;
  matching: Pick<Matching, 'conditions' | 'isByText' | 'list'>;
  fields: Fields;
  page: Page;
};

/**
 * Milliseconds after which a search is canceled. A search with an index takes about a hundredth of this time. A longer
 * search would block a database connection.
 */
const longestSearch = 20_000;

/**
 * Returns matching studies, series or instances that the caller may see, newest study first. Throws 413 for a search
 * that takes too long (PS3.18 §10.6.3.2).
 */
export const findMatches = async (
  scope: ReadingScope,
  search: Search,
  withinMs: number = longestSearch,
): Promise<SearchRow[]> => {
  const list = listOf(scope.session, search);
  return (list && (await findListed(scope, list, search.page.limit))) ?? findAnyMatches(scope, search, withinMs);
};

/**
 * Returns the study list (study-lists.ts) that gives the same result as a search. Undefined unless the search asks for
 * a first page, and only for columns of the study row.
 */
export const listOf = (session: Session, { matching, fields, page }: Search): StudyList | undefined => {
  const isFirstPage = page.offset === 0 && page.limit <= mostListed;
  const isInRow = !wantsHeader(fields) && !fields.hasSopClasses && !fields.hasPatientCounts;
  return isFirstPage && isInRow && knowsAllStudies(session) ? matching.list : undefined;
};

/**
 * Searches like `findMatches`, but never uses a prepared study list. For rows before the page, reads only the keys.
 * Reads the details only of the rows on the page.
 */
export const findAnyMatches = async (
  scope: ReadingScope,
  { level, matching, fields, page }: Search,
  withinMs: number = longestSearch,
): Promise<SearchRow[]> => {
  const limited = sql`set local statement_timeout = ${sql.lit(withinMs)}`.execute(scope.db);
  const query = sql<SearchRow>`
    with page as materialized (
      select ${keysOf[level]}, studies.study_date
      from ${sourceOf(matching)} ${joinsOf[level]}
      where ${conditionOf(scope, matching)}
      order by studies.study_date desc, studies.id desc ${orderOf[level]}
      limit ${page.limit} offset ${page.offset})
    select ${sql.join([...columnsOf[level], ...extraColumns(scope, fields)])}
    from page
    join studies on studies.id = page.study_id
    ${detailJoinsOf[level]}
    ${wantsHeader(fields) ? headerOf[level] : sql``}
    order by studies.study_date desc, studies.id desc ${orderOf[level]}`.execute(scope.db);
  try {
    const [, { rows }] = await Promise.all([limited, query]);
    return rows;
  } catch (error) {
    if (isCanceled(error)) throw tooBroad();
    throw error;
  }
};

const tooBroad = () =>
  new Problem(
    413,
    'search.too_broad',
    t`The search took too long. Narrow it, for example to one patient or a few days.`,
  );

const wantsHeader = ({ ofHeader }: Fields): boolean => ofHeader.length > 0;

/** A text search reads the view study_search instead of the table (migrations/0003_archive.sql). */
const sourceOf = ({ isByText }: Search['matching']): RawBuilder<unknown> =>
  isByText ? sql`study_search studies` : sql`studies`;

const conditionOf = ({ session }: ReadingScope, { conditions }: Search['matching']): RawBuilder<unknown> =>
  sql.join([sql`studies.deleted_at is null`, mayKnowStudy(session, 'studies.id'), ...conditions], sql` and `);

const keysOf: Record<Level, RawBuilder<unknown>> = {
  studies: sql`studies.id as study_id`,
  series: sql`studies.id as study_id, series.id as series_id`,
  instances: sql`studies.id as study_id, series.id as series_id, instances.id as instance_id`,
};

const joinsOf: Record<Level, RawBuilder<unknown>> = {
  studies: sql``,
  series: sql`join series on series.study_id = studies.id`,
  instances: sql`join series on series.study_id = studies.id join instances on instances.series_id = series.id`,
};

const detailJoinsOf: Record<Level, RawBuilder<unknown>> = {
  studies: sql``,
  series: sql`join series on series.id = page.series_id`,
  instances: sql`join series on series.id = page.series_id join instances on instances.id = page.instance_id`,
};

const seriesOrder = sql`, series.series_number nulls last, series.id`;
const orderOf: Record<Level, RawBuilder<unknown>> = {
  studies: sql``,
  series: seriesOrder,
  instances: sql`${seriesOrder}, instances.instance_number nulls last, instances.sop_instance_uid`,
};

const columnsOf: Record<Level, RawBuilder<unknown>[]> = {
  studies: [studyColumns],
  series: [studyColumns, seriesColumns],
  instances: [studyColumns, seriesColumns, instanceColumns],
};

/** Columns that take long to read are read only on request. */
const extraColumns = (scope: ReadingScope, fields: Fields): RawBuilder<unknown>[] => [
  ...(wantsHeader(fields)
    ? [sql`header.metadata as header, studies.named_patient_id is not null as names_another`]
    : []),
  ...(fields.hasSopClasses ? [sopClasses] : []),
  ...(fields.hasPatientCounts ? [patientCounts(scope)] : []),
];

const sopClasses = sql`array(
  select distinct i.sop_class_uid from instances i where i.study_id = studies.id order by i.sop_class_uid) as sop_classes`;

/** Counts only the studies that the caller may see. */
const patientCounts = ({ session }: ReadingScope) => sql`(
  select json_build_object('studies', count(*), 'series', sum(other.series_count), 'instances', sum(other.instance_count))
  from studies other
  where other.patient_id = studies.patient_id and other.deleted_at is null and ${mayKnowStudy(session, 'other.id')})
  as patient_counts`;

/**
 * The header that represents a result. An instance is represented by its own header, any other result by the header of
 * its first instance.
 */
const headerOf: Record<Level, RawBuilder<unknown>> = {
  studies: firstHeader(sql`(
    select s.id from series s where s.study_id = studies.id order by s.series_number nulls last, s.id limit 1)`),
  series: firstHeader(sql`series.id`),
  instances: sql`cross join lateral (select instances.metadata) header`,
};

function firstHeader(seriesId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`left join lateral (
    select i.metadata from instances i where i.series_id = ${seriesId}
    order by i.instance_number nulls last, i.sop_instance_uid limit 1) header on true`;
}
