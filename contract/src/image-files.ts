/**
 * Types of image files that a report accepts, recognized by their content. Other data in a file (location, camera,
 * thumbnail of cropped parts) is never stored.
 */
export const imageTypes = ['png', 'jpeg', 'gif', 'webp'] as const;
export type ImageType = (typeof imageTypes)[number];

/** Largest accepted image file, in bytes. */
export const maxImageBytes = 10_000_000;

/** Longest side in pixels and JPEG quality after scaling. */
export const pictureFit = { side: 400, quality: 0.5 };

const startsWith = (bytes: Uint8Array, start: string, at = 0): boolean =>
  Array.from(start).every((character, index) => bytes[at + index] === character.charCodeAt(0));

/** Returns the file type by the first bytes. Undefined if a report does not accept it. */
export const imageTypeOf = (bytes: Uint8Array): ImageType | undefined => {
  if (startsWith(bytes, '\u0089PNG\r\n\u001a\n')) return 'png';
  if (startsWith(bytes, '\u00ff\u00d8\u00ff')) return 'jpeg';
  if (startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) return 'gif';
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'webp';
  return undefined;
};

type Range = { from: number; to: number };

/**
 * Removes EXIF, XMP, comments and thumbnails from an image file. Keeps color profiles. Other files are returned
 * unchanged. If the structure of a file is broken, the rest of the file stays unchanged.
 */
export const stripImageMetadata = (bytes: Uint8Array): Uint8Array => {
  switch (imageTypeOf(bytes)) {
    case 'jpeg':
      return without(bytes, jpegMetadata(bytes));
    case 'png':
      return without(bytes, pngMetadata(bytes));
    case 'webp':
      return webpWithout(bytes, webpMetadata(bytes));
    // Unchanged: a GIF has no EXIF, and its comments contain no camera or location.
    case 'gif':
    case undefined:
      return bytes;
  }
};

const without = (bytes: Uint8Array, ranges: readonly Range[]): Uint8Array => {
  if (ranges.length === 0) return bytes;
  const remaining = new Uint8Array(bytes.length - ranges.reduce((sum, { from, to }) => sum + to - from, 0));
  let read = 0;
  let written = 0;
  for (const { from, to } of [...ranges, { from: bytes.length, to: bytes.length }]) {
    remaining.set(bytes.subarray(read, from), written);
    written += from - read;
    read = to;
  }
  return remaining;
};

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Whether a JPEG segment is metadata: APP1 (EXIF, XMP), APP3 to APP13 (maker notes, Photoshop), or a comment (ITU T.81
 * §B.1.1.3).
 */
const isJpegMetadata = (marker: number): boolean =>
  marker === 0xe1 || (marker >= 0xe3 && marker <= 0xed) || marker === 0xfe;

const startOfScan = 0xda;

const jpegMetadata = (bytes: Uint8Array): Range[] => {
  const view = viewOf(bytes);
  const ranges: Range[] = [];
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? startOfScan;
    if (marker === startOfScan) break;
    const end = at + 2 + view.getUint16(at + 2);
    if (end > bytes.length) break;
    if (isJpegMetadata(marker)) ranges.push({ from: at, to: end });
    at = end;
  }
  return ranges;
};

const pngChunks = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME']);

const nameAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));

/** Finds metadata in a PNG: chunks of length, name, data and checksum after the 8-byte signature (PNG §5.3). */
const pngMetadata = (bytes: Uint8Array): Range[] => {
  const view = viewOf(bytes);
  const ranges: Range[] = [];
  let at = 8;
  while (at + 12 <= bytes.length) {
    const end = at + 12 + view.getUint32(at);
    if (end > bytes.length) break;
    if (pngChunks.has(nameAt(bytes, at + 4))) ranges.push({ from: at, to: end });
    at = end;
  }
  return ranges;
};

const webpChunks = new Set(['EXIF', 'XMP ']);

/** Finds metadata in a WebP: chunks of name, length and data, padded to even length, after the 12-byte RIFF header. */
const webpMetadata = (bytes: Uint8Array): Range[] => {
  const view = viewOf(bytes);
  const ranges: Range[] = [];
  let at = 12;
  while (at + 8 <= bytes.length) {
    const length = view.getUint32(at + 4, true);
    const end = Math.min(at + 8 + length + (length % 2), bytes.length);
    if (webpChunks.has(nameAt(bytes, at))) ranges.push({ from: at, to: end });
    at = end;
  }
  return ranges;
};

/** Bits in the VP8X header that announce EXIF and XMP. */
const webpFlags = 0x08 | 0x04;

const webpWithout = (bytes: Uint8Array, ranges: readonly Range[]): Uint8Array => {
  if (ranges.length === 0) return bytes;
  const cleaned = without(bytes, ranges);
  viewOf(cleaned).setUint32(4, cleaned.length - 8, true);
  if (nameAt(cleaned, 12) === 'VP8X') cleaned[20] = (cleaned[20] ?? 0) & ~webpFlags;
  return cleaned;
};
