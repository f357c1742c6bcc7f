import type { Query } from '@radwork/contract/core/endpoint';
import type { studies as endpoints } from '@radwork/contract/imaging/studies';
import type { PriorStudy } from '@radwork/contract/imaging/study-rows';
import { sql } from 'kysely';
import { hasPermission, type Scope } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import { isComparable } from '#imaging/identity-marks/identity-marks.ts';
import { knownReports } from '#reading/report-records/stored-report.ts';
import { type StoredStudy, studyById, studyRows } from '#imaging/studies/study-rows.ts';

/**
 * Returns the other studies of the patient, each with the newest report that the caller may read. The newest studies
 * come first, and studies without a date come last.
 */
export const priors = async (
  scope: Scope,
  id: string,
  { size, order }: Query<typeof endpoints.priors>,
): Promise<PriorStudy[]> => {
  const study = await studyById(scope, id);
  const others = await scope.db
    .selectFrom('studies as s')
    .select('s.id')
    .where('s.patient_id', '=', study.patient_id)
    .where('s.id', '<>', id)
    .where('s.deleted_at', 'is', null)
    .where(isComparable(id))
    .where(mayKnowStudy(scope.session, 's.id'))
    .$if(order === 'relevance', (query) => query.orderBy(likenessTo(study), 'desc'))
    // A missing study date is stored as a date that is earlier than all real dates.
    .orderBy('s.study_date', 'desc')
    .orderBy('s.id', 'desc')
    .limit(size)
    .execute();
  const ids = others.map((other) => other.id);
  const [rows, reportsOfPriors] = [await studyRows(scope, ids), await newestReports(scope, ids)];
  const bodyParts = await bodyPartsOf(scope, ids);
  return rows.map((row) => ({
    ...row,
    report: reportsOfPriors.get(row.id) ?? null,
    bodyParts: bodyParts.get(row.id) ?? [],
  }));
};

/** Returns the values of BodyPartExamined in each study, each once. */
const bodyPartsOf = async ({ db }: Scope, studyIds: readonly string[]): Promise<Map<string, string[]>> => {
  if (studyIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('series')
    .select(['study_id', sql<string[]>`array_agg(distinct body_part_examined)`.as('parts')])
    .where('study_id', 'in', studyIds)
    .where('body_part_examined', '<>', '')
    .groupBy('study_id')
    .execute();
  return new Map(rows.map(({ study_id, parts }) => [study_id, parts]));
};

/**
 * Ranks similarity: the same body part counts more than the same modality. A study with both comes first, and canceled
 * studies come last.
 */
const likenessTo = ({ id, modalities }: StoredStudy) => sql<number>`case when s.status = 'CANCELLED' then -1 else
  2 * (exists (
    select from series theirs join series ours on ours.body_part_examined = theirs.body_part_examined
    where theirs.study_id = s.id and ours.study_id = ${id} and ours.body_part_examined <> ''))::int
  + (s.modalities && ${modalities}::text[])::int end`;

const newestReports = async (
  scope: Scope,
  studyIds: readonly string[],
): Promise<Map<string, NonNullable<PriorStudy['report']>>> => {
  if (studyIds.length === 0 || !hasPermission(scope.session, 'report.view')) return new Map();
  const rows = await knownReports(scope)
    .select(['r.study_id', 'r.id', 'r.status', 'r.finalized_at as finalizedAt'])
    .where('r.study_id', 'in', studyIds)
    .distinctOn('r.study_id')
    .orderBy('r.study_id')
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .execute();
  return new Map(rows.map(({ study_id, ...report }) => [study_id, report]));
};
