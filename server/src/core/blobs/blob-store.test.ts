import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { type BlobStore, TooLarge } from './blob-store.ts';
import { startS3Server } from '#test/s3-server.ts';
import { openLocalBlobStore } from './disk/local-blob-store.ts';
import { openBlobStore } from './open-blob-store.ts';
import { openS3BlobStore } from './s3/s3-blob-store.ts';
import { readStorageUrl } from './storage-url.ts';

// The behavior that every kind of store must show.

const folder = await mkdtemp(join(tmpdir(), 'radwork-blobs-'));
afterAll(() => rm(folder, { recursive: true }));

type OpenStore = { store: BlobStore; incoming: () => Promise<string[]> };

/** Opens an empty store, and lists the files that it is receiving. */
const opening =
  (openStore: (root: string) => Promise<BlobStore>, receivesIn = 'incoming') =>
  async (): Promise<OpenStore> => {
    const root = join(folder, randomUUID());
    const store = await openStore(root);
    onTestFinished(() => store.close());
    return { store, incoming: () => readdir(join(root, receivesIn)) };
  };

const s3 = await startS3Server();
afterAll(() => s3.remove());

const newBucket = () => {
  const storage = readStorageUrl(s3.url(randomUUID()), { accessKey: undefined, secretKey: undefined });
  if (storage.kind === 'local') throw new Error('That is no object store');
  return storage;
};

/** Opens an object store with a local cache of `cacheBytes`; 0 disables the cache. */
const openingS3 = (cacheBytes: number) => opening((root) => openS3BlobStore(newBucket(), { folder: root, cacheBytes }));

const storageKeys = { current: 'the-key-that-images-are-encrypted-with', previous: [] };

const openingEncrypted = () =>
  opening(
    (root) =>
      openBlobStore({ storage: { kind: 'local', folder: root }, dataDir: root, storageCacheBytes: 0, storageKeys }),
    'encrypted/incoming',
  );

const openingEncryptedS3 = (storageCacheBytes: number) =>
  opening(
    (root) => openBlobStore({ storage: newBucket(), dataDir: root, storageCacheBytes, storageKeys }),
    'object-store/encrypted/incoming',
  );

const stores = [
  { kind: 'local files', open: opening(openLocalBlobStore) },
  { kind: 'an object store', open: openingS3(100 << 20) },
  { kind: 'an object store without copies', open: openingS3(0) },
  { kind: 'encrypted files', open: openingEncrypted() },
  { kind: 'an encrypted object store', open: openingEncryptedS3(100 << 20) },
  { kind: 'an encrypted object store without copies', open: openingEncryptedS3(0) },
];

async function* chunksOf(...texts: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Stores bytes as an upload does. Returns their hash. */
const keep = async (store: BlobStore, tenantId: number, content: string | Buffer): Promise<string> => {
  const blob = await store.receive(chunksOf(content), content.length, tenantId);
  await blob.sync();
  await store.keep(tenantId, [blob]);
  await blob.discard();
  return blob.sha256;
};

/** Lists the content of a store as "tenant hash", in the order of `list`. */
const contentOf = async (store: BlobStore, tenantId?: number): Promise<string[]> => {
  const names: string[] = [];
  for await (const blob of store.list(tenantId)) names.push(`${blob.tenantId} ${blob.sha256}`);
  return names;
};

test.for(stores)('on $kind, a store records its owner, which is not listed as content', async ({ open }) => {
  const { store } = await open();

  const before = await store.owner();
  await store.claim('one installation');
  await store.claim('another installation');

  expect([before, await store.owner()]).toEqual([undefined, 'another installation']);
  expect(await contentOf(store)).toEqual([]);
});

test.for(stores)(
  'on $kind, received bytes are hashed, and after they are kept, their hash finds them',
  async ({ open }) => {
    const { store } = await open();
    const blob = await store.receive(chunksOf('one ', 'and ', 'two'), 100, 7);
    expect(await blob.read(4, 3)).toEqual(Buffer.from('and'));
    expect(await blob.read(2, 100)).toEqual(Buffer.from('e and two'));
    await blob.sync();
    await store.keep(7, [blob]);

    const hash = sha256('one and two');
    expect([await blob.sha256, blob.size]).toEqual([hash, 11]);
    expect(await contentOf(store)).toEqual([`7 ${hash}`]);
    expect(await store.read(7, hash, 8, 100)).toEqual(Buffer.from('two'));
  },
);

test.for(stores)('on $kind, many small and a few large chunks are stored unchanged', async ({ open }) => {
  const { store } = await open();
  const chunks = [Buffer.alloc(3 << 20, 'a'), ...Array.from({ length: 5000 }, (_, index) => Buffer.from(`${index},`))];
  const content = Buffer.concat(chunks);

  const blob = await store.receive(chunksOf(...chunks), content.length, 1);
  await blob.sync();
  await store.keep(1, [blob]);

  const hash = await blob.sha256;
  expect(hash).toBe(sha256(content));
  expect((await store.read(1, hash, 0, content.length)).equals(content)).toBe(true);
  expect((await buffer(store.stream(1, hash))).equals(content)).toBe(true);
});

test.for(stores)('on $kind, one call keeps many files', async ({ open }) => {
  const { store } = await open();
  const contents = Array.from({ length: 50 }, (_, index) => `file ${index}`);
  const blobs = await Promise.all(contents.map((content) => store.receive(chunksOf(content), 100, 1)));
  await Promise.all(blobs.map((blob) => blob.sync()));

  await store.keep(1, blobs);

  expect(await contentOf(store)).toEqual(contents.map((content) => `1 ${sha256(content)}`).toSorted());
});

test.for(stores)('on $kind, received bytes that are not kept leave no files', async ({ open }) => {
  const { store, incoming } = await open();
  async function* breaksOff() {
    yield Buffer.from('half');
    throw new Error('the line broke');
  }

  const discarded = await store.receive(chunksOf('unwanted'), 100, 1);
  await discarded.discard();
  const synced = await store.receive(chunksOf('refused later'), 100, 1);
  await synced.sync();
  await synced.discard();
  await expect(store.receive(chunksOf('more', 'than', 'ten bytes'), 10, 1)).rejects.toThrow(TooLarge);
  await expect(store.receive(breaksOff(), 100, 1)).rejects.toThrow('the line broke');

  expect(await incoming()).toEqual([]);
  expect(await contentOf(store)).toEqual([]);
});

test.for(stores)('on $kind, discard removes no bytes that were already kept', async ({ open }) => {
  const { store, incoming } = await open();
  const hash = await keep(store, 1, 'precious');

  expect(await incoming()).toEqual([]);
  expect(await store.read(1, hash, 0, 100)).toEqual(Buffer.from('precious'));
});

test.for(stores)('on $kind, the same bytes can be stored twice', async ({ open }) => {
  const { store } = await open();
  await keep(store, 1, 'twice');
  const hash = await keep(store, 1, 'twice');

  expect(await contentOf(store)).toEqual([`1 ${hash}`]);
  expect(await store.read(1, hash, 0, 100)).toEqual(Buffer.from('twice'));
});

test.for(stores)('on $kind, the same bytes of two tenants are stored and removed separately', async ({ open }) => {
  const { store } = await open();
  await keep(store, 1, 'shared');
  const hash = await keep(store, 2, 'shared');

  await store.remove(1, hash);

  expect(await contentOf(store)).toEqual([`2 ${hash}`]);
  await expect(store.read(1, hash, 0, 10)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await store.read(2, hash, 0, 10)).toEqual(Buffer.from('shared'));
});

test.for(stores)('on $kind, the list of tenant 1 contains no files of tenant 12', async ({ open }) => {
  const { store } = await open();
  const hash = await keep(store, 1, 'mine');
  await keep(store, 12, 'theirs');

  expect(await contentOf(store, 1)).toEqual([`1 ${hash}`]);
  expect(await contentOf(store, 3)).toEqual([]);
  expect(await contentOf(store)).toHaveLength(2);
});

test.for(stores)('on $kind, stat and list return size and time', async ({ open }) => {
  const { store } = await open();
  const hash = await keep(store, 1, 'weighed');

  const known = { tenantId: 1, sha256: hash, size: 7, modifiedAt: expect.any(Date) };
  expect(await store.stat(1, hash)).toEqual(known);
  for await (const blob of store.list()) expect(blob).toEqual(known);
  expect(await store.stat(2, hash)).toBeUndefined();
});

test.for(stores)(
  'on $kind, reading missing bytes fails with ENOENT and removing them does nothing',
  async ({ open }) => {
    const { store } = await open();
    const none = sha256('never stored');

    await store.remove(1, none);

    await expect(store.read(1, none, 0, 1)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(store.readInto(1, none, Buffer.alloc(1), [{ offset: 0, length: 1, at: 0 }])).rejects.toMatchObject({
      code: 'ENOENT',
    });
    await expect(buffer(store.stream(1, none))).rejects.toMatchObject({ code: 'ENOENT' });
  },
);

test.for(stores)('on $kind, reads and streams of a byte range stop at the end of the file', async ({ open }) => {
  const { store } = await open();
  const hash = await keep(store, 1, '0123456789');

  expect(await store.read(1, hash, 8, 5)).toEqual(Buffer.from('89'));
  expect(await store.read(1, hash, 10, 5)).toEqual(Buffer.alloc(0));
  expect(await store.read(1, hash, 2, 0)).toEqual(Buffer.alloc(0));
  expect(await buffer(store.stream(1, hash, { offset: 2, length: 3 }))).toEqual(Buffer.from('234'));
  expect(await buffer(store.stream(1, hash, { offset: 2, length: 0 }))).toEqual(Buffer.alloc(0));
});

test.for(stores)('on $kind, a stream that is never read opens no file and raises no error', async ({ open }) => {
  const { store } = await open();
  const hash = await keep(store, 1, 'unread');
  const filesOpen = async () => {
    const links = await readdir('/proc/self/fd');
    const paths = await Promise.all(links.map((link) => readlink(`/proc/self/fd/${link}`).catch(() => '')));
    return paths.filter((path) => path.includes(hash));
  };
  const before = await filesOpen();
  const unheard: unknown[] = [];
  const onError = (error: unknown) => unheard.push(error);
  process.prependListener('uncaughtException', onError);
  onTestFinished(() => {
    process.off('uncaughtException', onError);
  });

  const wholeRange = { offset: 0, length: 6 };
  for (const range of [undefined, wholeRange]) {
    for (const name of [hash, sha256('never stored')]) {
      const stream = store.stream(1, name, range);
      const closed = new Promise((resolve) => stream.once('close', resolve));
      stream.destroy();
      await closed;
    }
  }
  // Waits long enough for two faults to show: a file that was opened by mistake, or an error that is reported late.
  await wait(100);

  expect(await filesOpen()).toEqual(before);
  expect(unheard).toEqual([]);
});

test.for(stores)(
  'on $kind, readInto fills the requested parts of the buffer, and fails when the file is too short',
  async ({ open }) => {
    const { store } = await open();
    const hash = await keep(store, 1, '0123456789');
    const target = Buffer.from('..........');

    await store.readInto(1, hash, target, [
      { offset: 8, length: 2, at: 0 },
      { offset: 0, length: 3, at: 5 },
    ]);

    expect(target.toString()).toBe('89...012..');
    await expect(store.readInto(1, hash, target, [{ offset: 8, length: 3, at: 0 }])).rejects.toThrow(
      'A stored file is shorter than the database records',
    );
    await expect(buffer(store.stream(1, hash, { offset: 8, length: 3 }))).rejects.toThrow(
      'A stored file is shorter than the database records',
    );
  },
);
