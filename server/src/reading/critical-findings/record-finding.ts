import type { CriticalSeverity } from '@radwork/contract/reading/critical-finding-states';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { newId } from '#core/values/ids.ts';
import type { Scope } from '#core/access/scope.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { auditReport } from '#reading/report-records/change-report.ts';
import type { StoredReport } from '#reading/report-records/stored-report.ts';
import { isSameText } from './same-text.ts';
import { notifyOfCriticalFinding } from './notify-recipients.ts';

type FindingFacts = { finding: string; severity: CriticalSeverity };

/** Records a finding of a report, starts the clock for its severity, and notifies the participants of the study. */
export const recordFinding = async (
  scope: Scope,
  report: StoredReport,
  { finding, severity }: FindingFacts,
): Promise<void> => {
  const id = newId();
  const minutes = sql`(select case ${severity}::text when 'CRITICAL' then critical_minutes
    when 'URGENT' then urgent_minutes else significant_minutes end from tenants)`;
  await scope.db
    .insertInto('critical_findings')
    .values({
      id,
      report_id: report.id,
      study_id: report.study_id,
      finding,
      severity,
      identified_by: scope.session.userId,
      due_at: sql`now() + make_interval(mins => ${minutes})`,
      // The first escalation step is due when a third of the time is left (escalate.ts).
      escalate_at: sql`now() + make_interval(mins => ${minutes}) * 2 / 3`,
    })
    .execute();
  await recordTask(scope, {
    studyId: report.study_id,
    type: 'CRITICAL_FINDING',
    displayValue: severity,
    details: finding,
  });
  await notifyOfCriticalFinding(scope, report, id);
  await auditReport(scope, 'report.addCriticalFinding', report, { severity });
  await announce(scope, { kind: 'study', studyId: report.study_id });
};

/**
 * Records the details of a report's critical flag as a finding, so that no flagged report is signed without a running
 * clock. If a finding of the report already has the same text, only notifies the users. The details have no severity,
 * so the finding gets the shortest time limit. Only a user can decide that two texts mean the same finding, and then
 * withdraw one.
 */
export const recordFlagged = async (scope: Scope, report: StoredReport, details: string): Promise<void> => {
  const recorded = await scope.db
    .selectFrom('critical_findings')
    .select('finding')
    .where('report_id', '=', report.id)
    .where('state', '<>', 'WITHDRAWN')
    .execute();
  const isSaid = recorded.some(({ finding }) => isSameText(finding, details));
  if (isSaid) await notifyOfCriticalFinding(scope, report);
  else await recordFinding(scope, report, { finding: details, severity: 'CRITICAL' });
};
