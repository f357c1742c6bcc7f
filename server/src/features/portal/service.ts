import type { PortalReport } from '@radwork/contract/portal';
import { displayName } from '@radwork/dicom/person-name';
import { sql } from 'kysely';
import { audit } from '#core/audit.ts';
import type { Context } from '#core/context.ts';
import { found } from '#core/problem.ts';
import { type Scope, systemSession } from '#core/scope.ts';
import { hashOfToken } from '#core/sessions.ts';
import { localTime } from '#features/studies/study-rows.ts';

type Found = { tenant_id: number; link_id: string };

/**
 * The report behind a link, for somebody without an account. A wrong, expired or revoked link, one of a suspended
 * tenant and one to a deleted study are all answered alike: nobody learns from the answer which it was.
 */
export const openLink = async (
  { scopes }: Pick<Context, 'scopes'>,
  token: string,
  address: string,
): Promise<PortalReport> => {
  const { rows } = await scopes.withoutTenant((db) =>
    sql<Found>`select * from find_report_link(${hashOfToken(token)})`.execute(db),
  );
  const { tenant_id, link_id } = found(rows[0], 'report');
  return scopes.inTenant(systemSession(tenant_id, address), (scope) => read(scope, link_id));
};

const read = async (scope: Scope, linkId: string): Promise<PortalReport> => {
  const opened = await scope.db
    .updateTable('report_links')
    .set({ open_count: sql`open_count + 1`, last_opened_at: sql`now()` })
    .where('id', '=', linkId)
    .where('revoked_at', 'is', null)
    .returning('report_id')
    .executeTakeFirst();
  const report = found(await reportBehind(scope, found(opened, 'report').report_id), 'report');
  await audit(scope, 'report_link.open', {
    entity: 'report_link',
    entityId: linkId,
    studyId: report.study_id,
    patientId: report.patient_id,
  });
  return {
    content: report.content,
    tenantName: report.tenant_name,
    patientName: displayName(report.patient_name),
    studyDate: localTime(report.study_date),
    studyDescription: report.study_description,
    modality: report.modality,
    authorName: report.author_name,
    finalizedByName: report.finalized_by_name,
    finalizedAt: report.finalized_at,
  };
};

const reportBehind = ({ db }: Scope, reportId: string) =>
  db
    .selectFrom('reports as r')
    .innerJoin('studies as s', 's.id', 'r.study_id')
    .innerJoin('tenants as t', 't.id', 'r.tenant_id')
    .innerJoin('users as author', 'author.id', 'r.author_id')
    .innerJoin('users as signer', 'signer.id', 'r.finalized_by')
    .select(['r.content', 'r.study_id', 's.patient_id', 's.patient_name', 's.study_date', 's.modality'])
    .select(['t.name as tenant_name', 'author.name as author_name', 'signer.name as finalized_by_name'])
    .select(
      sql<string>`case when s.description <> '' then s.description else s.study_description end`.as(
        'study_description',
      ),
    )
    .select('r.finalized_at')
    .$narrowType<{ finalized_at: string }>()
    .where('r.id', '=', reportId)
    .where('r.status', '=', 'FINALIZED')
    .where('s.deleted_at', 'is', null)
    .executeTakeFirst();
