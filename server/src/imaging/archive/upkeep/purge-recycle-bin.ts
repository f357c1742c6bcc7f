import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { systemSession } from '#core/access/scope.ts';
import { purgedAt } from './purge-time.ts';
import { noteDeletedOnPurpose } from './unused-since.ts';
import { removeUnused } from './remove-unused.ts';

type Archive = Pick<Context, 'blobs' | 'scopes'>;

type Deleted = { id: string; patient_id: string };

/**
 * Empties the recycle bin of a tenant. Purges studies that were deleted longer ago than the tenant's retention time.
 * For each study, first deletes its rows in one transaction, then its bytes. Only the database function of migration
 * 0040 can delete images, and it decides which. Returns the number of purged studies.
 */
export const purgeRecycleBin = async (archive: Archive, tenantId: number): Promise<number> => {
  let purged = 0;
  for (const study of await deletedStudies(archive, tenantId)) {
    const hashes = await purge(archive, tenantId, study);
    if (!hashes) continue;
    purged += 1;
    await removeUnused(archive, tenantId, hashes);
  }
  return purged;
};

const deletedStudies = ({ scopes }: Archive, tenantId: number): Promise<Deleted[]> =>
  scopes.inTenant(systemSession(tenantId), ({ db }) =>
    db
      .selectFrom('studies as s')
      .select(['id', 'patient_id'])
      .where('deleted_at', 'is not', null)
      .where(sql<boolean>`may_be_purged(s) and ${purgedAt} < now()`)
      .where('is_on_legal_hold', '=', false)
      .orderBy('deleted_at')
      .execute(),
  );

/** Returns the hashes of the purged instances. Undefined when the study was not purged. */
const purge = ({ scopes }: Archive, tenantId: number, { id, patient_id }: Deleted) =>
  scopes.inTenant(systemSession(tenantId), async (scope) => {
    const { rows } = await sql<{ purged: Buffer[] | null }>`select purge_study(${id}) as purged`.execute(scope.db);
    const purged = rows[0]?.purged;
    if (!purged) return undefined;
    await noteDeletedOnPurpose(scope, purged);
    await audit(scope, 'study.purge', {
      entity: 'study',
      entityId: id,
      studyId: id,
      patientId: patient_id,
      detail: { instances: purged.length },
    });
    return purged.map((sha256) => sha256.toString('hex'));
  });
