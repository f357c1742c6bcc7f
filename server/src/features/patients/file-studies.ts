import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#core/scope.ts';

/**
 * Files studies under another patient, those in the recycle bin too, and returns their ids. Whom their files name is
 * kept, as long as that is somebody else, so that further files find the study and the way back is known.
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

/** How many studies there are among some, and how many reports they have. */
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
