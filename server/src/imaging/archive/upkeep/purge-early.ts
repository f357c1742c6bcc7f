import { sql } from 'kysely';
import { audit, type Subject } from '#core/audit/audit.ts';
import type { Scope } from '#core/access/scope.ts';
import { noteDeletedOnPurpose } from './unused-since.ts';

/**
 * Purges a study of the recycle bin before its retention ends, and audits it. The database decides if it may be purged
 * (migration 0100). Returns the hashes of the purged instances. Undefined when the study was not purged.
 */
export const purgeEarly = async (
  scope: Scope,
  { id, patient_id }: { id: string; patient_id: string },
  action: 'study.purge' | 'study.replace',
  detail: NonNullable<Subject['detail']>,
): Promise<string[] | undefined> => {
  const { rows } = await sql<{ purged: Buffer[] | null }>`select purge_study_early(${id}) as purged`.execute(scope.db);
  const purged = rows[0]?.purged;
  if (!purged) return undefined;
  await noteDeletedOnPurpose(scope, purged);
  await audit(scope, action, {
    entity: 'study',
    entityId: id,
    studyId: id,
    patientId: patient_id,
    detail: { instances: purged.length, ...detail },
  });
  return purged.map((sha256) => sha256.toString('hex'));
};
