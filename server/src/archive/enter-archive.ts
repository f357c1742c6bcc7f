import type { ContradictingPatients } from '@radwork/contract/identities';
import { sql } from 'kysely';
import type { Scope } from '#core/scope.ts';
import { statement } from '#core/statement.ts';
import { takeUploadTurn } from './upkeep/turns.ts';
import { areBeingRemoved, bytesOf } from './upkeep/unused-bytes.ts';

/** Bytes that are being uploaded are being removed from the store at this moment. Whoever waits a little finds them gone. */
export class BeingRemoved extends Error {}

/**
 * Begins a batch of an upload, in its transaction: from here on nothing that it keeps is taken for unused. Throws
 * BeingRemoved when it has to wait for that. Returns how many more bytes the tenant may store; those of uploads that
 * are not over yet are not among what it has, so that together they may go beyond it by as much as they hold. Returns as
 * well what the tenant does with files that contradict the patient who has their ID.
 */
export const enterArchive = async (
  scope: Scope,
  hashes: readonly string[],
): Promise<{ room: number; contradicting: ContradictingPatients }> => {
  // Sent together: the second sees what is there once the turn has been taken.
  const [, { room, contradicting, areGoing }] = await Promise.all([takeUploadTurn(scope), lookAround(scope, hashes)]);
  if (areGoing) throw new BeingRemoved();
  return { room: room ?? Infinity, contradicting };
};

const lookAround = async ({ db }: Scope, hashes: readonly string[]) => {
  const [found] = await lookAt(db, { hashes: bytesOf(hashes) });
  return found ?? { room: null, contradicting: 'KEEP' as const, areGoing: false };
};

const lookAt = statement(
  (_, { hashes }: { hashes: Buffer[] }) => sql<{
    room: number | null;
    contradicting: ContradictingPatients;
    areGoing: boolean;
  }>`
    select (storage_quota_bytes - coalesce((select sum(bytes) from storage_use), 0))::bigint as room,
           contradicting_patients as contradicting,
           ${areBeingRemoved(hashes)} as "areGoing"
    from tenants`,
);
