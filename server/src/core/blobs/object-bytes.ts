import { type ByteRange, StorageAway } from '#core/blob-store.ts';
import type { Bucket, OpenObject } from './s3-bucket.ts';

/** Breaks in a row without a byte between them. */
const mostBreaks = 4;

/**
 * The bytes of an object, or of a range of it as far as there are any, in order. Where the connection breaks they go
 * on in another one. `opened` is the answer to the first request, if it has been made.
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
        const wanted = chunk.subarray(0, end - position);
        position += wanted.length;
        breaks = 0;
        yield wanted;
        if (position >= end) return;
      }
    } finally {
      body.destroy();
    }
    if (position >= end) return;
    breaks += 1;
    if (breaks > mostBreaks) throw new StorageAway('connection keeps breaking');
    ({ size, body } = await bucket.get(key, { offset: position, length: end - position }));
  }
}

/** The next chunk; none at the end, and none when the connection breaks, which the count of bytes tells apart. */
const next = async (chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> => {
  try {
    const { done, value } = await chunks.next();
    return done ? undefined : value;
  } catch {
    return undefined;
  }
};
