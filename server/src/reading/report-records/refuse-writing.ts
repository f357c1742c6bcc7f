import { type Refusal, refuseNewReport, refuseReport } from '@radwork/contract/reading/report-rights';
import type { Scope } from '#core/access/scope.ts';
import type { StoredStudy } from '#imaging/studies/study-rows.ts';
import { newReportFacts } from './new-report-facts.ts';
import { factsOf, newestReport } from './stored-report.ts';

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
