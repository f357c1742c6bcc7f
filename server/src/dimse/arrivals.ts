import type { UploadedFile } from '#archive/store.ts';
import type { Context } from '#core/context.ts';
import { systemSession } from '#core/scope.ts';
import type { Peer } from './peer.ts';

/** What the gateway, of this server process or of another one, takes in for one tenant. */
export type Arrivals = {
  /** Whether what this archive sends to the title that we call it with is stored in the tenant. */
  isLetIn: (peer: Peer) => Promise<boolean>;
  /** The files that have been stored of those that are waited for. */
  stored: (sopInstanceUIDs: readonly string[]) => AsyncIterable<UploadedFile>;
};

/**
 * Finds in a tenant's archive what other archives were asked to send. Storing it once more changes nothing, and tells
 * whoever waits that it is here.
 */
export const arrivalsOf = ({ scopes, blobs }: Pick<Context, 'scopes' | 'blobs'>, tenantId: number): Arrivals => ({
  // A title that is called is one tenant's own (migration 0010): a device of ours under it says that it is ours.
  isLetIn: ({ callingAeTitle, calledAeTitle }) =>
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
        // Its bytes are lost, and were not sent again.
        .where('missing_since', 'is', null)
        .execute(),
    );
    for (const { sop_instance_uid, sha256 } of rows) {
      yield { name: sop_instance_uid, body: blobs.stream(tenantId, sha256.toString('hex')) };
    }
  },
});
