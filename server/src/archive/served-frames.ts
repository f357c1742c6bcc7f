import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { turningRound } from '@radwork/dicom/byte-order';
import type { ReadBytes } from '@radwork/dicom/byte-window';
import { numberOf } from '@radwork/dicom/dataset';
import { framesAt, type FrameRanges } from '@radwork/dicom/frame-index';
import type { Header } from '@radwork/dicom/header';
import { alignedFrame, type PackedBits } from '@radwork/dicom/packed-bits';
import { explicitLittleEndian, transferSyntaxOf } from '@radwork/dicom/transfer-syntax';
import type { BlobStore, Piece } from '#core/blob-store.ts';
import { rgbOfHalfColour } from './colours.ts';
import type { StoredInstance } from './objects.ts';
import { readHeaderOf } from './read-header.ts';

const inflateRaw = promisify(zlib.inflateRaw);

/** A frame of more bytes, or one that claims to unpack to more, is not a picture. */
export const largestFrame = 256 << 20;

type Encoding = Pick<StoredInstance, 'transferSyntaxUid' | 'photometricInterpretation'>;

/**
 * Whether frames are served as RGB although the file has them otherwise: uncompressed pixels that share their colour
 * by two. Cornerstone3D shows those black, and no other viewer misses them (docs/decisions: frames and metadata).
 */
export const isServedAsRgb = ({ transferSyntaxUid, photometricInterpretation }: Encoding): boolean =>
  transferSyntaxOf(transferSyntaxUid)?.encapsulated === false &&
  /^YBR_(FULL|PARTIAL)_422$/.test(photometricInterpretation);

/** Where one frame is in its file: the bytes that hold it and, of packed bits, which frame of them it is (from 0). */
export type StoredFrame = { ranges: FrameRanges; bits?: { packed: PackedBits; frame: number } };

/** The frames of an instance by their numbers (from 1), undefined for each that there is not. */
export const storedFrames = (
  { frameIndex }: Pick<StoredInstance, 'frameIndex'>,
  numbers: readonly number[],
): (StoredFrame | undefined)[] => {
  if (!frameIndex) return numbers.map(() => undefined);
  const places = numbers.map((number) => number - 1);
  const { frames, packed } = framesAt(frameIndex, places);
  return places.map((frame, index) => {
    const ranges = frames[index];
    return ranges && { ranges, ...(packed && { bits: { packed, frame } }) };
  });
};

/** Whether the bytes of a frame are served as they stand in the file. */
export const isServedAsStored = (instance: Encoding, { bits }: StoredFrame): boolean =>
  !bits && areFramesServedAsStored(instance);

const areFramesServedAsStored = (instance: Encoding): boolean => {
  const syntax = transferSyntaxOf(instance.transferSyntaxUid);
  if (!syntax) return true;
  if (syntax.encapsulated) return syntax.codec !== 'deflate';
  return syntax.littleEndian && !syntax.deflated && !isServedAsRgb(instance);
};

/** The transfer syntax in which frames are served: images that are compressed as they are, all else in little endian. */
export const servedTransferSyntax = ({ transferSyntaxUid }: Encoding): string => {
  const codec = transferSyntaxOf(transferSyntaxUid)?.codec;
  return codec === 'none' || codec === 'deflate' ? explicitLittleEndian.uid : transferSyntaxUid;
};

/** The bytes of one frame as they are served. */
export const readFrame = async (
  blobs: BlobStore,
  tenantId: number,
  instance: StoredInstance,
  { ranges, bits }: StoredFrame,
): Promise<Buffer> => {
  const read: ReadBytes = (offset, length) => blobs.read(tenantId, instance.sha256, offset, length);
  const bytes = areFramesServedAsStored(instance)
    ? await together(read, ranges)
    : await changedFrame(read, instance, ranges);
  return bits ? alignedFrame(bytes, bits.packed, bits.frame) : bytes;
};

/** How many bytes of a file hold a frame. */
export const storedLengthOf = ({ ranges }: StoredFrame): number => ranges.reduce((sum, [, length]) => sum + length, 0);

/** Where the ranges of a frame belong in a buffer that holds them one after another from `at` on. */
export const piecesOf = (ranges: FrameRanges, at: number): { pieces: Piece[]; end: number } => {
  const pieces: Piece[] = [];
  let end = at;
  for (const [offset, length] of ranges) {
    pieces.push({ offset, length, at: end });
    end += length;
  }
  return { pieces, end };
};

/** A frame that is stored otherwise than it is served: deflated, in big endian, or with half of its colour. */
const changedFrame = async (read: ReadBytes, instance: StoredInstance, ranges: FrameRanges): Promise<Buffer> => {
  const syntax = transferSyntaxOf(instance.transferSyntaxUid);
  if (syntax?.codec === 'deflate') return inflateRaw(await together(read, ranges), { maxOutputLength: largestFrame });
  const header = await readHeaderOf(read, instance.size);
  const { inflated } = header;
  const readData: ReadBytes = inflated ? async (offset, length) => inflated.subarray(offset, offset + length) : read;
  const isBigEndian = syntax?.littleEndian === false;
  const littleEndian = isBigEndian ? await readTurnedRound(readData, ranges, header) : await together(readData, ranges);
  if (!isServedAsRgb(instance)) return littleEndian;
  const range = instance.photometricInterpretation === 'YBR_PARTIAL_422' ? 'partial' : 'full';
  return Buffer.from(rgbOfHalfColour(littleEndian, range).buffer);
};

const readTurnedRound = (read: ReadBytes, ranges: FrameRanges, header: Header): Promise<Buffer> => {
  const [[offset, length] = [0, 0]] = ranges;
  const start = header.pixelData?.offset ?? offset;
  return turningRound(read, start, wordSizeOf(header))(offset - start, length);
};

/** The pieces of a frame follow one another with a few bytes between: they are read at once. */
const together = async (read: ReadBytes, ranges: FrameRanges): Promise<Buffer> => {
  const [[start] = [0]] = ranges;
  const [last, lastLength] = ranges.at(-1) ?? [0, 0];
  const bytes = await read(start, last + lastLength - start);
  if (ranges.length === 1) return bytes;
  return Buffer.concat(ranges.map(([offset, length]) => bytes.subarray(offset - start, offset - start + length)));
};

/** Bytes are swapped within what the VR calls a word: even one-byte pixels, when they are written as OW (PS3.5 §7.3). */
export const wordSizeOf = ({ dataset, pixelData }: Header): number => {
  const bytesOfPixel = (numberOf(dataset, 'BitsAllocated') ?? 8) / 8;
  return pixelData?.vr === 'OB' ? 1 : Math.max(2, bytesOfPixel);
};
