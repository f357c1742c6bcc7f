import { deflateRawSync } from 'node:zlib';
import type { ReadBytes } from '@radwork/dicom/byte-window';
import { writeFileStart } from '@radwork/dicom/part10';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { image } from '#test/multipart-upload.ts';
import { readFactsElsewhere } from './facts-thread.ts';
import { failureReasons } from '#imaging/archive/store/failure-reasons.ts';
import { readFacts } from './read-facts.ts';
import { refusalOfFailure } from '#imaging/archive/store/store-instances.ts';

const reading =
  (bytes: Buffer): ReadBytes =>
  async (offset, length) =>
    Buffer.from(bytes.subarray(offset, offset + length));

/** Creates a deflated data set that unpacks to many zero bytes. */
const bomb = (bytes: number): Buffer =>
  Buffer.concat([
    writeFileStart('1.2.840.10008.1.2.1.99', { SOPClassUID: '1.2.3', SOPInstanceUID: newUid() }),
    deflateRawSync(Buffer.alloc(bytes)),
  ]);

test('every thread reads the same facts from a file', async () => {
  const { bytes } = image();

  const local = await readFacts(reading(bytes), bytes.length, 1);
  const elsewhere = await readFactsElsewhere(reading(bytes), bytes.length, 1);

  expect(elsewhere).toEqual(local);
});

test('reads files with large headers one after the other', async () => {
  const files = [1, 2, 3].map((number) => image({ InstanceNumber: number, TextValue: 'x'.repeat(200_000) }).bytes);

  const facts = await Promise.all(files.map((bytes) => readFacts(reading(bytes), bytes.length, 1)));

  expect(facts.map(({ instance }) => instance.instance_number)).toEqual([1, 2, 3]);
});

test('refuses a file that inflates to too many bytes, and reads the next file', async () => {
  const [huge, good] = [bomb(100 << 20), image({ TextValue: 'x'.repeat(200_000) }).bytes];

  const refusal = readFacts(reading(huge), huge.length, 1);
  const facts = readFacts(reading(good), good.length, 1);

  await expect(refusal).rejects.toThrow('The decompressed file exceeds 64 MiB.');
  expect((await facts).instance.rows).toBe(16);
});

test('a file that cannot be read fails, and the next file is read', async () => {
  const failing: ReadBytes = () => Promise.reject(new Error('the disk is gone'));
  const good = image().bytes;

  const failure = readFactsElsewhere(failing, 1000, 1);

  await expect(failure).rejects.toThrow('The file could not be read');
  expect((await readFactsElsewhere(reading(good), good.length, 1)).instance.rows).toBe(16);
});

test('many large headers of one tenant do not delay another tenant', async () => {
  const { bytes } = image({ TextValue: 'x'.repeat(200_000) });
  const order: number[] = [];
  const read = (tenantId: number) => readFacts(reading(bytes), bytes.length, tenantId).then(() => order.push(tenantId));

  await Promise.all([...[1, 1, 1, 1].map(read), read(2)]);

  expect(order).toEqual([1, 2, 1, 1, 1]);
});

test('a slow machine reports a time-out and does not report the file as faulty', async () => {
  const { bytes } = image({ TextValue: 'x'.repeat(200_000) });

  const stalled: ReadBytes = () => new Promise(() => {});
  const late = readFactsElsewhere(stalled, bytes.length, 1, 1);

  await expect(late).rejects.toMatchObject({ status: 503, error: 'header.timeout', retryAfterSeconds: 30 });
  expect(refusalOfFailure('a.dcm', await late.catch((error: unknown) => error), {})).toMatchObject({
    failureReason: failureReasons.outOfResources,
  });
  expect((await readFactsElsewhere(reading(bytes), bytes.length, 1)).instance.rows).toBe(16);
});
