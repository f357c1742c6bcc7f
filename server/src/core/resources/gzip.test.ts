import { expect, test } from 'vitest';
import { gunzip, gzipStream, gzipText, unpackedLength, unpackedUpTo } from './gzip.ts';

test.each([0, 1000, 16_384, 16_385, 1_000_000])(
  'a text of %i characters is the same after compression and decompression',
  async (length) => {
    const text = '{"00100010":{"vr":"PN","Value":[{"Alphabetic":"Müller^Jörg"}]}}'.repeat(16_000).slice(0, length);

    const packed = await gzipText(text);

    expect((await gunzip(packed)).toString()).toBe(text);
  },
);

test('compresses a text piece by piece, in order, and records the lengths', async () => {
  const chunks = ['[', '1'.repeat(3 << 20), ',', '2'.repeat(10), ']'].map((part) => Buffer.from(part));

  const packed = await gzipStream(inPieces(chunks));

  expect((await gunzip(packed)).equals(Buffer.concat(chunks))).toBe(true);
  expect(unpackedLength(packed)).toBe(Buffer.concat(chunks).length);
});

async function* inPieces(chunks: readonly Buffer[]) {
  yield* chunks;
}

test('stops decompressing at the requested limit, and reports damaged data as a different error', async () => {
  const packed = await gzipText('x'.repeat(100));

  expect((await unpackedUpTo(packed, 100))?.length).toBe(100);
  expect(await unpackedUpTo(packed, 99)).toBeUndefined();
  await expect(unpackedUpTo(packed.subarray(0, 15), 100)).rejects.toThrow('unexpected end of file');
});
