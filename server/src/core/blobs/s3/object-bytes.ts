import { type ByteRange, StorageUnavailable } from '#core/blobs/blob-store.ts';
import type { Bucket, OpenObject } from './s3-bucket.ts';

/** Reading fails after this number of lost connections in a row without a received byte. */
const mostBreaks = 4;

/**
 * Streams an object, or the part of a range that exists. If the connection is lost, continues on another connection.
 * `opened` is the reply to the first request, if the caller already sent that request.
 */
export async function* objectBytes(
  bucket: Bucket,
  key: string,
  range?: ByteRange,
  opened?: OpenObject,
): AsyncGenerator<Buffer> {
  let { size, body } = opened ?? (await bucket.get(key, range));
  const end = Math.min(size, range ? range.offset + range.length : size);
  let position = range?.offset ?? 0;
  for (let breaks = 0; ;) {
    try {
      const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
      for (let chunk = await next(chunks); chunk; chunk = await next(chunks)) {
        const part = chunk.subarray(0, end - position);
        position += part.length;
        breaks = 0;
        yield part;
        if (position >= end) return;
      }
    } finally {
      body.destroy();
    }
    if (position >= end) return;
    breaks += 1;
    if (breaks > mostBreaks) throw new StorageUnavailable('the connection breaks repeatedly');
    ({ size, body } = await bucket.get(key, { offset: position, length: end - position }));
  }
}

/**
 * Returns the next chunk. Undefined at the end and after a lost connection; the caller compares byte counts to tell
 * these two cases apart.
 */
const next = async (chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> => {
  try {
    const { done, value } = await chunks.next();
    return done ? undefined : value;
  } catch {
    return undefined;
  }
};
