import { t } from '@radwork/contract/core/translate';
import { sql } from 'kysely';
import type { Events } from '#core/events/extensions.ts';
import { conflict } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { notifyOfRefiling } from './announce-report.ts';

type Separation = Events['study.imagesSeparated'];
type MovedReport = { study_id: string; author_id: string; reviewer_id: string | null; is_refiled: boolean };

/**
 * Moves the work on images to their own study when they are separated from an order: measurements, key images, and
 * reports and texts that were begun since the join. Reports that were begun before stay with the order. Throws 409 for
 * signed reports and critical findings since the join, because they must stay as they are.
 */
export const moveReadings = async (scope: Scope, separation: Separation): Promise<void> => {
  await refuseSigned(scope, separation);
  await refuseFindings(scope, separation);
  const { db } = scope;
  const { orderId, imagesId, since } = separation;
  for (const table of ['measurements', 'key_images'] as const)
    await sql`update ${sql.table(table)} set study_id = ${imagesId} where study_id = ${orderId}`.execute(db);
  await moveReports(scope, separation);
  const begunSince = (moment: 'saved_at' | 'created_at') => sql`study_id = ${orderId}
    and case when report_id is null then ${sql.ref(moment)} >= ${since}::timestamptz
        else report_id in (select id from reports where study_id = ${imagesId}) end`;
  await sql`update report_autosaves set study_id = ${imagesId} where ${begunSince('saved_at')}`.execute(db);
  await sql`update ai_passages set study_id = ${imagesId} where ${begunSince('created_at')}`.execute(db);
  await db.deleteFrom('reading_locks').where('study_id', '=', orderId).execute();
};

/**
 * Moves the reports that were begun since the join. Users who have such a report open must look at it again before they
 * save it. If the images belong to another patient than the order, authors and reviewers are notified. Text that was
 * written for the patient of the order is then not shown.
 */
const moveReports = async (scope: Scope, { orderId, imagesId, since }: Separation): Promise<void> => {
  const { rows } = await sql<MovedReport>`
    update reports set study_id = ${imagesId}, revision = reports.revision + 1, updated_at = now(),
      refiled_at = case when owner.patient_id <> images.patient_id then now() else reports.refiled_at end
    from studies owner, studies images
    where reports.study_id = ${orderId} and reports.created_at >= ${since}::timestamptz
      and owner.id = ${orderId} and images.id = ${imagesId}
    returning reports.study_id, reports.author_id, reports.reviewer_id,
      owner.patient_id <> images.patient_id as is_refiled`.execute(scope.db);
  for (const { is_refiled, ...report } of rows) if (is_refiled) await notifyOfRefiling(scope, report);
};

const refuseSigned = async ({ db }: Scope, { orderId, since }: Separation): Promise<void> => {
  const report = await db
    .selectFrom('reports')
    .select('id')
    .where('study_id', '=', orderId)
    .where('finalized_at', '>=', since)
    .executeTakeFirst();
  if (!report) return;
  throw conflict('order.has_report', t`A report of these images was signed. The images stay with the order.`);
};

const refuseFindings = async ({ db }: Scope, { orderId, since }: Separation): Promise<void> => {
  const finding = await db
    .selectFrom('critical_findings')
    .select('id')
    .where('study_id', '=', orderId)
    .where('identified_at', '>=', since)
    .executeTakeFirst();
  if (!finding) return;
  throw conflict('order.has_finding', t`These images have a critical finding. They stay with the order.`);
};
