import { DicomError } from '@radwork/dicom/dicom-error';
import type { Incoming } from '#core/blob-store.ts';
import type { Scanner } from '#core/malware-scan.ts';
import { type FailureReason, failureReasons } from './failure-reasons.ts';
import type { FileFacts } from './file-facts.ts';
import { readFacts } from './read-facts.ts';
import { holdsMalware } from './scan-file.ts';

/** A file that was not stored, and why, for the person who sent it. The reason quotes nothing from the file. */
export type Refusal = {
  name: string;
  reason: string;
  failureReason: FailureReason;
  /** The archive has no space for it: the disk, or the tenant's part of it, is full. */
  isOutOfSpace?: true;
  sopClassUID?: string;
  sopInstanceUID?: string;
};

/** A file that has passed the gate; its place in the archive is still to be decided. */
export type Candidate = Omit<FileFacts, 'instance'> & {
  name: string;
  blob: Incoming;
  /** Of its bytes, in hexadecimal digits. */
  sha256: string;
  /** Resolves once its bytes are on disk for good, or with why they cannot be. */
  safe: Promise<Refusal | undefined>;
  instance: FileFacts['instance'] & { sha256: Buffer; size: number };
};

/**
 * The gate: reads the header and finds the frames, while the bytes are put on disk for good. A file that is refused
 * leaves nothing behind, nor does one that fails. `refusalOf` says what an error of the disk means for the file.
 */
export const ingest = async (
  name: string,
  blob: Incoming,
  refusalOf: (error: unknown) => Refusal,
  { tenantId, scanner }: { tenantId: number; scanner?: Scanner | undefined },
): Promise<Candidate | Refusal> => {
  const synced = blob.sync();
  // Nobody waits for it yet; whoever decides about the file does.
  synced.catch(() => {});
  try {
    // Hashed in a thread meanwhile. Whatever fails, nothing is read any more when the bytes are discarded.
    const facts = await readFacts(blob.read, blob.size, tenantId);
    const sha256 = await blob.sha256;
    if (scanner && (await holdsMalware(scanner, facts, blob))) throw new DicomError('LIMIT', infected);
    const safe = synced.then(() => blob.close()).then(() => undefined, refusalOf);
    safe.catch(() => {});
    const bytes = { sha256: Buffer.from(sha256, 'hex'), size: blob.size };
    return { ...facts, name, blob, sha256, safe, instance: { ...facts.instance, ...bytes } };
  } catch (error) {
    await synced.catch(() => {});
    await blob.discard();
    if (error instanceof DicomError) return { name, reason: error.message, failureReason: failureReasonOf(error) };
    throw error;
  }
};

const failureReasonOf = ({ code }: DicomError): FailureReason =>
  code === 'TRANSFER_SYNTAX' ? failureReasons.transferSyntaxNotSupported : failureReasons.cannotUnderstand;

const infected = 'The virus scanner has found something in the file.';

/** What makes a refusal one for want of space. */
export const outOfSpace = { failureReason: failureReasons.outOfResources, isOutOfSpace: true } as const;

export const isRefusal = (outcome: object): outcome is Refusal => 'failureReason' in outcome;
