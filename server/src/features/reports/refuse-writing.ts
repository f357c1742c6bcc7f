import { type Refusal, refuseNewReport, refuseReport } from '@radwork/contract/report-rights';
import type { Scope } from '#core/scope.ts';
import type { StoredStudy } from '#features/studies/study-rows.ts';
import { newReportFacts } from './new-report-facts.ts';
import { factsOf, newestReport } from './stored-report.ts';

/**
 * Why the caller may not write the report of a study, whoever else does; undefined when they may. There is one report to
 * be written at a time: the open one, or a first one, or with `isAnother` one more after a finalized one.
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
