import { refuseReport } from '@radwork/contract/report-rights';
import type { ReportAct, ReportAction, ReportStatus } from '@radwork/contract/reports';
import { sql, type UpdateObject } from 'kysely';
import { announce } from '#core/announce.ts';
import { audit } from '#core/audit.ts';
import { localMinute } from '#core/local-minute.ts';
import { conflict, type Problem } from '#core/problem.ts';
import type { Schema } from '#core/database.ts';
import type { Scope } from '#core/scope.ts';
import { refiledTo } from './refiled-reports.ts';
import { factsOf, refused, reportById, type StoredReport } from './stored-report.ts';
import { historyOf, keepVersion } from './versions.ts';

type Change = {
  act: ReportAct;
  action: ReportAction;
  /** The states in which this may happen. */
  from: readonly ReportStatus[];
  /**
   * The revision it was decided on. Without one, as other clients send it, a text replaces only one by the same person;
   * and nothing is done with a report whose study was filed under another patient by somebody who may not know of that.
   */
  revision: number | undefined;
  set: UpdateObject<Schema, 'reports'>;
  comment?: string;
  /** What the audit entry says beside the version. */
  detail?: Record<string, string | number | boolean>;
};

/**
 * Changes a report and keeps the outcome as a version. State and revision are checked by the update itself, so of
 * two people who act at once one succeeds and the other is told what happened. Throws a 409.
 */
export const changeReport = async (scope: Scope, report: StoredReport, change: Change): Promise<void> => {
  const { id } = report;
  const { act, action, from, revision, set, comment = '', detail } = change;
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
  await keepVersion(scope, { ...changed, reportId: id, version: changed.revision, action, comment });
  await noteReport(scope, `report.${act}`, report, { version: changed.revision, ...detail });
  // A text is saved every few seconds while it is written; until something is done with it that is nobody else's news.
  if (act !== 'edit') await announce(scope, { kind: 'study', studyId: report.study_id });
};

/** Whether the text stays as it is, or whoever replaces it has written it. */
const isSameTextOrOwn = ({ session }: Scope, text: unknown = sql.ref('reports.content')) => sql<boolean>`(
  reports.content = ${text} or ${session.userId} = (
    select v.actor_id from report_versions v
    where v.report_id = reports.id and v.action in ('CREATED', 'SAVED') order by v.version desc limit 1))`;

const tooLate = async (scope: Scope, id: string, { act, revision }: Change): Promise<Problem> => {
  const report = await reportById(scope, id);
  const refusal = refuseReport[act](factsOf(report, scope.session));
  if (refusal) return refused(refusal);
  const [latest] = await historyOf(scope, id);
  const { refiled_at } = report;
  if (refiled_at && (revision === undefined || !latest || latest.at <= refiled_at)) {
    return refiledTo(report, 'look at the report again');
  }
  const when = latest
    ? `${localMinute(latest.at, scope.session.timeZone)} by ${latest.actor.name}`
    : 'by somebody else';
  return conflict(
    'report.changed',
    `The report was changed ${when}. Your text has not been saved; nothing was overwritten.`,
  );
};

/** Writes down who did what with a report. */
export const noteReport = (
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
