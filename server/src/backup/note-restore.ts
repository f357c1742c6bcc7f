import { sql } from 'kysely';
import { storedTenants } from '#imaging/archive/upkeep/stored-tenants.ts';
import { audit } from '#core/audit/audit.ts';
import { sealAudit } from '#core/audit/audit-chain.ts';
import { kyselyOn, openServingPool } from '#core/database/database.ts';
import { createScopes, type Scope, systemSession } from '#core/access/scope.ts';
import type { Manifest } from './manifest.ts';

type RestoreFacts = { manifest: Manifest; installationId: string };

/**
 * Adds an audit entry about the restore to each tenant, only once even if the restore runs again. Seals all waiting
 * entries, because no server runs yet and the verification would report unsealed entries.
 */
export const auditRestore = async (url: string, restored: RestoreFacts): Promise<void> => {
  const pool = openServingPool(url, 1);
  try {
    const scopes = createScopes(kyselyOn(pool));
    for (const id of await storedTenants(scopes)) {
      await scopes.inTenant(systemSession(id), (scope) => noteIn(scope, restored));
    }
    await sealAudit(scopes);
  } finally {
    await pool.end();
  }
};

const action = 'tenant.restore';

const noteIn = async (scope: Scope, { manifest, installationId }: RestoreFacts): Promise<void> => {
  const noted = await scope.db
    .selectFrom('audit_entries')
    .select('id')
    .where('action', '=', action)
    .where(sql<string>`detail ->> 'installation'`, '=', installationId)
    .executeTakeFirst();
  if (noted) return;
  await audit(scope, action, {
    entity: 'tenant',
    detail: { backupFrom: manifest.createdAt, backup: manifest.id, installation: installationId },
  });
};
