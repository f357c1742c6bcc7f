import { t } from '@radwork/contract/core/translate';
import { refuseReport } from '@radwork/contract/reading/report-rights';
import type { ReportAct } from '@radwork/contract/reading/reports';
import type { ReportAction } from '@radwork/contract/reading/report-status';
import type { ReportStatus } from '@radwork/contract/imaging/study-marks';
import { sql, type UpdateObject } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { localMinute } from '#core/values/local-minute.ts';
import { conflict, type Problem } from '#core/http/problem.ts';
import type { Schema } from '#core/database/database.ts';
import type { Scope } from '#core/access/scope.ts';
import { refiledTo } from './refiled-reports.ts';
import { indexReports } from './report-texts.ts';
import { factsOf, problemOfRefusal, reportById, type StoredReport } from './stored-report.ts';
import { historyOf, storeVersion } from './versions.ts';

type Change = {
  act: ReportAct;
  action: ReportAction;
  /** States in which the change is allowed. */
  from: readonly ReportStatus[];
  /**
   * The revision that the user has seen. Some clients send no revision. A change is then allowed only if the text stays
   * the same or the caller was its last writer. It is refused if the study was moved to another patient, of whom the
   * user may not know.
   */
  revision: number | undefined;
  set: UpdateObject<Schema, 'reports'>;
  comment?: string;
  /** Text of the version, if it is not the text of the report: the frozen text of a preliminary report. */
  frozen?: string;
  /** More details for the audit entry. */
  detail?: Record<string, string | number | boolean>;
};

/**
 * Changes a report and stores the result as a version. The update checks state and revision. So if two users change the
 * report at the same moment, only one succeeds, and the other gets 409.
 */
export const changeReport = async (scope: Scope, report: StoredReport, change: Change): Promise<void> => {
  const { id } = report;
  const { act, action, from, revision, set, comment = '', frozen, detail } = change;
  const changed = await scope.db
    .updateTable('reports')
    .set({ ...set, revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('status', 'in', from)
    .$if(revision !== undefined, (update) => update.where('revision', '=', revision ?? 0))
    .$if(revision === undefined, (update) =>
      update.where('refiled_at', 'is', null).where(isSameTextOrOwn(scope, set.content)),
    )
    .$if(act !== 'edit', (update) => update.where('revision', '=', report.revision))
    .returning(['revision', 'status', 'content', 'has_critical_findings', 'critical_findings_details'])
    .executeTakeFirst();
  if (!changed) throw await tooLate(scope, id, change);
  const content = frozen ?? changed.content;
  await storeVersion(scope, { ...changed, content, reportId: id, version: changed.revision, action, comment });
  if (changed.content !== report.content) await indexReports(scope, [id]);
  await auditReport(scope, `report.${act}`, report, { version: changed.revision, ...detail });
  // Edits are saved every few seconds. Other users are notified only of other changes.
  if (act !== 'edit') await announce(scope, { kind: 'study', studyId: report.study_id });
};

/** SQL condition: the text stays the same, or the caller was its last writer. */
const isSameTextOrOwn = ({ session }: Scope, text: unknown = sql.ref('reports.content')) => sql<boolean>`(
  reports.content = ${text} or ${session.userId} = (
    select v.actor_id from report_versions v
    where v.report_id = reports.id and v.action in ('CREATED', 'SAVED') order by v.version desc limit 1))`;

const tooLate = async (scope: Scope, id: string, { act, revision }: Change): Promise<Problem> => {
  const report = await reportById(scope, id);
  const refusal = refuseReport[act](factsOf(report, scope.session));
  if (refusal) return problemOfRefusal(refusal);
  const [latest] = await historyOf(scope, id);
  const { refiled_at } = report;
  if (refiled_at && (revision === undefined || !latest || latest.at <= refiled_at)) {
    return refiledTo(report, t`Reload the report.`);
  }
  if (!latest) return conflict('report.changed', t`Another user changed the report. Your text was not saved.`);
  const [name, time] = [latest.actor.name, localMinute(latest.at, scope.session.timeZone)];
  return conflict('report.changed', t`${name} changed the report at ${time}. Your text was not saved.`);
};

/** Audits an action on a report. */
export const auditReport = (
  scope: Scope,
  action: string,
  report: Pick<StoredReport, 'id' | 'study_id' | 'patient_id'>,
  detail?: Record<string, string | number | boolean>,
): Promise<void> =>
  audit(scope, action, {
    entity: 'report',
    entityId: report.id,
    studyId: report.study_id,
    patientId: report.patient_id,
    ...(detail && { detail }),
  });
