import { archive } from '@radwork/contract/imaging/archive';
import { callStream } from '#core/http/api.ts';
import { type DicomJson, numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { seriesHeaderOf, wadoPrefix } from '#reading/viewer/images/series/series-headers.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { storedNumbers } from '#reading/viewer/images/values/stored-values.ts';
import { partsOf } from '#reading/viewer/segments/multipart-parts.ts';

/** Implicit and Explicit VR Little Endian (PS3.5 §A.1, A.2), whose frames are stored as they are drawn. */
const uncompressed = ['1.2.840.10008.1.2', '1.2.840.10008.1.2.1'];

/** The same header as in requests of the imaging library, so that the browser cache has the answer. */
const asStored = 'multipart/related; type=application/octet-stream; transfer-syntax=*';
const decoded = 'multipart/related; type="application/octet-stream"; transfer-syntax=1.2.840.10008.1.2.1';

/** Time-out in milliseconds. Many frames are slow to load. */
const patience = 60_000;

const lengthOf = (header: DicomJson): number => {
  const [rows = 0, columns = 0] = [numberOf(header, tag.Rows), numberOf(header, tag.Columns)];
  const [samples = 1, bits = 8] = [numberOf(header, tag.SamplesPerPixel), numberOf(header, tag.BitsAllocated)];
  return Math.ceil((rows * columns * samples * bits) / 8);
};

/**
 * Fetches frames of an instance (from 1) uncompressed in little endian, with all bits of their cells. The imaging
 * library does not keep these bits, only the rescaled values. Throws ApiError, or Error if the answer is not the
 * frames.
 */
export const storedFrames = async (
  { imageId, header }: Pick<SeriesImage, 'imageId' | 'header'>,
  numbers: readonly number[],
  signal: AbortSignal,
): Promise<Uint8Array[]> => {
  const [, studyUid = '', seriesUid = '', instanceUid = ''] =
    /studies\/([\d.]+)\/series\/([\d.]+)\/instances\/([\d.]+)\//.exec(imageId) ?? [];
  const response = await callStream(wadoPrefix, archive.frames, {
    params: { studyUid, seriesUid, instanceUid, frames: numbers.join() },
    accept: uncompressed.includes(textOf(header, tag.AvailableTransferSyntaxUID)) ? asStored : decoded,
    headers: seriesHeaderOf(imageId),
    timeout: patience,
    signal,
  });
  const parts = partsOf(response.headers.get('content-type') ?? '', new Uint8Array(await response.arrayBuffer()));
  const length = lengthOf(header);
  // An odd length is padded with a byte (PS3.5 §7.1.1).
  const areFrames = parts.every((part) => part.length === length || part.length === length + 1);
  if (parts.length !== numbers.length || !areFrames) throw new Error('The answer is not the frame');
  // A view would keep the whole answer in memory.
  return parts.map((part) => part.slice(0, length));
};

/** Fetches the frame of an image, as `storedFrames` does. */
export const storedPixels = async (image: SeriesImage, signal: AbortSignal): Promise<Uint8Array> => {
  const [pixels = new Uint8Array()] = await storedFrames(image, [image.frame], signal);
  return pixels;
};

type Cells = Uint8Array | Uint16Array | Uint32Array;

/** `pixels` begin at the first byte of their memory. */
const cellsOf = (pixels: Uint8Array, bits: number): Cells => {
  if (bits <= 8) return pixels;
  return bits === 16
    ? new Uint16Array(pixels.buffer, 0, pixels.length >> 1)
    : new Uint32Array(pixels.buffer, 0, pixels.length >> 2);
};

/** Returns the stored values in the pixels of a frame, without their unused bits. */
export const storedValuesOf = ({ header }: Pick<SeriesImage, 'header'>, pixels: Uint8Array): ArrayLike<number> => {
  const bitsAllocated = numberOf(header, tag.BitsAllocated) ?? 8;
  return storedNumbers({
    pixelData: cellsOf(pixels, bitsAllocated),
    bitsAllocated,
    bitsStored: numberOf(header, tag.BitsStored),
    highBit: numberOf(header, tag.HighBit),
    pixelRepresentation: numberOf(header, tag.PixelRepresentation) ?? 0,
  });
};
