import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import { ConfigError } from '#core/config/config-error.ts';
import { isSigned } from '#test/aws-signature.ts';
import { issueKey, type S3Server, startS3Server } from '#test/s3-server.ts';
import { openBlobStore } from '#core/blobs/open-blob-store.ts';
import { readStorageUrl } from '#core/blobs/storage-url.ts';

const noKeys = { accessKey: undefined, secretKey: undefined };

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-s3-store-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

const newServer = async () => {
  const server = await startS3Server();
  onTestFinished(server.remove);
  return server;
};

const open = async (url: string, storageCacheBytes = 64 << 20) => {
  const dataDir = await newFolder();
  const storage = readStorageUrl(url, noKeys);
  const storageKeys = { current: undefined, previous: [] };
  const store = await openBlobStore({ storage, dataDir, storageCacheBytes, storageKeys });
  onTestFinished(store.close);
  return { store, dataDir };
};

/** Opens a store that another server has filled. */
const storeHaving = async (server: S3Server, bytes: Buffer, cacheBytes?: number) => {
  const { store: other } = await open(server.url());
  const hash = await keep(other, bytes);
  const { store, dataDir } = await open(server.url(), cacheBytes);
  server.requests.length = 0;
  return { store, hash, dataDir };
};

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

const received = async (store: BlobStore, bytes: Buffer) => {
  const blob = await store.receive(one(bytes), bytes.length, 1);
  await blob.sync();
  return blob;
};

const keep = async (store: BlobStore, bytes: Buffer): Promise<string> => {
  const blob = await received(store, bytes);
  await store.keep(1, [blob]);
  await blob.discard();
  return blob.sha256;
};

const requestsOf = ({ requests }: S3Server, method: string) => requests.filter((request) => request.method === method);

/** Finds the file of an object on the disk of the S3 server. */
const objectPath = async ({ directory }: S3Server, hash: string): Promise<string> => {
  const names = await readdir(join(directory, 'archive'), { recursive: true });
  const name = names.find((path) => path.includes(hash) && path.endsWith('_object'));
  return join(directory, 'archive', name ?? 'none');
};

test('several reads of one file, even at the same time, cause only one request', async () => {
  const server = await newServer();
  const bytes = randomBytes(300_000);
  const { store, hash } = await storeHaving(server, bytes);

  const frames = [0, 1, 2].map((frame) => store.read(1, hash, frame * 100_000, 100_000));
  const together = Buffer.concat(await Promise.all(frames));
  await store.read(1, hash, 0, 10);

  expect(together.equals(bytes)).toBe(true);
  expect(requestsOf(server, 'GET')).toHaveLength(1);
});

test('reads newly stored bytes without a request to the object store', async () => {
  const server = await newServer();
  const { store } = await open(server.url());
  const hash = await keep(store, Buffer.from('fresh from the scanner'));
  server.requests.length = 0;

  expect(await store.read(1, hash, 0, 5)).toEqual(Buffer.from('fresh'));
  expect(server.requests).toEqual([]);
});

test('reads a file too large for the cache in ranges', async () => {
  const server = await newServer();
  const bytes = randomBytes(300_000);
  const { store, hash } = await storeHaving(server, bytes, 8 * 200_000);

  await store.read(1, hash, 0, 10);
  server.requests.length = 0;
  const part = await store.read(1, hash, 1000, 500);

  expect(part.equals(bytes.subarray(1000, 1500))).toBe(true);
  expect(server.requests.map(({ headers }) => headers.range)).toEqual(['bytes=1000-1499']);
});

test('the cache of fetched files stays within its limit and removes the least recently read files', async () => {
  const server = await newServer();
  const cacheBytes = 800_000;
  const { store, dataDir } = await open(server.url(), cacheBytes);
  const hashes: string[] = [];
  for (let index = 0; index < 12; index += 1) hashes.push(await keep(store, randomBytes(90_000)));
  const copies = await readdir(join(dataDir, 'object-store', 'copies'), { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    copies.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name))),
  );
  server.requests.length = 0;

  await store.read(1, hashes.at(-1) ?? '', 0, 1);
  expect(server.requests).toEqual([]);
  await store.read(1, hashes[0] ?? '', 0, 1);

  expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(cacheBytes);
  expect(sizes.length).toBeGreaterThan(5);
  expect(requestsOf(server, 'GET')).toHaveLength(1);
});

test('fetches files again after their cached copies were deleted', async () => {
  const server = await newServer();
  const { store, dataDir } = await open(server.url());
  const hash = await keep(store, Buffer.from('still in the store'));

  await rm(join(dataDir, 'object-store', 'copies'), { recursive: true });

  expect(await store.read(1, hash, 0, 5)).toEqual(Buffer.from('still'));
});

test('refuses an object whose content has changed', async () => {
  const server = await newServer();
  const { store, hash } = await storeHaving(server, Buffer.from('a healthy lung'));
  await writeFile(await objectPath(server, hash), 'a shadowed lun');

  await expect(store.read(1, hash, 0, 5)).rejects.toThrow('A stored file is damaged');
});

test('signs each upload with the SHA-256 of its content, so the store can verify it', async () => {
  const server = await newServer();
  const { store } = await open(server.url());
  server.requests.length = 0;

  const hash = await keep(store, Buffer.from('signed and sealed'));

  const [put] = requestsOf(server, 'PUT');
  expect(put?.headers).toMatchObject({ 'x-amz-content-sha256': hash, 'content-length': '17' });
  expect(put?.headers).not.toHaveProperty('x-amz-trailer');
  expect(put?.headers.authorization).toContain('x-amz-content-sha256');
});

test('signs every request according to AWS SigV4', async () => {
  const server = await newServer();
  const { store } = await open(server.url('clinics/images'), 0);
  const hash = await keep(store, Buffer.from('signed and sealed'));
  await store.read(1, hash, 2, 3);
  await store.list(1)[Symbol.asyncIterator]().next();
  await store.remove(1, hash);

  expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(['PUT', 'GET', 'DELETE']));
  expect(server.requests.filter((request) => !isSigned(request, 'S3RVER'))).toEqual([]);
  expect(server.requests.some((request) => isSigned(request, 'another secret'))).toBe(false);
});

test('waits while an object store is unreachable for a moment', async () => {
  const server = await newServer();
  const { store } = await open(server.url());
  const blob = await received(store, Buffer.from('patience'));
  await server.stop();

  const keeping = store.keep(1, [blob]);
  await server.start();
  await keeping;

  expect(await store.stat(1, await blob.sha256)).toMatchObject({ size: 8 });
});

test('fails when the object store remains unreachable, loses nothing, and can store the same bytes later', async () => {
  const server = await newServer();
  const { store } = await open(server.url());
  const before = await keep(store, Buffer.from('before'));
  const blob = await received(store, Buffer.from('after'));
  await server.stop();

  await expect(store.keep(1, [blob])).rejects.toMatchObject({ status: 503, error: 'storage.away' });
  await blob.discard();
  await server.start();
  const after = await keep(store, Buffer.from('after'));

  expect(await store.stat(1, before)).toMatchObject({ size: 6 });
  expect(await store.stat(1, after)).toMatchObject({ size: 5 });
});

test('a file that disappears before it is sent fails without affecting the process', async () => {
  const server = await newServer();
  const { store, dataDir } = await open(server.url());
  const blob = await received(store, randomBytes(100_000));
  await rm(join(dataDir, 'object-store/incoming'), { recursive: true });

  await expect(store.keep(1, [blob])).rejects.toMatchObject({ status: 503, error: 'storage.away' });
});

test('continues a stream from the byte at which its connection broke', async () => {
  const server = await newServer();
  const bytes = randomBytes(24 << 20);
  const { store, hash } = await storeHaving(server, bytes);

  const chunks: Buffer[] = [];
  for await (const chunk of store.stream(1, hash)) {
    if (chunks.length === 0) server.requests.at(-1)?.socket.destroy();
    chunks.push(chunk);
  }

  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  expect(requestsOf(server, 'GET').length).toBeGreaterThan(1);
});

test('a list of one prefix contains no objects whose prefix only begins with it', async () => {
  const server = await newServer();
  const [{ store: a }, { store: ab }] = [await open(server.url('a')), await open(server.url('a/b'))];
  const hash = await keep(ab, Buffer.from('in a/b'));

  const inA: string[] = [];
  for await (const blob of a.list()) inA.push(blob.sha256);

  expect(inA).toEqual([]);
  expect(await a.stat(1, hash)).toBeUndefined();
  expect(await ab.stat(1, hash)).toMatchObject({ size: 6 });
});

test('lists thousands of objects completely', async () => {
  const server = await newServer();
  const { store } = await open(server.url());
  const path = await objectPath(server, await keep(store, Buffer.from('one of many')));
  const metadata = path.replace(/_object$/, '_metadata.json');
  const names = Array.from({ length: 1100 }, (_, index) => String(index).padStart(64, '0'));
  await Promise.all(
    names.flatMap((name) => {
      const copy = join(path, '..', '..', name.slice(0, 2), `${name}._S3rver`);
      return [cp(path, `${copy}_object`), cp(metadata, `${copy}_metadata.json`)];
    }),
  );

  const listedHashes = new Set<string>();
  for await (const blob of store.list(1)) listedHashes.add(blob.sha256);

  expect(listedHashes.size).toBe(1101);
});

test('a missing bucket is reported as such, not as missing files', async () => {
  const server = await newServer();
  const { store } = await open(server.url());
  const hash = await keep(store, Buffer.from('in the bucket'));

  await rename(join(server.directory, 'archive'), join(server.directory, 'renamed'));

  await expect(store.stat(1, hash)).rejects.toMatchObject({ status: 503, reason: 'NoSuchBucket' });
});

test('an unusable bucket stops the start with a message without secrets', async () => {
  const server = await newServer();
  const address = server.url();
  const faults = [
    ['the bucket archive at http://127.0.0.1:1 cannot be used (ECONNREFUSED)', address.replace(/:\d+\//, ':1/')],
    ['cannot be used (NoSuchBucket)', address.replace('/archive/', '/nonesuch/')],
    ['cannot be used (InvalidAccessKeyId)', address.replace('S3RVER:S3RVER', 'STRANGER:S3CRET')],
  ] as const;

  for (const [words, url] of faults) {
    const error: unknown = await open(url).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConfigError);
    expect(inspect(error)).toContain(words);
    expect(inspect(error)).not.toMatch(/STRANGER|S3CRET|S3RVER/);
  }
});

test('errors of the object store contain no key or signature in the log', async () => {
  const server = await newServer();
  const { store } = await open(server.url());
  await rename(join(server.directory, 'archive'), join(server.directory, 'renamed'));

  const error: unknown = await keep(store, Buffer.from('x')).catch((reason: unknown) => reason);

  expect(inspect(error, { depth: 9 })).not.toMatch(/S3RVER|authorization|signature/i);
});

test('renews the keys from a credential program before they expire, without a restart', async () => {
  const [server, folder] = [await newServer(), await newFolder()];
  const [program, config] = [join(folder, 'keys.json'), join(folder, 'config')];
  const handOut = (key: string, endsIn: number) => {
    const Expiration = new Date(Date.now() + endsIn).toISOString();
    const keys = { Version: 1, AccessKeyId: key, SecretAccessKey: key, Expiration };
    return writeFile(program, JSON.stringify(keys));
  };
  await writeFile(config, `[default]\ncredential_process = cat ${program}\n`);
  vi.stubEnv('AWS_CONFIG_FILE', config);
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'none'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const first = issueKey('RADWORK-FIRST');
  // The client library renews keys that expire within five minutes.
  await handOut('RADWORK-FIRST', 301_500);
  const { store } = await open(server.url().replace('S3RVER:S3RVER@', '').replace('?', '?credentials=aws&'));
  const hash = await keep(store, randomBytes(2000));

  const second = issueKey('RADWORK-SECOND');
  onTestFinished(second.takeBack);
  await handOut('RADWORK-SECOND', 3_600_000);
  first.takeBack();
  server.requests.length = 0;

  await expect.poll(() => store.stat(1, hash).then((blobStat) => blobStat?.size, String)).toBe(2000);
  expect(server.requests.at(-1)?.headers.authorization).toContain('RADWORK-SECOND');
});
