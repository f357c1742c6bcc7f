import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';

/**
 * Files studies, including deleted ones, under another patient and returns their ids. If their files name a different
 * patient, keeps a reference to that patient. Further files then find the study, and an undo knows from which patient
 * the study came.
 */
export const fileStudies = async ({ db }: Scope, patientId: string, which: RawBuilder<boolean>): Promise<string[]> => {
  const rows = await db
    .updateTable('studies')
    .set({
      patient_id: patientId,
      named_patient_id: sql`nullif(coalesce(named_patient_id, patient_id), ${patientId}::uuid)`,
      revision: sql`revision + 1`,
      updated_at: sql`now()`,
    })
    .where(which)
    .where('patient_id', '<>', patientId)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
};

/** Counts the signed reports of studies, and the share links to them. */
export const signedOf = async (
  { db }: Scope,
  studyIds: readonly string[],
): Promise<{ signedReports: number; links: number }> => {
  const { rows } = await sql<{ signedReports: number; links: number }>`
    select count(distinct r.id)::int as "signedReports", count(l.id)::int as links
    from reports r
    left join report_links l on l.report_id = r.id and l.revoked_at is null and l.expires_at > now()
    where r.study_id = any(${studyIds}::uuid[]) and r.status = 'FINALIZED'`.execute(db);
  return rows[0] ?? { signedReports: 0, links: 0 };
};

/** Counts the selected studies and their reports. */
export const countOf = async (
  { db }: Scope,
  which: RawBuilder<boolean>,
): Promise<{ studies: number; reports: number }> => {
  const { rows } = await sql<{ studies: number; reports: number }>`
    select count(*)::int as studies,
           (select count(*)::int from reports
            where study_id in (select id from studies where ${which})) as reports
    from studies where ${which}`.execute(db);
  return rows[0] ?? { studies: 0, reports: 0 };
};
