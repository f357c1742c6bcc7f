import { t } from '@radwork/contract/core/translate';
import { sentenceOfFault } from '@radwork/contract/imaging/file-faults';
import { DicomError } from '@radwork/dicom/dicom-error';
import type { IncomingBlob } from '#core/blobs/blob-store.ts';
import type { Scanner } from '#core/uploads/malware-scan.ts';
import { type FailureReason, failureReasons } from './failure-reasons.ts';
import type { FileFacts } from '#imaging/archive/header/file-facts.ts';
import { readFacts } from '#imaging/archive/header/read-facts.ts';
import { hasMalware } from './scan-file.ts';

/** A file that was not stored, with the reason for its sender. The reason quotes nothing from the file. */
export type Refusal = {
  name: string;
  reason: string;
  failureReason: FailureReason;
  /** The archive has no space: the disk or the tenant's quota is full. */
  isOutOfSpace?: true;
  sopClassUID?: string;
  sopInstanceUID?: string;
};

/** A file that passed the checks. `writeBatch` later decides to which study it belongs, or refuses it. */
export type Candidate = Omit<FileFacts, 'instance'> & {
  name: string;
  blob: IncomingBlob;
  /** SHA-256 of the bytes in hexadecimal digits. */
  sha256: string;
  /** Resolves when the bytes are durable on disk, or with the reason why they cannot be durable. */
  durable: Promise<Refusal | undefined>;
  instance: FileFacts['instance'] & { sha256: Buffer; size: number };
};

/**
 * Reads the header and finds the frames while the bytes are written to disk. A file that is refused or fails leaves no
 * bytes. `refusalOf` converts a disk error to a refusal.
 */
export const ingestFile = async (
  name: string,
  blob: IncomingBlob,
  refusalOf: (error: unknown) => Refusal,
  { tenantId, scanner }: { tenantId: number; scanner?: Scanner | undefined },
): Promise<Candidate | Refusal> => {
  const synced = blob.sync();
  // Prevents an unhandled rejection until a later step awaits this promise.
  synced.catch(() => {});
  try {
    // Another thread computes the hash while this one reads the header. If either fails, the bytes are discarded only
    // after the sync has ended.
    const facts = await readFacts(blob.read, blob.size, tenantId);
    const sha256 = await blob.sha256;
    if (scanner && (await hasMalware(scanner, facts, blob))) throw new Infected();
    const durable = synced.then(() => blob.close()).then(() => undefined, refusalOf);
    durable.catch(() => {});
    const bytes = { sha256: Buffer.from(sha256, 'hex'), size: blob.size };
    return { ...facts, name, blob, sha256, durable, instance: { ...facts.instance, ...bytes } };
  } catch (error) {
    await synced.catch(() => {});
    await blob.discard();
    if (error instanceof Infected)
      return { name, reason: malwareReason(), failureReason: failureReasons.cannotUnderstand };
    if (error instanceof DicomError)
      return { name, reason: sentenceOfFault(error.fault), failureReason: failureReasonOf(error) };
    throw error;
  }
};

const failureReasonOf = ({ code }: DicomError): FailureReason =>
  code === 'TRANSFER_SYNTAX' ? failureReasons.transferSyntaxNotSupported : failureReasons.cannotUnderstand;

/** The virus scanner found a threat in the file. */
class Infected extends Error {
  override readonly name = 'Infected';
}

const malwareReason = () => t`The virus scanner found a threat in the file.`;

/** Properties of a refusal because of missing space. */
export const outOfSpace = { failureReason: failureReasons.outOfResources, isOutOfSpace: true } as const;

export const isRefusal = (outcome: object): outcome is Refusal => 'failureReason' in outcome;
