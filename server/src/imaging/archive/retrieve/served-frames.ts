import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { readSwapped } from '@radwork/dicom/byte-order';
import type { ReadBytes } from '@radwork/dicom/byte-window';
import { numberOf } from '@radwork/dicom/dataset';
import { framesAt } from '@radwork/dicom/frame-index';
import type { FrameRanges } from '@radwork/dicom/frame-ranges';
import type { Header } from '@radwork/dicom/header';
import { alignedFrame, type PackedBits } from '@radwork/dicom/packed-bits';
import { explicitLittleEndian, transferSyntaxOf } from '@radwork/dicom/transfer-syntax';
import type { BlobStore, BlobPiece } from '#core/blobs/blob-store.ts';
import { rgbOfYbr422 } from '#imaging/archive/pixels/color-spaces.ts';
import type { StoredInstance } from '#imaging/archive/dicomweb/stored-instances.ts';
import { readHeaderOf } from '#imaging/archive/header/read-header.ts';

const inflateRaw = promisify(zlib.inflateRaw);

/** Bytes of the largest frame that is rendered, stored or unpacked. */
export const largestFrame = 256 << 20;

type Encoding = Pick<StoredInstance, 'transferSyntaxUid' | 'photometricInterpretation'>;

/**
 * Returns whether frames are served as RGB. This is the case for uncompressed pixels with subsampled color (4:2:2),
 * which Cornerstone3D shows black. Other viewers show such pixels correctly (docs/decisions/0006).
 */
export const isServedAsRgb = ({ transferSyntaxUid, photometricInterpretation }: Encoding): boolean =>
  transferSyntaxOf(transferSyntaxUid)?.encapsulated === false &&
  /^YBR_(FULL|PARTIAL)_422$/.test(photometricInterpretation);

/** The place of a frame in its file: its byte ranges and, for packed bits, its index (from 0). */
export type StoredFrame = { ranges: FrameRanges; bits?: { packed: PackedBits; frame: number } };

/** Returns frames of an instance by number (from 1). A missing frame is undefined. */
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

/** Returns whether the bytes of a frame are served unchanged. */
export const isServedAsStored = (instance: Encoding, { bits }: StoredFrame): boolean =>
  !bits && areFramesServedAsStored(instance);

const areFramesServedAsStored = (instance: Encoding): boolean => {
  const syntax = transferSyntaxOf(instance.transferSyntaxUid);
  if (!syntax) return true;
  if (syntax.encapsulated) return syntax.codec !== 'deflate';
  return syntax.littleEndian && !syntax.deflated && !isServedAsRgb(instance);
};

/**
 * Returns the transfer syntax of served frames. Compressed images keep their own transfer syntax. Frames of all other
 * images are little endian.
 */
export const servedTransferSyntax = ({ transferSyntaxUid }: Encoding): string => {
  const codec = transferSyntaxOf(transferSyntaxUid)?.codec;
  return codec === 'none' || codec === 'deflate' ? explicitLittleEndian.uid : transferSyntaxUid;
};

/** Returns the bytes of a frame as served. */
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

/** Returns the stored length of a frame in bytes. */
export const storedLengthOf = ({ ranges }: StoredFrame): number => ranges.reduce((sum, [, length]) => sum + length, 0);

/** Copies the ranges of a frame into a buffer, one after the other, beginning at `at`. */
export const bufferPiecesOf = (ranges: FrameRanges, at: number): { pieces: BlobPiece[]; end: number } => {
  const pieces: BlobPiece[] = [];
  let end = at;
  for (const [offset, length] of ranges) {
    pieces.push({ offset, length, at: end });
    end += length;
  }
  return { pieces, end };
};

/** Converts a frame whose stored form is not the served one: deflated, big endian, or with subsampled color. */
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
  return Buffer.from(rgbOfYbr422(littleEndian, range).buffer);
};

const readTurnedRound = (read: ReadBytes, ranges: FrameRanges, header: Header): Promise<Buffer> => {
  const [[offset, length] = [0, 0]] = ranges;
  const start = header.pixelData?.offset ?? offset;
  return readSwapped(read, start, wordSizeOf(header))(offset - start, length);
};

/**
 * Returns the ranges of a frame, one after the other. Only a few bytes lie between them, so a single read gets all
 * ranges.
 */
const together = async (read: ReadBytes, ranges: FrameRanges): Promise<Buffer> => {
  const [[start] = [0]] = ranges;
  const [last, lastLength] = ranges.at(-1) ?? [0, 0];
  const bytes = await read(start, last + lastLength - start);
  if (ranges.length === 1) return bytes;
  return Buffer.concat(ranges.map(([offset, length]) => bytes.subarray(offset - start, offset - start + length)));
};

/**
 * Returns the number of bytes in each word of the pixel data. Words have the length of the VR, even for one-byte pixels
 * stored as OW (PS3.5 §7.3).
 */
export const wordSizeOf = ({ dataset, pixelData }: Header): number => {
  const bytesOfPixel = (numberOf(dataset, 'BitsAllocated') ?? 8) / 8;
  return pixelData?.vr === 'OB' ? 1 : Math.max(2, bytesOfPixel);
};
