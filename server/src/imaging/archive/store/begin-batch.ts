import type { ContradictingPatients } from '@radwork/contract/core/patient-issuer';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { statement } from '#core/database/statement.ts';
import { lockForUpload } from '#imaging/archive/upkeep/storage-locks.ts';
import { areBeingRemovedSql, bytesOf } from '#imaging/archive/upkeep/remove-unused.ts';

/** The store is removing a file with the same bytes as an uploaded file. The upload is retried after the removal. */
export class BeingRemoved extends Error {}

/**
 * Begins a batch of an upload in its transaction. Until this transaction ends, upkeep does not treat the bytes of the
 * batch as unused. Throws BeingRemoved when some of these bytes are being removed. Returns how many bytes the tenant
 * may still store. Unfinished uploads are not counted, so parallel uploads may together exceed the quota. Also returns
 * the tenant's setting for files that contradict the patient with the same Patient ID.
 */
export const beginBatch = async (
  scope: Scope,
  hashes: readonly string[],
): Promise<{ room: number; contradicting: ContradictingPatients }> => {
  // Both statements are sent together. The second statement reads after the first one has taken the lock.
  const [, { room, contradicting, areGoing }] = await Promise.all([lockForUpload(scope), readLimits(scope, hashes)]);
  if (areGoing) throw new BeingRemoved();
  return { room: room ?? Infinity, contradicting };
};

const readLimits = async ({ db }: Scope, hashes: readonly string[]) => {
  const [limits] = await readLimitsStatement(db, { hashes: bytesOf(hashes) });
  return limits ?? { room: null, contradicting: 'KEEP' as const, areGoing: false };
};

const readLimitsStatement = statement(
  (_, { hashes }: { hashes: Buffer[] }) => sql<{
    room: number | null;
    contradicting: ContradictingPatients;
    areGoing: boolean;
  }>`
    select (storage_quota_bytes - coalesce((select sum(bytes) from storage_use), 0))::bigint as room,
           contradicting_patients as contradicting,
           ${areBeingRemovedSql(hashes)} as "areGoing"
    from tenants`,
);
