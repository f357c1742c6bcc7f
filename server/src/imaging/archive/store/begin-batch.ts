import type { ContradictingPatients } from '@radwork/contract/core/patient-issuer';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { statement } from '#core/database/statement.ts';
import type { FileSource } from '#imaging/archive/index/plan-batch.ts';
import { issuerSql } from '#imaging/archive/patient-matching/default-issuer.ts';
import { hideRejectedSql } from '#imaging/archive/rejection/show-rejected.ts';
import { lockForUpload } from '#imaging/archive/upkeep/storage-locks.ts';
import { areBeingRemovedSql, bytesOf } from '#imaging/archive/upkeep/remove-unused.ts';

/** The store is removing a file with the same bytes as an uploaded file. The upload is retried after the removal. */
export class BeingRemoved extends Error {}

/** Settings and limits of the tenant that apply to a batch. */
export type BatchTerms = {
  /**
   * Bytes that the tenant may still store. Unfinished uploads are not counted, so parallel uploads may together exceed the
   * quota.
   */
  room: number;
  /** The setting for files that contradict the patient with the same Patient ID. */
  contradicting: ContradictingPatients;
  /** The issuer for Patient IDs without an issuer. Empty if the organization has set none. */
  issuer: string;
  /** An administrator lets uploads replace some deleted studies. Almost always false. */
  mayReplace: boolean;
};

/**
 * Begins a batch of an upload in its transaction. Until this transaction ends, upkeep does not treat the bytes of the
 * batch as unused. Throws BeingRemoved when some of these bytes are being removed.
 */
export const beginBatch = async (scope: Scope, hashes: readonly string[]): Promise<BatchTerms> => {
  // Both statements are sent together. The second statement reads after the first one has taken the lock.
  const [, terms] = await Promise.all([lockForUpload(scope), readBatchTerms(scope, hashes, undefined)]);
  return terms;
};

/**
 * Reads the terms of a batch in one statement, after the lock of the store was taken. Hides rejected rows from later
 * queries. Throws BeingRemoved like `beginBatch`.
 */
export const readBatchTerms = async (
  { db }: Scope,
  hashes: readonly string[],
  fileSource: FileSource,
): Promise<BatchTerms> => {
  const sourceId = fileSource && 'id' in fileSource ? fileSource.id : '';
  const [found] = await readTerms[fileSource?.kind ?? 'NONE'](db, { hashes: bytesOf(hashes), sourceId });
  if (found?.areGoing) throw new BeingRemoved();
  return {
    room: found?.room ?? Infinity,
    contradicting: found?.contradicting ?? 'KEEP',
    issuer: found?.issuer ?? '',
    mayReplace: found?.mayReplace ?? false,
  };
};

type FoundTerms = {
  room: number | null;
  contradicting: ContradictingPatients | null;
  issuer: string | null;
  areGoing: boolean;
  mayReplace: boolean;
};

type Places = { hashes: Buffer[]; sourceId: string };

/**
 * A row comes also when the tenant has none, so that rejected rows are always hidden. The order of hiding and reading is not
 * defined, so this may read no table with rejected rows.
 */
const termsFrom = (issuerOf: (sourceId: string) => RawBuilder<string>) =>
  statement(
    (_, { hashes, sourceId }: Places) => sql<FoundTerms>`
    select ${hideRejectedSql},
           (storage_quota_bytes - coalesce((select sum(bytes) from storage_use), 0))::bigint as room,
           contradicting_patients as contradicting,
           ${issuerOf(sourceId)} as issuer,
           ${areBeingRemovedSql(hashes)} as "areGoing",
           exists (select from early_purges where kind = 'REPLACE') as "mayReplace"
    from (values (1)) as always left join tenants on true`,
  );

const readTerms = {
  DEVICE: termsFrom(issuerSql.DEVICE),
  REMOTE: termsFrom(issuerSql.REMOTE),
  UPLOAD: termsFrom(issuerSql.UPLOAD),
  NONE: termsFrom(issuerSql.NONE),
};
