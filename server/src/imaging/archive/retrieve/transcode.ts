import { t } from '@radwork/contract/core/translate';
import { type ReadBytes, withReadAhead } from '@radwork/dicom/byte-window';
import { swapBytes } from '@radwork/dicom/byte-order';
import {
  encodeAfterPixels,
  encodeBeforePixels,
  encodeElementHeader,
  type UncompressedSyntax,
  NotReEncodable,
} from '@radwork/dicom/uncompressed-data-set';
import { readFragments } from '@radwork/dicom/fragments';
import type { Header, PixelData } from '@radwork/dicom/header';
import { type Elements, writeFileStart } from '@radwork/dicom/part10';
import { explicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { Problem } from '#core/http/problem.ts';
import type { StoredInstance } from '#imaging/archive/dicomweb/stored-instances.ts';
import { readInChunks } from './byte-ranges.ts';
import { readHeaderOf } from '#imaging/archive/header/read-header.ts';
import { pixelFormatOf } from '#imaging/archive/pixels/image-description.ts';
import { type DecodedFrame, NotRenderable, type PixelFormat } from '#imaging/archive/pixels/pixel-format.ts';
import { wordSizeOf } from './served-frames.ts';
import type { Wado } from '#imaging/archive/dicomweb/wado-context.ts';

/** A file in another transfer syntax than stored. Its length is known before its bytes are made. */
export type Transcoded = { length: number; bytes: () => AsyncGenerator<Buffer> };

type Services = Pick<Wado, 'blobs' | 'renderer'>;
type Pixels = { changed: Elements; vr: string; length: number; bytes: () => AsyncGenerator<Buffer> };

/** Bytes before or after the pixels that are held in memory. The pixels may have any size. */
const mostAroundPixels = 64 << 20;
/** Maximum length of pixel data in a file (PS3.5 §7.1.2). */
const longestPixels = 0xffff_fffe;

/**
 * Converts a stored file to Explicit VR Little Endian, which every current client reads. Can also convert to Implicit
 * VR Little Endian, the default transfer syntax (PS3.5 §10.1). Decodes one frame at a time while sending. The header
 * describes the new pixels and keeps everything else, including that quality was lost earlier. Throws 406 when the file
 * cannot be converted.
 */
export const transcode = async (
  services: Services,
  tenantId: number,
  instance: StoredInstance,
  into: UncompressedSyntax = explicitLittleEndian,
): Promise<Transcoded> => {
  try {
    return await inPlain(services, tenantId, instance, into);
  } catch (error) {
    if (!(error instanceof NotRenderable) && !(error instanceof NotReEncodable)) throw error;
    throw cannotTranscode(instance, error instanceof NotRenderable ? error.reason : error.message);
  }
};

/** Creates the refusal that names the stored transfer syntax. */
export const cannotTranscode = ({ transferSyntaxUid }: Pick<StoredInstance, 'transferSyntaxUid'>, why = ''): Problem =>
  new Problem(406, 'retrieve.transfer_syntax', t`Stored in transfer syntax ${transferSyntaxUid}. ${why}`.trim());

const inPlain = async (
  { blobs, renderer }: Services,
  tenantId: number,
  instance: StoredInstance,
  into: UncompressedSyntax,
): Promise<Transcoded> => {
  const read: ReadBytes = (offset, length) => blobs.read(tenantId, instance.sha256, offset, length);
  const header = await readHeaderOf(read, instance.size);
  const { inflated, pixelData } = header;
  const readData: ReadBytes = inflated ? async (offset, length) => inflated.subarray(offset, offset + length) : read;
  const size = inflated?.length ?? instance.size;
  const start = await upTo(read, header, instance.size);
  const decode = (frame: number, format: PixelFormat) => renderer.decoded(tenantId, instance, frame, format);
  const pixels = pixelData && (await pixelsOf(readData, header, pixelData, instance, decode));
  const before = Buffer.concat([
    writeFileStart(into.uid, {
      SOPClassUID: header.sopClassUID,
      SOPInstanceUID: header.sopInstanceUID,
    }),
    encodeBeforePixels(start, header, into, pixels?.changed),
    ...(pixelData && pixels ? [encodeElementHeader(pixelData.tag, pixels.vr, evenly(pixels.length), into)] : []),
  ]);
  const after = pixelData ? await afterPixels(readData, header, pixelData, { size, into }) : Buffer.alloc(0);
  return {
    length: before.length + evenly(pixels?.length ?? 0) + after.length,
    bytes: async function* () {
      yield before;
      if (pixels) yield* pixels.bytes();
      if (pixels && pixels.length % 2 === 1) yield Buffer.alloc(1);
      yield after;
    },
  };
};

const evenly = (length: number): number => length + (length % 2);

/** Reads the file up to its pixel data. A deflated file is already unpacked, so nothing is read. */
const upTo = async (read: ReadBytes, { inflated, pixelData }: Header, size: number): Promise<Buffer> => {
  if (inflated) return Buffer.alloc(0);
  const length = pixelData?.offset ?? size;
  if (length > mostAroundPixels) throw new NotReEncodable(t`The file is too large to transcode.`);
  return read(0, length);
};

const pixelsOf = (
  read: ReadBytes,
  header: Header,
  pixelData: PixelData,
  instance: StoredInstance,
  decode: (frame: number, format: PixelFormat) => Promise<DecodedFrame>,
): Promise<Pixels> | Pixels =>
  pixelData.length === undefined
    ? decodedPixels(pixelFormatOf(header.dataset), instance.numberOfFrames, decode)
    : nativePixels(read, header, pixelData.offset, pixelData.length);

/** Returns the bytes of uncompressed pixels. Bytes in big endian are swapped. */
const nativePixels = (read: ReadBytes, header: Header, offset: number, stored: number): Pixels => {
  const wordSize = header.littleEndian ? 1 : wordSizeOf(header);
  const length = stored - (stored % wordSize);
  return {
    changed: {},
    vr: header.pixelData?.vr ?? 'OW',
    length,
    bytes: () => {
      const chunks = readInChunks(read, offset, length);
      return header.littleEndian ? chunks : inLittleEndian(chunks, wordSize);
    },
  };
};

/** Swaps the bytes of each word. Pieces must end between two words, not within one. */
async function* inLittleEndian(chunks: AsyncGenerator<Buffer>, wordSize: number): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield swapBytes(chunk, wordSize);
}

/** Decodes the first frame, on which the header depends, and the others while sending. */
const decodedPixels = async (
  format: PixelFormat,
  frames: number,
  decode: (frame: number, format: PixelFormat) => Promise<DecodedFrame>,
): Promise<Pixels> => {
  const first = await decode(1, format);
  const length = frames * first.pixels.length;
  if (first.format.bitsAllocated === 1 || format.bitsAllocated === 1) {
    throw new NotReEncodable(t`One-bit pixels cannot be decompressed.`);
  }
  if (length > longestPixels) throw new NotReEncodable(t`The decompressed file would be too large.`);
  return {
    changed: { ...changesFor(first.format, format), ...(frames > 1 && { NumberOfFrames: frames }) },
    vr: first.format.bitsAllocated > 8 ? 'OW' : 'OB',
    length,
    bytes: async function* () {
      yield bufferOf(first.pixels);
      for (let frame = 2; frame <= frames; frame += 1) {
        const { pixels } = await decode(frame, format);
        if (pixels.length !== first.pixels.length) throw new Error('A frame differs in size from the first');
        yield bufferOf(pixels);
      }
    },
  };
};

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

/** Returns what changes in the header for decompressed pixels (PS3.5 §8.2). */
const changesFor = (decoded: PixelFormat, stored: PixelFormat): Elements => ({
  PhotometricInterpretation: decoded.photometricInterpretation,
  ...(decoded.samplesPerPixel > 1 && { PlanarConfiguration: decoded.isPlanar ? 1 : 0 }),
  ...(decoded.bitsAllocated !== stored.bitsAllocated && { BitsAllocated: decoded.bitsAllocated }),
  ExtendedOffsetTable: undefined,
  ExtendedOffsetTableLengths: undefined,
});

/** Returns the elements after the pixel data. Few files have any. */
const afterPixels = async (
  read: ReadBytes,
  header: Header,
  { offset, length }: PixelData,
  { size, into }: { size: number; into: UncompressedSyntax },
): Promise<Buffer> => {
  const end =
    length === undefined ? (await readFragments(withReadAhead(read, size), offset, size)).end : offset + length;
  if (end === undefined || end >= size) return Buffer.alloc(0);
  if (size - end > mostAroundPixels) throw new NotReEncodable(t`Too much data follows the image.`);
  return encodeAfterPixels(await read(end, size - end), header, into);
};
