import { type RawBuilder, sql } from 'kysely';
import { prepared } from '#core/database.ts';
import type { Scope } from '#core/scope.ts';
import type { StudyList } from './search-keys.ts';
import { studyColumns } from './search-columns.ts';
import type { SearchRow } from './search-results.ts';

/** The longest page that a list is read in. */
export const mostListed = 201;

/** Lists are read in pages of these sizes, so that there are few statements to keep: one more than people ask for. */
const pageSizes = [26, 101, mostListed];

/**
 * The newest studies of a list, at most `limit` of them, for a caller who may know of all; `limit` is `mostListed` at most.
 *
 * Planning them takes longer than reading them, so these few statements are prepared. Each has one plan that is good in
 * a tenant of three studies as in one of a million: the index that is in the order of the list. So that the planner
 * does not find another for the tenant that it happens to plan for, values stand in sub-selects, which it knows nothing
 * of, and rows are looked up one by one, which cannot become a join (docs/decisions/0009; search-plans.test.ts).
 */
export const findListed = async (scope: Scope, list: StudyList, limit: number): Promise<SearchRow[]> => {
  const pageSize = pageSizes.find((size) => size >= limit) ?? mostListed;
  const { rows } = await sql<SearchRow>`
    select ${studyColumns}
    from ${studiesOf(list, sql.lit(pageSize))}
    cross join lateral (select * from patients where patients.id = studies.patient_id limit 1) patients
    order by studies.study_date desc, studies.id desc
    limit ${limit} ${prepared}`.execute(scope.db);
  return rows;
};

const studiesOf = ({ modality, ...days }: StudyList, pageSize: RawBuilder<unknown>): RawBuilder<unknown> =>
  modality === undefined
    ? sql`(
        select * from studies where deleted_at is null and ${within(days)}
        order by study_date desc, id desc limit ${pageSize}) studies`
    : sql`(
        select study_id from study_modalities where modality = (select ${modality}::text) and ${within(days)}
        order by study_date desc, study_id desc limit ${pageSize}) page
      cross join lateral (select * from studies where studies.id = page.study_id limit 1) studies`;

const within = ({ from, before }: Pick<StudyList, 'from' | 'before'>) =>
  sql`study_date >= (select ${from}::timestamp) and study_date < (select ${before}::timestamp)`;
