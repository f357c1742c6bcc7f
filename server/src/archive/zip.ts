import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** The default level: metadata is made once and read often. */
export const gzip = promisify<Buffer | string, Buffer>(zlib.gzip);
export const gunzip = promisify<Buffer, Buffer>(zlib.gunzip);

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
  packed.length <= littlePacked ? zlib.gunzipSync(packed) : gunzip(packed);
