import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import { editableStates } from '@radwork/contract/reading/report-rights';
import type { reports as endpoints } from '@radwork/contract/reading/reports';
import { conflict } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { refuseOpenPassages } from '#reading/drafting/passages.ts';
import { refuseUnprintableName, refuseUnprintableText } from '#reading/report-delivery/printable-characters.ts';
import { changeReport } from '#reading/report-records/change-report.ts';
import { finalContent } from '#reading/report-records/content.ts';
import { lastPreliminary } from '#reading/report-records/preliminary-versions.ts';
import { assertMay, reportById, type StoredReport } from '#reading/report-records/stored-report.ts';
import { studyToChange } from '#imaging/studies/study-rows.ts';
import { requireIdentified } from './require-identified.ts';

/**
 * Freezes the stored text as a preliminary report: a version that never changes. The report stays a draft. Throws 409 if the
 * text is preliminary already, and while the identity of the patient is in question.
 */
export const issuePreliminary = async (
  scope: Scope,
  id: string,
  { revision }: Body<typeof endpoints.issuePreliminary>,
): Promise<string> => {
  const { study_id } = await reportById(scope, id);
  // Locks the study, so that a move to another patient waits, or is known here.
  await studyToChange(scope, study_id);
  const report = await reportById(scope, id);
  assertMay('issuePreliminary', report, scope.session);
  refuseOpenPassages(report.content);
  refuseUnprintableText(report.content);
  refuseUnprintableName(report.patient_name);
  await requireIdentified(scope, study_id);
  const frozen = finalContent(report.content);
  const last = await lastPreliminary(scope, id);
  if (last?.content === frozen && last.criticalFindingsDetails === report.critical_findings_details) {
    throw conflict('report.preliminary', t`This text is already the preliminary report`);
  }
  const number = (last?.number ?? 0) + 1;
  await changeReport(scope, report, {
    act: 'issuePreliminary',
    action: 'PRELIMINARY',
    from: editableStates,
    revision,
    set: {},
    frozen,
    detail: { number },
  });
  await recordTask(scope, {
    studyId: study_id,
    type: 'REPORT_STATUS',
    displayValue: 'PRELIMINARY',
    details: `Preliminary report ${number}`,
  });
  return id;
};

/**
 * Returns the words to store on an important change since the preliminary report. Empty without a preliminary report,
 * because there is nothing that a reader could have relied on.
 */
export const changeSincePreliminary = async (
  scope: Scope,
  report: Pick<StoredReport, 'id'>,
  words: string | undefined,
): Promise<string> => (words && (await lastPreliminary(scope, report.id)) ? words : '');
