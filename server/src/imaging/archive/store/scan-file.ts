import { transferSyntaxOf } from '@radwork/dicom/transfer-syntax';
import type { IncomingBlob } from '#core/blobs/blob-store.ts';
import { scan, type Scanner } from '#core/uploads/malware-scan.ts';
import type { FileFacts } from '#imaging/archive/header/file-facts.ts';

/**
 * Length in bytes of the preamble before the DICOM data. The preamble may also be the start of a program or of another
 * image format (PS3.10 §7.1).
 */
const preambleLength = 128;

/**
 * Returns whether a virus scanner finds a threat in a file (ASVS 5.0 5.4.3). By default, only files that other programs
 * may open are scanned: documents, videos, files without frames, and images that start like another file type.
 * SCAN_IMAGES scans every file. Other images cannot run as a program, and a separate process decodes them. They make up
 * most of an archive and would overload many scanners. Throws NotScanned if the scanner does not answer.
 */
export const hasMalware = async (
  scanner: Scanner,
  { instance }: Pick<FileFacts, 'instance'>,
  blob: Pick<IncomingBlob, 'read' | 'size'>,
): Promise<boolean> => {
  const isImage = instance.frame_index !== null && transferSyntaxOf(instance.transfer_syntax_uid)?.codec !== 'video';
  const isEmptyBefore = async () => (await blob.read(0, preambleLength)).every((byte) => byte === 0);
  if (!scanner.seesImages && isImage && (await isEmptyBefore())) return false;
  return (await scan(scanner, blob)) !== undefined;
};
