import { transferSyntaxOf } from '@radwork/dicom/transfer-syntax';
import type { Incoming } from '#core/blob-store.ts';
import { scan, type Scanner } from '#core/malware-scan.ts';
import type { FileFacts } from './file-facts.ts';

/** Where a DICOM file may be the beginning of a program or a picture as well (PS3.10 §7.1). */
const preambleLength = 128;

/**
 * Whether a virus scanner finds something in a file (ASVS 5.0 5.4.3). Unless the operator wants it to see everything
 * (SCAN_IMAGES), it is shown what may be opened by something else than a viewer of ours: documents, videos, all else
 * without frames, and images that begin like a file of another kind. Pixels behind an empty preamble run nowhere and are
 * decoded in a process of its own: most of an archive, and more than many scanners take. Throws NotScanned when it does
 * not say.
 */
export const holdsMalware = async (
  scanner: Scanner,
  { instance }: Pick<FileFacts, 'instance'>,
  blob: Pick<Incoming, 'read' | 'size'>,
): Promise<boolean> => {
  const isImage = instance.frame_index !== null && transferSyntaxOf(instance.transfer_syntax_uid)?.codec !== 'video';
  const isEmptyBefore = async () => (await blob.read(0, preambleLength)).every((byte) => byte === 0);
  if (!scanner.seesImages && isImage && (await isEmptyBefore())) return false;
  return (await scan(scanner, blob)) !== undefined;
};
