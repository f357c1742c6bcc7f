import { t } from '@radwork/contract/core/translate';
import { createHash } from 'node:crypto';
import { membersOnly } from '@radwork/contract/core/access';
import type { Body } from '@radwork/contract/core/endpoint';
import type { outreach as endpoints } from '@radwork/contract/reading/outreach';
import { audit } from '#core/audit/audit.ts';
import type { Database } from '#core/database/database.ts';
import { newId } from '#core/values/ids.ts';
import { forbidden, invalid, notFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { resealEach, type Vault } from '#core/installation/vault.ts';

export const sealedDeviceColumn = (tenantId: number, id: string) => ({
  tenantId,
  table: 'push_subscriptions',
  row: id,
  column: 'sealed',
});

const mostDevices = 20;

/** Adds a browser of the caller. If another user of the tenant registered the browser, it now belongs to the caller. */
export const addDevice = async (
  scope: Scope,
  vault: Vault,
  { endpoint, p256dh, auth, label }: Body<typeof endpoints.addDevice>,
): Promise<void> => {
  const { db, session } = scope;
  if (session.homeTenantId !== undefined) throw forbidden(membersOnly());
  const hash = createHash('sha256').update(endpoint).digest();
  await db.deleteFrom('push_subscriptions').where('endpoint_hash', '=', hash).execute();
  const own = await db.selectFrom('push_subscriptions').select('id').where('user_id', '=', session.userId).execute();
  if (own.length >= mostDevices)
    throw invalid({ endpoint: t`You can have at most ${mostDevices} devices. Remove one first.` });
  const id = newId();
  const sealed = vault.seal(JSON.stringify({ endpoint, p256dh, auth }), sealedDeviceColumn(session.tenantId, id));
  await db
    .insertInto('push_subscriptions')
    .values({ id, user_id: session.userId, endpoint_hash: hash, sealed, label })
    .execute();
  await audit(scope, 'outreach.add_device', { entity: 'push_subscription', entityId: id });
};

/** Removes a browser of the caller. Throws 404 for a browser of another user. */
export const removeDevice = async (scope: Scope, id: string): Promise<void> => {
  const removed = await scope.db
    .deleteFrom('push_subscriptions')
    .where('id', '=', id)
    .where('user_id', '=', scope.session.userId)
    .executeTakeFirst();
  if (removed.numDeletedRows === 0n) throw notFound('device');
  await audit(scope, 'outreach.remove_device', { entity: 'push_subscription', entityId: id });
};

/**
 * Encrypts the push addresses of all devices again, with the current key of the vault. `owner` is a connection with the
 * rights of the database owner.
 */
export const resealDevices = async (owner: Database, vault: Vault): Promise<number> => {
  const rows = await owner.selectFrom('push_subscriptions').select(['tenant_id', 'id', 'sealed']).execute();
  return resealEach(vault, rows, {
    sealedIn: ({ tenant_id, id, sealed }) => ({ sealed, place: sealedDeviceColumn(tenant_id, id) }),
    keep: ({ tenant_id, id }, resealed) =>
      owner
        .updateTable('push_subscriptions')
        .set({ sealed: resealed })
        .where('tenant_id', '=', tenant_id)
        .where('id', '=', id)
        .executeTakeFirst(),
  });
};
