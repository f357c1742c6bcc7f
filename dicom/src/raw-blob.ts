import { DicomError, NeedMoreBytes, truncated } from './dicom-error.ts';
import { tagAt, uint32 } from './reading.ts';
import { readRawFile, type RawFile } from './raw-data-set.ts';
import { itemTag, sequenceDelimitationTag } from './vr.ts';

/** Bytes of the first read. Nearly every file header fits into them. */
export const firstRead = 64 * 1024;

/** Reads the header of a blob from its beginning, and only as far as needed. */
export const readRawBlob = async (blob: Blob): Promise<RawFile> => {
  let length = Math.min(firstRead, blob.size);
  for (;;) {
    const bytes = await bytesOf(blob.slice(0, length));
    try {
      return readRawFile(bytes, blob.size);
    } catch (error) {
      if (!(error instanceof NeedMoreBytes) || error.needed <= length) throw error;
      length = error.needed;
    }
  }
};

export const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer());

const windowLength = 64 * 1024;

/** The end of the pixel data, from the start of the file. Throws TRUNCATED when it exceeds the file. */
export const pixelDataEnd = async (blob: Blob, { pixelData }: RawFile): Promise<number> => {
  if (!pixelData) return blob.size;
  const { offset, length } = pixelData;
  if (length === undefined) return fragmentsEnd(blob, offset);
  if (offset + length > blob.size) throw truncated();
  return offset + length;
};

/** Walks over the fragments (PS3.5 §A.4). A file that ends after a complete fragment lacks only the delimiter. */
const fragmentsEnd = async (blob: Blob, start: number): Promise<number> => {
  let at = start;
  let window = { start: 0, bytes: new Uint8Array() as Uint8Array };
  while (at + 8 <= blob.size) {
    if (at < window.start || at + 8 > window.start + window.bytes.length) {
      window = { start: at, bytes: await bytesOf(blob.slice(at, at + windowLength)) };
    }
    const tag = tagAt(window.bytes, at - window.start, true);
    const length = uint32(window.bytes, at - window.start + 4, true);
    // Some devices write NULs for the delimiter. The archive decides whether the frames before them are complete.
    const isBlank = tag === '00000000' && length === 0;
    if (tag === sequenceDelimitationTag || isBlank) return at + 8;
    if (tag !== itemTag) throw new DicomError('imageDamaged');
    at += 8 + length;
    if (at > blob.size) throw truncated();
  }
  return at;
};
