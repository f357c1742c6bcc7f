import { editableStates, type Refusal, refuseNewReport, refuseReport } from '@radwork/contract/reading/report-rights';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import type { StoredStudy } from '#imaging/studies/study-rows.ts';
import { isAssignedToNoOtherReader, newReportFacts } from './new-report-facts.ts';
import { factsOf, isMember, newestReport, permissionsOf } from './stored-report.ts';

/**
 * Returns why the caller may not write the report of a study, regardless of reading locks. Undefined if the caller may.
 * Only one report is written at a time: the open report, a first report or, with `isAnother`, a further report after a
 * finalized one.
 */
export const refuseWriting = async (
  scope: Scope,
  study: StoredStudy,
  isAnother: boolean,
): Promise<Refusal | undefined> => {
  const report = await newestReport(scope, study.id);
  if (report && !(isAnother && report.status === 'FINALIZED')) {
    return refuseReport.edit({ ...factsOf(report, scope.session), readBy: null });
  }
  return refuseNewReport({ ...(await newReportFacts(scope, study)), readBy: null });
};

/** SQL condition on a report `r`: the caller may edit it. At most one report of a study is open, its newest. */
const isEditable = ({ session }: Scope): RawBuilder<boolean> => sql`(
  r.status = any(${editableStates}::text[])
  and (r.author_id = ${session.userId} or r.study_id in (
    select sp.study_id from study_participants sp where sp.role = 'ASSIGNEE' and sp.user_id = ${session.userId})))`;

/**
 * SQL condition on a study `s`: `refuseWriting` without `isAnother` would let the caller write. The caller has the
 * permission report.edit. Without report.create, the few drafts of the caller lead to the studies, because nearly no study
 * would pass a condition on each.
 */
export const mayWriteReport = (scope: Scope): RawBuilder<boolean> =>
  permissionsOf(scope.session).includes('report.create')
    ? sql`coalesce(
        (select ${isEditable(scope)} from reports r where r.study_id = s.id order by r.created_at desc, r.id desc limit 1),
        ${isMember(scope.session)} and s.status not in ('CANCELLED', 'ARCHIVED') and ${isAssignedToNoOtherReader(scope)})`
    : sql`s.id in (select r.study_id from reports r where ${isEditable(scope)})`;
