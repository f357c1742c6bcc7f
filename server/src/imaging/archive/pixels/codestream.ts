import type { Codec } from '@radwork/dicom/transfer-syntax';
import { NotRenderable } from './pixel-format.ts';

type Size = { columns: number; rows: number };

/** Maximum number of scans. An image with more scans was made to keep the decoder busy. */
const mostScans = 200;

/**
 * Checks before decoding that a compressed frame has the size in the header, because a few bytes can claim an image of
 * gigabytes. Throws NotRenderable.
 */
export const checkCodestream = (codec: Codec, frame: Uint8Array, expected: Size): void => {
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.length);
  const size = sizeOf(codec, bytes);
  if (size === 'as the header says') return;
  if (!size) throw new NotRenderable('compressedDamaged');
  if (size.columns !== expected.columns || size.rows !== expected.rows) {
    throw new NotRenderable('otherSize');
  }
  const isJpeg2000 = codec === 'jpeg2000' || codec === 'htj2k';
  if (isJpeg2000 && size.columns * size.rows > mostPixels) {
    throw new NotRenderable('tooLarge');
  }
  if (isJpeg2000 && holdsTooFewTiles(bytes)) {
    throw new NotRenderable('tooSlow');
  }
};

/** Maximum number of pixels. The decoder holds each sample in 32 bits, and has 256 MiB of memory (render-pool.ts). */
const mostPixels = 64 << 20;

/** Number of tiles that is never refused. Real images may have up to this many tiles, even when bytes are missing. */
const ordinaryTiles = 4096;
/** Bytes of SOT and SOD. Every tile begins with them (ITU-T T.800 §A.4.2, §A.4.3). */
const tileHeader = 14;

/**
 * Returns whether an image claims many more tiles than its bytes can contain. The decoder would visit each of these
 * tiles.
 */
const holdsTooFewTiles = (bytes: Buffer): boolean => {
  const start = bytes.indexOf(Buffer.from([0xff, 0x4f, 0xff, 0x51]));
  if (start < 0 || start + 40 > bytes.length) return true;
  const at = (offset: number) => bytes.readUInt32BE(start + offset);
  const along = (end: number, tile: number, first: number) => Math.ceil((at(end) - at(first)) / at(tile));
  const tiles = along(8, 24, 32) * along(12, 28, 36);
  return tiles > ordinaryTiles && tiles * tileHeader > bytes.length;
};

const sizeOf = (codec: Codec, bytes: Buffer): Size | 'as the header says' | undefined => {
  switch (codec) {
    case 'none':
    case 'rle':
      // Uncompressed and RLE frames state no other size than the header.
      return 'as the header says';
    case 'jpeg':
    case 'jpeg-lossless':
    case 'jpeg-ls':
      return jpegSize(bytes);
    case 'jpeg2000':
    case 'htj2k':
      return jpeg2000Size(bytes);
    default:
      throw new NotRenderable('unknownCompression');
  }
};

/** Start of frame: FFC0 to FFCF except codes with another meaning, and FFF7 of JPEG-LS (ITU-T T.81 §B.2, T.87). */
const isStartOfFrame = (marker: number): boolean =>
  marker === 0xf7 || (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker));

const startOfScan = 0xda;

const jpegSize = (bytes: Buffer): Size | undefined => {
  if (countOf(bytes, Buffer.from([0xff, startOfScan])) > mostScans) {
    throw new NotRenderable('tooSlow');
  }
  for (const { marker, at } of segmentsOf(bytes)) {
    if (isStartOfFrame(marker)) return { rows: bytes.readUInt16BE(at + 5), columns: bytes.readUInt16BE(at + 7) };
  }
  return undefined;
};

/** Yields the marker segments of a JPEG before its first scan, with their offsets (ITU-T T.81 §B.1.1). */
function* segmentsOf(bytes: Buffer): Generator<{ marker: number; at: number }> {
  let at = bytes.length > 2 && bytes.readUInt16BE(0) === 0xffd8 ? 2 : bytes.length;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === startOfScan) return;
    if (marker !== 0xff) yield { marker, at };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
}

/**
 * Returns whether a JPEG declares YCbCr: by JFIF, which allows no other colors, or by the Adobe segment (ITU-T T.872
 * §6.5.3). Older ultrasound devices and slide scanners store such a JPEG in a file whose header says RGB.
 */
export const isJpegOfYbr = (frame: Uint8Array): boolean => {
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.length);
  for (const { marker, at } of segmentsOf(bytes)) {
    const begins = (word: string) => bytes.toString('latin1', at + 4, at + 4 + word.length) === word;
    if (marker === 0xe0 && begins('JFIF\0')) return true;
    // The last byte of the segment: 0 for RGB, 1 for YCbCr. Some files omit it.
    if (marker === 0xee && begins('Adobe') && bytes.readUInt16BE(at + 2) >= 14) return bytes[at + 15] === 1;
  }
  return false;
};

/**
 * Returns whether a JPEG-LS has one scan for each color. Decoders return such colors as planes (ITU-T T.87 §C.2.3). The
 * header of the first scan contains its number of colors.
 */
export const isColorByPlane = (frame: Uint8Array): boolean => {
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.length);
  let firstScan = 2;
  for (const { at } of segmentsOf(bytes)) firstScan = at + 2 + bytes.readUInt16BE(at + 2);
  return bytes[firstScan + 1] === startOfScan && bytes[firstScan + 4] === 1;
};

const countOf = (bytes: Buffer, marker: Buffer): number => {
  let count = 0;
  for (let at = bytes.indexOf(marker); at >= 0 && count <= mostScans; at = bytes.indexOf(marker, at + 2)) count += 1;
  return count;
};

/** SOC and SIZ (ITU-T T.800 §A.5.1). In a JP2 file they are in the codestream box. */
const jpeg2000Size = (bytes: Buffer): Size | undefined => {
  const start = bytes.indexOf(Buffer.from([0xff, 0x4f, 0xff, 0x51]));
  if (start < 0 || start + 24 > bytes.length) return undefined;
  const [right, bottom, left, top] = [8, 12, 16, 20].map((offset) => bytes.readUInt32BE(start + offset));
  return { columns: (right ?? 0) - (left ?? 0), rows: (bottom ?? 0) - (top ?? 0) };
};

/** Properties of the samples in a JPEG 2000 codestream (ITU-T T.800 §A.5.1, §A.6.1). */
export type Components = { isSigned: boolean; isColorTransformed: boolean };

const codingStyle = Buffer.from([0xff, 0x52]);

/**
 * Only the properties of the first component matter. Every codestream has SIZ and COD; without them, both results are
 * false.
 */
export const componentsOf = (frame: Uint8Array): Components => {
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.length);
  const size = bytes.indexOf(Buffer.from([0xff, 0x4f, 0xff, 0x51])) + 2;
  const style =
    size < 2 ? -1 : bytes.indexOf(codingStyle, size + 2 + (bytes[size + 2] ?? 0) * 256 + (bytes[size + 3] ?? 0));
  return {
    isSigned: size >= 2 && ((bytes[size + 40] ?? 0) & 0x80) !== 0,
    isColorTransformed: style >= 0 && bytes[style + 8] === 1,
  };
};
