import { sentenceOfFault } from '@radwork/contract/imaging/file-faults';
import { t } from '@radwork/contract/core/translate';
import { DicomError, NeedMoreBytes } from '@radwork/dicom/dicom-error';
import { firstRead } from '@radwork/dicom/raw-blob';
import { type RawFile, readRawFile } from '@radwork/dicom/raw-data-set';
import { type Refiling, refiledHeader } from '@radwork/dicom/refile-header';
import type { Context } from '#core/context.ts';
import { conflict } from '#core/http/problem.ts';
import type { UploadedFile } from '#imaging/archive/store/store-instances.ts';

type Blobs = Context['blobs'];

/** Bytes of an image in the store. */
export type StoredImage = { sopInstanceUID: string; sha256: string; size: number };

/**
 * Yields copies of images under their new study, with the pixel data of the originals. Throws 409 for a file whose
 * header cannot be written again.
 */
export async function* copiesOf(
  blobs: Blobs,
  tenantId: number,
  images: readonly StoredImage[],
  refiling: Refiling,
): AsyncGenerator<UploadedFile> {
  for (const image of images) {
    const raw = await headerOf(blobs, tenantId, image);
    yield { name: image.sopInstanceUID, body: copyOf(blobs, tenantId, { image, raw, refiling }) };
  }
}

const headerOf = async (blobs: Blobs, tenantId: number, { sha256, size }: StoredImage): Promise<RawFile> => {
  let length = Math.min(firstRead, size);
  for (;;) {
    const bytes = await collected(blobs.stream(tenantId, sha256, { offset: 0, length }));
    try {
      return readRawFile(bytes, size);
    } catch (error) {
      if (error instanceof NeedMoreBytes && error.needed > length) length = error.needed;
      else if (error instanceof DicomError) throw notCopied(error);
      else throw error;
    }
  }
};

const notCopied = ({ fault }: DicomError) => {
  const why = sentenceOfFault(fault);
  return conflict(
    'series.not_copied',
    fault.kind === 'deflatedForBrowser'
      ? t`An image is compressed as a whole file and cannot be moved.`
      : t`An image cannot be moved: ${why}`,
  );
};

const collected = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
};

type Copy = { image: StoredImage; raw: RawFile; refiling: Refiling };

/** Leaves out elements after native pixel data. Signatures would be invalid after a new header (PS3.3 §C.12.1.1.3). */
async function* copyOf(
  blobs: Blobs,
  tenantId: number,
  { image: { sha256, size }, raw, refiling }: Copy,
): AsyncGenerator<Buffer> {
  for (const piece of refiledHeader(raw, refiling)) yield Buffer.from(piece);
  if (!raw.pixelData) return;
  const { start, offset, length } = raw.pixelData;
  const end = length === undefined ? size : offset + length;
  for await (const piece of blobs.stream(tenantId, sha256, { offset: start, length: end - start })) {
    yield piece as Buffer;
  }
}
