import type { UploadedFile } from '#archive/store.ts';
import type { Context } from '#core/context.ts';
import { systemSession } from '#core/scope.ts';

/** The files that a gateway, of this server process or of another one, has stored of those that are waited for. */
export type Arrivals = (sopInstanceUIDs: readonly string[]) => AsyncIterable<UploadedFile>;

/**
 * Finds in a tenant's archive what other archives were asked to send. Storing it once more changes nothing, and tells
 * whoever waits that it is here.
 */
export const arrivalsOf = ({ scopes, blobs }: Pick<Context, 'scopes' | 'blobs'>, tenantId: number): Arrivals =>
  async function* (sopInstanceUIDs) {
    const rows = await scopes.inTenant(systemSession(tenantId), ({ db }) =>
      db
        .selectFrom('instances')
        .select(['sop_instance_uid', 'sha256'])
        .where('sop_instance_uid', 'in', sopInstanceUIDs)
        .execute(),
    );
    for (const { sop_instance_uid, sha256 } of rows) {
      yield { name: sop_instance_uid, body: blobs.stream(tenantId, sha256.toString('hex')) };
    }
  };
