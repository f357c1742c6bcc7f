import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** The default level: metadata is made once and read often. */
export const gzip = promisify<Buffer | string, Buffer>(zlib.gzip);
const gunzipWith = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip);

/** How long a packed buffer is when it is unpacked (RFC 1952 §2.3.1, of what is shorter than 4 GiB). */
export const unpackedLength = (packed: Buffer): number => packed.readUInt32LE(packed.length - 4);

const [smallestChunk, largestChunk] = [64, 4 << 20];

/**
 * Each chunk is a trip to another thread and back: of 16 KiB each, as Node has them, 2 MB take four times as long. One byte
 * more than all that there is, by which the end is seen.
 */
const chunksFor = (packed: Buffer): zlib.ZlibOptions => ({
  chunkSize: Math.min(Math.max(unpackedLength(packed) + 1, smallestChunk), largestChunk),
});

export const gunzip = async (packed: Buffer): Promise<Buffer> => gunzipWith(packed, chunksFor(packed));

/** Pieces go to another thread, which is not worth it for few bytes. */
const worthPacking = 1 << 20;

/** Gzips what comes piece by piece, so that it is never in memory as a whole. */
export const gzipPieces = async (pieces: AsyncIterable<Buffer>): Promise<Buffer> => {
  const packed: Buffer[] = [];
  await pipeline(inPortions(pieces), zlib.createGzip(), async (source: AsyncIterable<Buffer>) => {
    for await (const piece of source) packed.push(piece);
  });
  return Buffer.concat(packed);
};

async function* inPortions(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let portion: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    portion.push(piece);
    length += piece.length;
    if (length < worthPacking) continue;
    yield Buffer.concat(portion);
    portion = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(portion);
}

/** What is packed as a whole, unless it is longer than `most`. */
export const unpackedUpTo = async (packed: Buffer, most: number): Promise<Buffer | undefined> => {
  try {
    return await gunzipWith(packed, { ...chunksFor(packed), maxOutputLength: most });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** What the beginning of a packed buffer holds, as far as `most` bytes. */
export const unpackedBeginning = async (beginning: Buffer, most: number): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  let length = 0;
  const gunzip = zlib.createGunzip({ finishFlush: zlib.constants.Z_SYNC_FLUSH, chunkSize: 64 << 10 });
  for await (const piece of Readable.from([beginning]).pipe(gunzip)) {
    pieces.push(piece);
    length += piece.length;
    if (length >= most) break;
  }
  return Buffer.concat(pieces).subarray(0, most);
};

/** What is packed, piece by piece. */
export const unpacked = (packed: Buffer): Readable =>
  Readable.from([packed]).pipe(zlib.createGunzip({ chunkSize: 256 << 10 }));

/** Characters that are packed in less time than it takes to have that done in another thread. */
const littleText = 16 << 10;

/** Takes 64 KiB of memory instead of 256, and a sixth less time, for 1 % more in size. */
const forLittleText = { level: 5, windowBits: 13, memLevel: 6, chunkSize: 4 << 10 };

/** Like gzip, but does little text at once. */
export const gzipText = async (text: string): Promise<Buffer> =>
  text.length <= littleText ? zlib.gzipSync(text, forLittleText) : gzip(text);

/** Packed bytes that are unpacked in less time than it takes to have that done in another thread. */
const littlePacked = 8 << 10;

/** Like gunzip, but does little at once. */
export const gunzipText = async (packed: Buffer): Promise<Buffer> =>
  packed.length <= littlePacked ? zlib.gunzipSync(packed, chunksFor(packed)) : gunzip(packed);
