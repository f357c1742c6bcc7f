import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import type { BlobStore } from './blob-store.ts';
import { ConfigError } from '#core/config/config-error.ts';
import { startS3Server } from '#test/s3-server.ts';
import { openBlobStore } from './open-blob-store.ts';
import { readStorageUrl, type Storage } from './storage-url.ts';

// Stores whose encryption was switched on or off, or changed to another key.

const folder = await mkdtemp(join(tmpdir(), 'radwork-keys-'));
const s3 = await startS3Server();
afterAll(async () => {
  await s3.remove();
  await rm(folder, { recursive: true });
});

const first = 'the-first-key-of-this-store-as-text';
const second = 'the-second-key-of-this-store-as-text';

type Keys = { current?: string; previous?: string[] };

const noKeys = { accessKey: undefined, secretKey: undefined };
const kinds = [
  { kind: 'local files', newStorage: async (): Promise<Storage> => ({ kind: 'local', folder: await newFolder() }) },
  { kind: 'an object store', newStorage: async () => readStorageUrl(s3.url(`keys-${bucketPrefix()}`), noKeys) },
];

const newFolder = () => mkdtemp(join(folder, 'store-'));
let prefixes = 0;
const bucketPrefix = () => (prefixes += 1);

const open = async (storage: Storage, { current, previous = [] }: Keys = {}): Promise<BlobStore> => {
  const store = await openBlobStore({
    storage,
    dataDir: await newFolder(),
    storageCacheBytes: 64 << 20,
    storageKeys: { current, previous },
  });
  onTestFinished(() => store.close());
  return store;
};

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

const keep = async (store: BlobStore, bytes: Buffer): Promise<string> => {
  const blob = await store.receive(one(bytes), bytes.length, 1);
  await blob.sync();
  await store.keep(1, [blob]);
  await blob.discard();
  return blob.sha256;
};

const contentOf = async (store: BlobStore, tenantId?: number) => {
  const names: string[] = [];
  for await (const { sha256, size } of store.list(tenantId)) names.push(`${sha256} ${size}`);
  return names;
};

const isRight = async (store: BlobStore, hash: string, bytes: Buffer): Promise<boolean> => {
  const target = Buffer.alloc(bytes.length);
  await store.readInto(1, hash, target, [{ offset: 0, length: bytes.length, at: 0 }]);
  const parts = [await store.read(1, hash, 0, bytes.length), await buffer(store.stream(1, hash)), target];
  return parts.every((part) => part.equals(bytes));
};

test.for(kinds)(
  'on $kind, files stored before and after a change of encryption are all found',
  async ({ newStorage }) => {
    const storage = await newStorage();
    const contents = Array.from({ length: 30 }, () => randomBytes(1000));
    const group = (index: number) => contents.slice(index * 10, index * 10 + 10);
    const keepAll = async (store: BlobStore, files: readonly Buffer[]) => {
      const hashes: string[] = [];
      for (const bytes of files) hashes.push(await keep(store, bytes));
      return hashes;
    };
    const before = await keepAll(await open(storage), group(0));
    const on = await open(storage, { current: first });
    const during = await keepAll(on, group(1));
    const off = await open(storage, { previous: [first] });
    const after = await keepAll(off, group(2));
    const hashes = [...before, ...during, ...after];

    for (const store of [on, off]) {
      for (const [index, hash] of hashes.entries()) {
        expect(await isRight(store, hash, contents[index] ?? Buffer.alloc(0))).toBe(true);
        expect(await store.stat(1, hash)).toMatchObject({ size: 1000 });
      }
      const expected = hashes.map((hash) => `${hash} 1000`).toSorted();
      expect(await contentOf(store)).toEqual(expected);
      expect(await contentOf(store, 1)).toEqual(expected);
      expect(await contentOf(store, 2)).toEqual([]);
    }
    for (const hash of hashes) await on.remove(1, hash);
    expect(await contentOf(off)).toEqual([]);
  },
);

test.for(kinds)(
  'on $kind, a file stored without and then with encryption is listed once and removed completely',
  async ({ newStorage }) => {
    const storage = await newStorage();
    const bytes = randomBytes(1000);
    const hash = await keep(await open(storage), bytes);
    const store = await open(storage, { current: first });
    await keep(store, bytes);

    expect(await contentOf(store)).toEqual([`${hash} 1000`]);
    await store.remove(1, hash);

    expect(await contentOf(store)).toEqual([]);
    expect(await store.stat(1, hash)).toBeUndefined();
  },
);

test.for(kinds)('on $kind, the owner of a store remains after encryption is switched on', async ({ newStorage }) => {
  const storage = await newStorage();
  await (await open(storage)).claim('an installation');

  const store = await open(storage, { current: first });

  expect(await store.owner()).toBe('an installation');
  expect(await store.removeLeftovers()).toBe(0);
  await store.writeProbe();
});

test.for(kinds)('on $kind, a store with a missing or wrong key does not open', async ({ newStorage }) => {
  const storage = await newStorage();
  await keep(await open(storage, { current: first }), randomBytes(10));

  for (const keys of [{}, { current: second }, { previous: [second] }]) {
    const error: unknown = await open(storage, keys).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toMatch(/encrypted with another STORAGE_KEY \(id [0-9a-f]{16}\)\. Set\nthat key/);
    expect(String(error)).not.toMatch(/the-(first|second)-key/);
  }
});

test.for(kinds)(
  'on $kind, a new key encrypts new files, and old files still require the old key',
  async ({ newStorage }) => {
    const storage = await newStorage();
    const [old, fresh] = [randomBytes(1000), randomBytes(1000)];
    const oldHash = await keep(await open(storage, { current: first }), old);
    const changed = await open(storage, { current: second, previous: [first] });
    const freshHash = await keep(changed, fresh);

    expect([await isRight(changed, oldHash, old), await isRight(changed, freshHash, fresh)]).toEqual([true, true]);
    await expect(open(storage, { current: second })).rejects.toThrow('another STORAGE_KEY');
    await expect(open(storage, { current: first })).rejects.toThrow('another STORAGE_KEY');
  },
);

test('a running server writes the id of its key again after it was overwritten in the store', async () => {
  const storage: Storage = { kind: 'local', folder: await newFolder() };
  const running = await open(storage, { current: first });
  await keep(running, randomBytes(10));
  const note = join(storage.folder, 'encryption-keys');
  const before = await readFile(note, 'utf8');
  await writeFile(note, '0123456789abcdef');

  const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000);
  await keep(running, randomBytes(10)).finally(() => later.mockRestore());

  expect(await readFile(note, 'utf8')).toBe(`0123456789abcdef ${before}`);
});

test('a store notes the id of its key before the first encrypted file, but not without encryption', async () => {
  const root = await newFolder();
  const storage: Storage = { kind: 'local', folder: root };
  await keep(await open(storage), randomBytes(10));
  const store = await open(storage, { current: first });
  const blob = await store.receive(one(randomBytes(10)), 10, 1);
  await blob.sync();
  const note = join(root, 'encryption-keys');
  expect(existsSync(note)).toBe(false);
  await open(storage);

  await rm(join(root, 'encrypted', 'incoming'), { recursive: true });
  await expect(store.keep(1, [blob])).rejects.toMatchObject({ code: 'ENOENT' });

  expect(await readFile(note, 'utf8')).toMatch(/^[0-9a-f]{16}$/);
});
