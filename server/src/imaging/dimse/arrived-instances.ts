import type { UploadedFile } from '#imaging/archive/store/store-instances.ts';
import type { Context } from '#core/context.ts';
import { systemSession } from '#core/access/scope.ts';
import type { RemoteAddress } from './remote-address.ts';

/** Finds images of one tenant that this or another server process has received by DIMSE. */
export type ArrivedInstances = {
  /** Whether images are stored in this tenant if this remote archive sends them to our AE title. */
  mayStoreHere: (peer: RemoteAddress) => Promise<boolean>;
  /** Yields the files of these instances that are already stored. */
  stored: (sopInstanceUIDs: readonly string[]) => AsyncIterable<UploadedFile>;
};

/**
 * Finds instances that remote archives were asked to send and that are in the tenant's archive. An import stores their
 * files again to count them. This changes nothing in the archive.
 */
export const arrivedInstancesOf = (
  { scopes, blobs }: Pick<Context, 'scopes' | 'blobs'>,
  tenantId: number,
): ArrivedInstances => ({
  // A called AE title belongs to only one tenant (migration 0010). If a device of this tenant connects to our title,
  // images sent to that title arrive in this tenant.
  mayStoreHere: ({ callingAeTitle, calledAeTitle }) =>
    scopes.inTenant(systemSession(tenantId), async ({ db }) => {
      const device = await db
        .selectFrom('application_entities')
        .select('id')
        .where('called_ae_title', '=', callingAeTitle)
        .where('calling_ae_title', '=', calledAeTitle)
        .where('is_active', '=', true)
        .where('may_store', '=', true)
        .executeTakeFirst();
      return device !== undefined;
    }),

  stored: async function* (sopInstanceUIDs) {
    const rows = await scopes.inTenant(systemSession(tenantId), ({ db }) =>
      db
        .selectFrom('instances')
        .select(['sop_instance_uid', 'sha256'])
        .where('sop_instance_uid', 'in', sopInstanceUIDs)
        // Leaves out instances whose bytes are lost and have not been sent again.
        .where('missing_since', 'is', null)
        .execute(),
    );
    for (const { sop_instance_uid, sha256 } of rows) {
      yield { name: sop_instance_uid, body: blobs.stream(tenantId, sha256.toString('hex')) };
    }
  },
});
