import { withReadAhead, type ExactRead, type ReadBytes } from './byte-window.ts';
import { numberOf, textOf, valuesOf } from './dataset.ts';
import { DicomError, truncated } from './dicom-error.ts';
import { extendedOffsetTable } from './extended-offset-table.ts';
import { readFragments, type EncapsulatedPixels, type Fragment } from './fragments.ts';
import { endsCodestream, findFrameStarts, shownFrameStarts, type FrameStarts } from './frame-mapping.ts';
import type { FrameRanges } from './frame-ranges.ts';
import type { Header } from './header.ts';
import { packedRanges, type PackedBits } from './packed-bits.ts';
import { declaredFrames, pixelGeometry } from './pixel-geometry.ts';
import { checkTail } from './tail.ts';
import { transferSyntaxOf } from './transfer-syntax.ts';
import { encodeVarints, varintReader } from './varint.ts';

/** How the frames were found. "none" means no pixels. For "unmappable" a warning gives the reason. */
export type FrameMapping = 'none' | 'native' | 'packed bits' | 'unmappable' | FrameStarts['how'];

export type FrameIndex = {
  frames: FrameRanges[];
  how: FrameMapping;
  warnings: string[];
  /** Only for "packed bits": frames begin within bytes and need `alignedFrame`. */
  packed?: PackedBits;
};

/**
 * Finds the bytes of every frame, so that frames can be served without parsing the file again. Also checks that the
 * pixel data is complete. Reads a few bytes for each fragment and no pixels.
 *
 * `read` reads the file. For a deflated file, the header's `inflated` is used and ranges count from its start. Throws
 * DicomError: TRUNCATED for missing pixels, PIXEL for damaged pixels, or LIMIT.
 */
export const indexFrames = async (read: ReadBytes, header: Header, fileSize: number): Promise<FrameIndex> => {
  const { inflated, pixelData } = header;
  if (!pixelData) return { frames: [], how: 'none', warnings: [] };
  const readBytes: ReadBytes = inflated ? async (offset, length) => inflated.subarray(offset, offset + length) : read;
  const size = inflated ? inflated.length : fileSize;

  if (pixelData.length !== undefined) {
    const index = nativeFrames(header, pixelData.offset, pixelData.length);
    const tail = await checkTail(readBytes, header, pixelData.offset + pixelData.length, size);
    return { ...index, warnings: [...index.warnings, ...tail] };
  }
  const exactRead = withReadAhead(readBytes, size);
  const pixels = await readFragments(exactRead, pixelData.offset, size);
  const index = await encapsulatedFrames(exactRead, header, pixels, await extendedOffsetTable(readBytes, header));
  const tail = pixels.end === undefined ? [] : await checkTail(readBytes, header, pixels.end, size);
  return { ...index, warnings: [...index.warnings, ...tail] };
};

const unmappable = (reason: string): FrameIndex => ({
  frames: [],
  how: 'unmappable',
  warnings: [`The frames of the image cannot be separated. ${reason}`],
});

/** Uncompressed frames follow one another without gaps (PS3.5 §8.1.1). */
const nativeFrames = (header: Header, offset: number, length: number): FrameIndex => {
  const geometry = pixelGeometry(header.dataset, length);
  if (geometry.problem !== undefined) return unmappable(geometry.problem);
  const { frames, bitsPerFrame } = geometry;
  const needed = Math.ceil((frames * bitsPerFrame) / 8);
  const warnings = [...interpretationWarnings(header, geometry.interpretation), ...countWarnings(header, frames)];
  // Some devices cut odd pixel data to an even length instead of padding it (PS3.5 §7.1.1).
  const lacksLastByte = needed % 2 === 1 && length === needed - 1 && length > 0;
  if (lacksLastByte && bitsPerFrame % 8 === 0) {
    return packedIndex({ offset, bitsPerFrame, frames, length }, [
      ...warnings,
      'The last byte of the image is missing.',
    ]);
  }
  if (length < needed) throw truncated();
  if (frames > 1 && bitsPerFrame % 8 !== 0) {
    const isPacked = numberOf(header.dataset, 'BitsAllocated') === 1 && header.littleEndian;
    if (!isPacked) return unmappable('They do not start at whole bytes.');
    return packedIndex({ offset, bitsPerFrame, frames }, warnings);
  }
  const frameLength = Math.ceil(bitsPerFrame / 8);
  return {
    frames: Array.from({ length: frames }, (_, index) => [[offset + index * frameLength, frameLength]]),
    how: 'native',
    warnings,
  };
};

const interpretationWarnings = ({ dataset }: Header, interpretation: string): string[] =>
  interpretation === (textOf(dataset, 'PhotometricInterpretation') ?? '')
    ? []
    : ['The image declares reduced color resolution but contains full color.'];

const packedIndex = (packed: PackedBits, warnings: string[]): FrameIndex => ({
  frames: packedRanges(packed),
  how: 'packed bits',
  warnings,
  packed,
});

const encapsulatedFrames = async (
  read: ExactRead,
  header: Header,
  pixels: EncapsulatedPixels,
  extendedTable: number[],
): Promise<FrameIndex> => {
  const geometry = pixelGeometry(header.dataset);
  if (geometry.problem !== undefined) return unmappable(geometry.problem);
  const { fragments } = pixels;
  if (fragments.length === 0) throw truncated();
  const syntax = transferSyntaxOf(header.transferSyntaxUID);
  if (syntax?.codec === 'video') return unmappable('They form one video.');

  const located = await frameStarts(read, header, pixels, { extendedTable, bitsPerFrame: geometry.bitsPerFrame });
  const frames = located.starts.map((start, index) => rangesOf(fragments.slice(start, located.starts[index + 1])));
  if (frames.some((ranges) => ranges.length === 0)) return unmappable('One of them is empty.');
  if (frames.some((ranges) => ranges.length > mostPieces)) return unmappable('One of them has too many fragments.');
  return {
    frames,
    how: located.how,
    warnings: [...mappingWarnings(located, pixels), ...countWarnings(header, frames.length)],
  };
};

type DeclaredFrames = { extendedTable: number[]; bitsPerFrame: number };

/**
 * Returns the frames that the file declares, else the frames that its fragments show. If neither works, reads a single
 * frame, or throws PIXEL if more than one is declared. No image is stored whose frames cannot be shown.
 */
const frameStarts = async (
  read: ExactRead,
  header: Header,
  pixels: EncapsulatedPixels,
  { extendedTable, bitsPerFrame }: DeclaredFrames,
): Promise<FrameStarts> => {
  const declared = declaredFrames(header.dataset);
  const { fragments } = pixels;
  const isEnded = pixels.end !== undefined && !pixels.isEndBlank;
  if (!isEnded && fragments.length !== (declared ?? 1)) await refuseLostFrames(read, pixels, declared ?? 1);
  const codec = transferSyntaxOf(header.transferSyntaxUID)?.codec ?? 'none';
  const located = declared && (await findFrameStarts(read, pixels, extendedTable, declared));
  if (located && (declared > 1 || fragments.length === 1 || located.how === 'extended offset table')) return located;
  const displayed = await shownFrameStarts(read, pixels, codec, bitsPerFrame);
  if (displayed && (isEnded || displayed.starts.length >= (declared ?? 1))) return displayed;
  if (declared !== undefined && declared > 1) {
    throw new DicomError({ kind: 'unassignableFrames', frames: declared, parts: fragments.length });
  }
  return { how: 'single frame', starts: [0] };
};

/**
 * Refuses a file that may have lost frames. Accepts it only if there are more fragments than declared frames, and the
 * last fragment ends a codestream before a blank delimiter.
 */
const refuseLostFrames = async (read: ExactRead, pixels: EncapsulatedPixels, declared: number): Promise<void> => {
  const last = pixels.isEndBlank ? pixels.fragments.at(-1) : undefined;
  const isComplete = last && pixels.fragments.length > declared && (await endsCodestream(read, last));
  if (!isComplete) throw truncated();
};

/** Returns a warning if the file declares a wrong number of frames. */
const countWarnings = ({ dataset }: Header, frames: number): string[] => {
  const declared = declaredFrames(dataset);
  const isRight =
    declared === undefined ? valuesOf(dataset, 'NumberOfFrames').length === 0 && frames === 1 : declared === frames;
  if (isRight) return [];
  return [`The file declares a wrong number of frames. Its image has ${frames}.`];
};

/** Maximum number of fragments for a frame. It is far above what encoders make. Each fragment costs one read. */
const mostPieces = 16_384;

const rangesOf = (fragments: Fragment[]): FrameRanges =>
  fragments.filter(({ length }) => length > 0).map(({ offset, length }) => [offset, length]);

const mappingWarnings = ({ how }: FrameStarts, { basicOffsetTable, end, isEndBlank }: EncapsulatedPixels): string[] => [
  ...(isEndBlank ? ['The end mark of the image is blank, but all frames are present.'] : []),
  ...(end === undefined ? ['The image has no end mark, but all frames are present.'] : []),
  ...(basicOffsetTable.length > 1 && (how === 'one fragment per frame' || how === 'start of codestream')
    ? ['The offset table of the image is wrong and was not used.']
    : []),
];

/**
 * Encodes a frame index in a few bytes for each frame, to be stored with the instance. It starts with the length of a
 * JSON text, and the text with method and warnings. For each frame follows the number of its pieces. For each piece
 * follow its distance from the end of the previous piece, and its length. Packed bits need only their start.
 */
export const encodeFrameIndex = ({ frames, how, warnings, packed }: FrameIndex): Buffer => {
  const text = Buffer.from(JSON.stringify({ how, warnings, packed }));
  const storedRanges = packed ? [] : frames;
  const numbers = [storedRanges.length];
  let end = 0;
  for (const ranges of storedRanges) {
    numbers.push(ranges.length);
    for (const [offset, length] of ranges) {
      numbers.push(offset - end, length);
      end = offset + length;
    }
  }
  return Buffer.concat([encodeVarints([text.length]), text, encodeVarints(numbers)]);
};

/**
 * Returns the bytes of the frames at these indexes (from 0), undefined for a missing frame. Reads an index of
 * `encodeFrameIndex` only up to the last wanted frame, because an image may have a million. Throws on other bytes.
 */
export const framesAt = (
  bytes: Buffer,
  places: readonly number[],
): { frames: (FrameRanges | undefined)[]; packed: PackedBits | undefined } => {
  const { packed, listed } = partsOf(bytes);
  if (packed) {
    const frames = packedRanges(packed);
    return { frames: places.map((place) => frames[place]), packed };
  }
  const requestedPlaces = new Set(places);
  const last = Math.max(...requestedPlaces);
  const rangesByPlace = new Map<number, FrameRanges>();
  let place = 0;
  for (const ranges of rangesIn(listed, (at) => requestedPlaces.has(at))) {
    if (requestedPlaces.has(place)) rangesByPlace.set(place, ranges);
    if (place === last) break;
    place += 1;
  }
  return { frames: places.map((at) => rangesByPlace.get(at)), packed };
};

const partsOf = (bytes: Buffer): Omit<FrameIndex, 'frames'> & { listed: Buffer } => {
  const textLength = varintReader(bytes)();
  const textStart = encodeVarints([textLength]).length;
  const text = bytes.toString('utf8', textStart, textStart + textLength);
  return { ...JSON.parse(text), listed: bytes.subarray(textStart + textLength) };
};

const nothing: FrameRanges = [];

/** Yields each frame in order. Unwanted frames have no ranges. */
function* rangesIn(packed: Buffer, isWanted: (place: number) => boolean): Generator<FrameRanges> {
  const next = varintReader(packed);
  const frames = next();
  let end = 0;
  for (let place = 0; place < frames; place += 1) {
    const ranges: FrameRanges = isWanted(place) ? [] : nothing;
    for (let remaining = next(); remaining > 0; remaining -= 1) {
      const offset = end + next();
      const length = next();
      end = offset + length;
      if (ranges !== nothing) ranges.push([offset, length]);
    }
    yield ranges;
  }
}
