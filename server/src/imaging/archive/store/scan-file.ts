import { transferSyntaxOf } from '@radwork/dicom/transfer-syntax';
import type { Incoming } from '#core/blobs/blob-store.ts';
import { scan, type Scanner } from '#core/uploads/malware-scan.ts';
import type { FileFacts } from '#imaging/archive/header/file-facts.ts';

/** Bytes before the DICOM data. They may also be the start of a program or of another image format (PS3.10 §7.1). */
const preambleLength = 128;

/**
 * Returns whether a virus scanner finds something in a file (ASVS 5.0 5.4.3). By default it scans files that other
 * programs may open: documents, videos, files without frames, and images that start like another file type. SCAN_IMAGES
 * scans everything. Other pixels cannot run as a program and are decoded in a separate process. They are most of an
 * archive, and too much for many scanners. Throws NotScanned without an answer.
 */
export const hasMalware = async (
  scanner: Scanner,
  { instance }: Pick<FileFacts, 'instance'>,
  blob: Pick<Incoming, 'read' | 'size'>,
): Promise<boolean> => {
  const isImage = instance.frame_index !== null && transferSyntaxOf(instance.transfer_syntax_uid)?.codec !== 'video';
  const isEmptyBefore = async () => (await blob.read(0, preambleLength)).every((byte) => byte === 0);
  if (!scanner.seesImages && isImage && (await isEmptyBefore())) return false;
  return (await scan(scanner, blob)) !== undefined;
};
