import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { StorageUnavailable } from '#core/blobs/blob-store.ts';
import { objectBytes } from './object-bytes.ts';
import { openBucket } from './s3-bucket.ts';
import type { ObjectStorage } from '#core/blobs/storage-url.ts';

/** The files of four concurrent batches of sixteen files each. */
const sentAtOnce = Array.from({ length: 64 });

/** Starts an object store on a local port that replies with `answer`. */
const serving = async (answer: RequestListener): Promise<ObjectStorage> => {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The server has no port');
  return {
    kind: 's3',
    endpoint: `http://127.0.0.1:${address.port}`,
    region: 'us-east-1',
    bucket: 'archive',
    prefix: '',
    usesPathStyle: true,
    keys: { accessKey: 'key', secretKey: 'secret' },
  };
};

const opened = async (storage: ObjectStorage) => {
  const bucket = await openBucket(storage);
  onTestFinished(() => bucket.close());
  return bucket;
};

/** An object store that delays uploads and answers reads at once. */
const slowToTake = async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: allSent, resolve: sent } = Promise.withResolvers<void>();
  let waiting = 0;
  const storage = await serving(async (request, response) => {
    request.resume();
    if (request.method !== 'PUT') return response.end('an object');
    waiting += 1;
    if (waiting === sentAtOnce.length) sent();
    await released;
    return response.end();
  });
  return { storage, allSent, release };
};

test('reads objects while many uploads are waiting', async () => {
  const { storage, allSent, release } = await slowToTake();
  const bucket = await opened(storage);
  const folder = await mkdtemp(join(tmpdir(), 'radwork-bucket-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'object');
  await writeFile(path, 'an object');
  const file = { path, size: 9, sha256: createHash('sha256').update('an object').digest('hex') };

  const sending = Promise.all(sentAtOnce.map((_, index) => bucket.put(`object ${index}`, file)));
  await allSent;
  const { body } = await bucket.get('another object');

  expect(await text(body)).toBe('an object');
  release();
  await sending;
});

test('reports size 0 for an empty object, even if the store answers a range request with 416', async () => {
  const storage = await serving(({ headers }, response) => {
    // AWS and MinIO reply this way to a range request for an empty object. The S3 server of the other tests replies
    // differently.
    if (headers.range) response.writeHead(416, { 'content-type': 'application/xml' });
    response.end(headers.range && '<Error><Code>InvalidRange</Code></Error>');
  });
  const bucket = await opened(storage);

  expect(await bucket.facts('an object')).toEqual({ size: 0, modifiedAt: expect.any(Date) });
});

test('if the store answers a range request with the whole object, the answer fails unless the range begins at 0', async () => {
  // RFC 9110 §14.2 allows a server to ignore the range. Caches without range support do so.
  const bucket = await opened(await serving((_, response) => response.end('an object of many frames')));

  const beginning = await buffer(objectBytes(bucket, 'an object', { offset: 0, length: 9 }));
  const later = buffer(objectBytes(bucket, 'an object', { offset: 3, length: 6 }));

  await expect(later).rejects.toThrow(StorageUnavailable);
  expect(beginning.toString()).toBe('an object');
});

const pageOf = (isTruncated: boolean, more: string) =>
  `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${more}</ListBucketResult>`;

const keysIn = async (bucket: Awaited<ReturnType<typeof opened>>) => {
  const keys: string[] = [];
  for await (const { key } of bucket.list('')) keys.push(key);
  return keys;
};

test('a list continues after an empty page, and fails if an incomplete page does not name the next page', async () => {
  // In a bucket with versioning, a page of the list may contain only deleted objects.
  const object = '<Contents><Key>1/aa/later</Key><Size>9</Size></Contents>';
  const goesOn = await serving(({ url }, response) =>
    response.end(
      url?.includes('marker=removed') ? pageOf(false, object) : pageOf(true, '<NextMarker>removed</NextMarker>'),
    ),
  );
  const stops = await serving((_, response) => response.end(pageOf(true, '')));

  expect(await keysIn(await opened(goesOn))).toEqual(['1/aa/later']);
  await expect(keysIn(await opened(stops))).rejects.toThrow(StorageUnavailable);
});
