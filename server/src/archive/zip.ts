import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** The default level: metadata is made once and read often. */
export const gzip = promisify<Buffer | string, Buffer>(zlib.gzip);
export const gunzip = promisify<Buffer, Buffer>(zlib.gunzip);
