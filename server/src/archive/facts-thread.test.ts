import { deflateRawSync } from 'node:zlib';
import type { ReadBytes } from '@radwork/dicom/byte-window';
import { writeFileStart } from '@radwork/dicom/part10';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { image } from '#test/upload.ts';
import { readFactsElsewhere } from './facts-thread.ts';
import { readFacts } from './read-facts.ts';

const reading =
  (bytes: Buffer): ReadBytes =>
  async (offset, length) =>
    Buffer.from(bytes.subarray(offset, offset + length));

/** A deflated data set that unpacks to so many bytes of nothing. */
const bomb = (bytes: number): Buffer =>
  Buffer.concat([
    writeFileStart('1.2.840.10008.1.2.1.99', { SOPClassUID: '1.2.3', SOPInstanceUID: newUid() }),
    deflateRawSync(Buffer.alloc(bytes)),
  ]);

test('a file is the same, in whatever thread it is read', async () => {
  const { bytes } = image();

  const here = await readFacts(reading(bytes), bytes.length);
  const elsewhere = await readFactsElsewhere(reading(bytes), bytes.length);

  expect(elsewhere).toEqual(here);
});

test('a file with a large header is read, and one after another', async () => {
  const files = [1, 2, 3].map((number) => image({ InstanceNumber: number, TextValue: 'x'.repeat(200_000) }).bytes);

  const facts = await Promise.all(files.map((bytes) => readFacts(reading(bytes), bytes.length)));

  expect(facts.map(({ instance }) => instance.instance_number)).toEqual([1, 2, 3]);
});

test('a file that would unpack to very much is refused, and the next one is read', async () => {
  const [huge, good] = [bomb(100 << 20), image({ TextValue: 'x'.repeat(200_000) }).bytes];

  const refusal = readFacts(reading(huge), huge.length);
  const facts = readFacts(reading(good), good.length);

  await expect(refusal).rejects.toThrow('The file is compressed and unpacks to more than 64 MiB.');
  expect((await facts).instance.rows).toBe(16);
});

test('a file that cannot be read fails, and the next one is read', async () => {
  const failing: ReadBytes = () => Promise.reject(new Error('the disk is gone'));
  const good = image().bytes;

  const failure = readFactsElsewhere(failing, 1000);

  await expect(failure).rejects.toThrow('The file could not be read');
  expect((await readFactsElsewhere(reading(good), good.length)).instance.rows).toBe(16);
});
