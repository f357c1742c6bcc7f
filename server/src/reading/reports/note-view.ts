import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { auditReport } from '#reading/report-records/change-report.ts';
import type { StoredReport } from '#reading/report-records/stored-report.ts';

/** Minutes during which repeated requests of the same text by the same user and address count as one read. */
const oneReading = 5;

type ViewedReport = Pick<StoredReport, 'id' | 'study_id' | 'patient_id'>;

/**
 * Audits that the caller received the text of a report at a version. Pages reload after every change, and a reload
 * counts as a new read only if the text has changed. A text that a page loads in advance has its own action, because it
 * leaves the server before it is read.
 */
export const auditView = async (scope: Scope, report: ViewedReport, version: number): Promise<void> => {
  const { db, session } = scope;
  const action = session.isPrefetch ? 'report.prefetch' : 'report.view';
  const { addenda } = await db
    .selectFrom('report_addenda')
    .select(sql<number>`count(*)::int`.as('addenda'))
    .where('report_id', '=', report.id)
    .where('finalized_at', 'is not', null)
    .executeTakeFirstOrThrow();
  const detail = { version, addenda };
  const noted = await db
    .selectFrom('audit_entries')
    .select('id')
    .where('study_id', '=', report.study_id)
    .where('created_at', '>', sql<string>`now() - make_interval(mins => ${oneReading})`)
    .where('action', '=', action)
    .where('entity_id', '=', report.id)
    .where('patient_id', '=', report.patient_id)
    .where('user_id', '=', session.userId)
    .where('address', '=', session.address)
    .where(sql<boolean>`detail = ${JSON.stringify(detail)}::jsonb`)
    .limit(1)
    .executeTakeFirst();
  if (!noted) await auditReport(scope, action, report, detail);
};
