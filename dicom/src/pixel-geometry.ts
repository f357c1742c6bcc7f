import { numberOf, textOf, type DicomJson } from './dataset.ts';

/**
 * The number of frames, the bits of one uncompressed frame, and the actual photometric interpretation; or `problem`,
 * the reason why these cannot be read.
 */
export type PixelGeometry =
  | { frames: number; bitsPerFrame: number; interpretation: string; problem?: undefined }
  | { problem: string };

const mostFrames = 1_000_000;
const mostSamples = 2 ** 34;

/**
 * Reads the declared geometry (PS3.3 §C.7.6.3). An image with a problem is stored but never decoded, so that a decoder
 * never meets an absurd size. `nativeLength` is the length of uncompressed pixel data in bytes. If the file does not
 * give the number of frames, this length shows it (PS3.3 §C.7.6.6: absent means 1). Some devices declare YBR_FULL_422
 * but store all chrominance. Then the length shows this too, and the result is YBR_FULL.
 */
export const pixelGeometry = (dataset: DicomJson, nativeLength?: number): PixelGeometry => {
  const rows = numberOf(dataset, 'Rows');
  const columns = numberOf(dataset, 'Columns');
  if (!isCount(rows, 65_535) || !isCount(columns, 65_535)) return { problem: 'The rows and columns are invalid.' };

  const samples = numberOf(dataset, 'SamplesPerPixel') ?? 1;
  if (![1, 3, 4].includes(samples)) return { problem: 'The samples per pixel are invalid.' };

  const bits = numberOf(dataset, 'BitsAllocated') ?? 0;
  const bitsStored = numberOf(dataset, 'BitsStored') ?? bits;
  const highBit = numberOf(dataset, 'HighBit') ?? bitsStored - 1;
  if (![1, 8, 16, 32, 64].includes(bits) || !isCount(bitsStored, bits) || !(highBit >= 0 && highBit < bits)) {
    return { problem: 'The bits per pixel are invalid.' };
  }

  const declared = declaredFrames(dataset);
  if ((declared ?? 1) > mostFrames) return { problem: 'The number of frames is invalid.' };

  const declaredInterpretation = textOf(dataset, 'PhotometricInterpretation') ?? '';
  const bitsOfSample = rows * columns * bits;
  const hasAllColor =
    declaredInterpretation === 'YBR_FULL_422' &&
    samples === 3 &&
    evenBytes(3 * (declared ?? 1) * bitsOfSample) === nativeLength;
  const interpretation = hasAllColor ? 'YBR_FULL' : declaredInterpretation;
  const bitsPerFrame = bitsOfSample * storedSamples(interpretation, samples);
  const frames = declared ?? wholeFrames(nativeLength, bitsPerFrame) ?? 1;
  if (rows * columns * samples * frames > mostSamples) return { problem: 'The declared size is too large.' };
  return { frames, bitsPerFrame, interpretation };
};

/** The number of frames that a file declares. Undefined if it declares none, or an impossible number such as 0. */
export const declaredFrames = (dataset: DicomJson): number | undefined => {
  const frames = numberOf(dataset, 'NumberOfFrames');
  return isCount(frames, Number.MAX_SAFE_INTEGER) ? frames : undefined;
};

/** The number of frames that fill the uncompressed pixel data exactly, if it is more than one. */
const wholeFrames = (nativeLength = 0, bitsPerFrame: number): number | undefined => {
  if (nativeLength < bitsPerFrame / 8 || evenBytes(bitsPerFrame) === evenBytes(8 * nativeLength)) return undefined;
  const frames = Math.floor((8 * nativeLength) / bitsPerFrame);
  const fills = evenBytes(frames * bitsPerFrame) === evenBytes(8 * nativeLength);
  return fills && isCount(frames, mostFrames) ? frames : undefined;
};

/** Values have an even length (PS3.5 §7.1.1). */
const evenBytes = (bits: number): number => 2 * Math.ceil(bits / 16);

const isCount = (value: number | undefined, most: number): value is number =>
  value !== undefined && Number.isInteger(value) && value >= 1 && value <= most;

/** Stored samples for each pixel: uncompressed YBR may subsample its chrominance (PS3.3 §C.7.6.3.1.2). */
const storedSamples = (interpretation: string, samples: number): number => {
  if (samples === 3 && interpretation.endsWith('_422')) return 2;
  return samples === 3 && interpretation.endsWith('_420') ? 1.5 : samples;
};
