import { createHash, randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { BlobStore } from './blob-store.ts';
import { startS3Server } from '#test/s3-server.ts';
import { chunkBytes, headerBytes, sealBytes, storedSize } from './encrypted-format.ts';
import { openBlobStore } from './open-blob-store.ts';
import { readStorageUrl } from './storage-url.ts';

const folder = await mkdtemp(join(tmpdir(), 'radwork-encrypted-'));
const s3 = await startS3Server();
afterAll(async () => {
  await s3.remove();
  await rm(folder, { recursive: true });
});

const key = 'the-key-of-this-store-that-nobody-knows';
const tagged = chunkBytes + 16;

type Settings = { current?: string | undefined; previous?: string[] };

const newRoot = () => mkdtemp(join(folder, 'store-'));

const open = async (root: string, { current = key, previous = [] }: Settings = {}): Promise<BlobStore> => {
  const storageKeys = { current: current === '' ? undefined : current, previous };
  const store = await openBlobStore({
    storage: { kind: 'local', folder: root },
    dataDir: root,
    storageCacheBytes: 0,
    storageKeys,
  });
  onTestFinished(() => store.close());
  return store;
};

const newStore = async () => {
  const root = await newRoot();
  return { root, store: await open(root) };
};

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007);
}

const keep = async (store: BlobStore, bytes: Buffer, tenantId = 1): Promise<string> => {
  const blob = await store.receive(inPieces(bytes), bytes.length, tenantId);
  await blob.sync();
  await store.keep(tenantId, [blob]);
  await blob.discard();
  return blob.sha256;
};

const pathOf = (root: string, hash: string, tenantId = 1) =>
  join(root, 'encrypted', String(tenantId), hash.slice(0, 2), hash);

/** All ways to read bytes. Each must refuse damaged files. */
const readings = (store: BlobStore, hash: string, size: number, tenantId = 1): Promise<unknown>[] => [
  store.read(tenantId, hash, 0, size),
  store.readInto(tenantId, hash, Buffer.alloc(size), [{ offset: 0, length: size, at: 0 }]),
  buffer(store.stream(tenantId, hash)),
];

/** Returns the error of each way to read, or undefined where the read succeeded. */
const answersTo = async (...reading: Parameters<typeof readings>): Promise<unknown[]> => {
  const outcomes = await Promise.allSettled(readings(...reading));
  return outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : undefined));
};

const refusals = Array.from({ length: 3 }, () => 'Error: A stored file is damaged: its content has changed');

const sizes = [
  0,
  1,
  chunkBytes - 1,
  chunkBytes,
  chunkBytes + 1,
  2 * chunkBytes,
  3 * chunkBytes + 100,
  1 << 20,
  (1 << 20) + 1,
];

test.each(sizes)('a file of %i bytes has the expected stored size and is read back unchanged', async (size) => {
  const { root, store } = await newStore();
  const bytes = randomBytes(size);

  const hash = await keep(store, bytes);

  expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(await store.stat(1, hash)).toMatchObject({ size });
  const stored = await readFile(pathOf(root, hash));
  expect(stored.length).toBe(storedSize(size));
  expect((await store.read(1, hash, 0, size + 10)).equals(bytes)).toBe(true);
  expect((await buffer(store.stream(1, hash))).equals(bytes)).toBe(true);
});

test('reads the correct bytes for ranges that begin or end near any chunk border', async () => {
  const { store } = await newStore();
  const bytes = randomBytes(3 * chunkBytes + 100);
  const incoming = await store.receive(inPieces(bytes), bytes.length, 1);
  const ends = [0, 1, 2, 3].flatMap((chunk) => [-1, 0, 1].map((off) => chunk * chunkBytes + off)).concat(bytes.length);
  const ranges = ends
    .filter((end) => end >= 0)
    .flatMap((offset) => ends.filter((end) => end >= offset).map((end) => ({ offset, length: end - offset })));
  const isRight = (read: Buffer, { offset, length }: (typeof ranges)[number]) =>
    read.equals(bytes.subarray(offset, offset + length));

  const arriving = await Promise.all(
    ranges.map(async (range) => isRight(await incoming.read(range.offset, range.length), range)),
  );
  await incoming.sync();
  await store.keep(1, [incoming]);
  const hash = await incoming.sha256;
  const read = await Promise.all(
    ranges.map(async (range) => isRight(await store.read(1, hash, range.offset, range.length), range)),
  );
  const streamed = await Promise.all(
    ranges.map(async (range) => isRight(await buffer(store.stream(1, hash, range)), range)),
  );
  const target = Buffer.alloc(ranges.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  const pieces = ranges.map((range) => ({ ...range, at: (at += range.length) - range.length }));
  await store.readInto(1, hash, target, pieces);

  expect(ranges.length).toBeGreaterThan(60);
  for (const rights of [arriving, read, streamed]) expect(rights.every(Boolean)).toBe(true);
  expect(pieces.every((part) => isRight(target.subarray(part.at, part.at + part.length), part))).toBe(true);
});

test('refuses a file with a changed byte in the header, a chunk, a tag or the seal', async () => {
  const { root, store } = await newStore();
  const bytes = randomBytes(2 * chunkBytes + 50);
  const hash = await keep(store, bytes);
  const stored = await readFile(pathOf(root, hash));
  await store.close();
  const header = Array.from({ length: headerBytes }, (_, index) => index);
  const places = [
    ...header,
    headerBytes,
    headerBytes + chunkBytes - 1,
    headerBytes + chunkBytes,
    headerBytes + tagged - 1,
    headerBytes + tagged,
    stored.length - sealBytes - 1,
    stored.length - sealBytes,
    stored.length - 1,
  ];

  for (const place of places) {
    const changed = Buffer.from(stored);
    changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
    await writeFile(pathOf(root, hash), changed);
    const opened = await open(root);
    expect(await answersTo(opened, hash, bytes.length)).toEqual(refusals);
    await opened.close();
  }
  await writeFile(pathOf(root, hash), stored);
  expect((await (await open(root)).read(1, hash, 0, bytes.length)).equals(bytes)).toBe(true);
});

/** Splits a stored file of four whole chunks and one partial chunk. */
const inChunks = (stored: Buffer) => ({
  head: stored.subarray(0, headerBytes),
  chunks: [0, 1, 2, 3].map((chunk) =>
    stored.subarray(headerBytes + chunk * tagged, headerBytes + (chunk + 1) * tagged),
  ),
  tail: stored.subarray(headerBytes + 4 * tagged),
  seal: stored.subarray(-sealBytes),
});

const tamperings: { what: string; change: (stored: Buffer) => Buffer }[] = [
  {
    what: 'two chunks are swapped',
    change: (stored) => {
      const { head, chunks, tail } = inChunks(stored);
      const [a, b, ...others] = chunks;
      return Buffer.concat([head, b ?? head, a ?? head, ...others, tail]);
    },
  },
  {
    what: 'a chunk is missing',
    change: (stored) => Buffer.concat([stored.subarray(0, headerBytes), stored.subarray(headerBytes + tagged)]),
  },
  { what: 'the end is cut off after a chunk', change: (stored) => stored.subarray(0, headerBytes + 2 * tagged) },
  {
    what: 'the end is cut off after a chunk, and the seal is added again',
    change: (stored) => Buffer.concat([stored.subarray(0, headerBytes + 2 * tagged), inChunks(stored).seal]),
  },
  { what: 'the end is cut off within a chunk', change: (stored) => stored.subarray(0, headerBytes + tagged + 99) },
  { what: 'only the first 20 bytes are left', change: (stored) => stored.subarray(0, 20) },
  { what: 'bytes are appended', change: (stored) => Buffer.concat([stored, Buffer.from('more')]) },
  {
    what: 'a chunk is appended',
    change: (stored) =>
      Buffer.concat([
        stored.subarray(0, -sealBytes),
        stored.subarray(headerBytes, headerBytes + tagged),
        inChunks(stored).seal,
      ]),
  },
  { what: 'the file is empty', change: () => Buffer.alloc(0) },
];

test.each(tamperings)('refuses a damaged file: $what', async ({ change }) => {
  const { root, store } = await newStore();
  const bytes = randomBytes(4 * chunkBytes + 50);
  const hash = await keep(store, bytes);
  await store.close();
  await writeFile(pathOf(root, hash), change(await readFile(pathOf(root, hash))));

  expect(await answersTo(await open(root), hash, bytes.length)).toEqual(refusals);
});

test('refuses a file under the name of another file, of another tenant, or with chunks of another file', async () => {
  const { root, store } = await newStore();
  const [bytes, others] = [randomBytes(3 * chunkBytes), randomBytes(3 * chunkBytes)];
  const [hash, otherHash] = [await keep(store, bytes), await keep(store, others)];
  await keep(store, others, 2);
  const [stored, other] = [await readFile(pathOf(root, hash)), await readFile(pathOf(root, otherHash))];
  await store.close();

  await writeFile(pathOf(root, otherHash), stored);
  await mkdir(dirname(pathOf(root, hash, 2)), { recursive: true });
  await cp(pathOf(root, hash), pathOf(root, hash, 2));
  const moved = await open(root);
  expect(await answersTo(moved, otherHash, others.length)).toEqual(refusals);
  expect(await answersTo(moved, hash, bytes.length, 2)).toEqual(refusals);
  await moved.close();

  const [from, to] = [headerBytes + tagged, headerBytes + 2 * tagged];
  await writeFile(
    pathOf(root, hash),
    Buffer.concat([stored.subarray(0, from), other.subarray(from, to), stored.subarray(to)]),
  );
  expect(await answersTo(await open(root), hash, bytes.length)).toEqual(refusals);
});

test('refuses a file that is truncated while it is open', async () => {
  const { root, store } = await newStore();
  const bytes = randomBytes(2 * chunkBytes);
  const hash = await keep(store, bytes);
  await store.read(1, hash, 0, 10);

  await truncate(pathOf(root, hash), headerBytes + tagged);

  await expect(store.read(1, hash, 0, bytes.length)).rejects.toThrow('A stored file is damaged');
});

test('reads a file that another server stored again under a new file key', async () => {
  const { root, store } = await newStore();
  const bytes = randomBytes(2 * chunkBytes);
  const hash = await keep(store, bytes);
  await store.read(1, hash, 0, 10);
  const first = await readFile(pathOf(root, hash));

  await keep(await open(root), bytes);
  // Checks two cases: the same server reads, and a store opened again reads.
  const second = await readFile(pathOf(root, hash));
  await store.close();
  const again = await open(root);
  await writeFile(pathOf(root, hash), first);
  await again.read(1, hash, 0, 10);
  await writeFile(pathOf(root, hash), second);

  expect(first.equals(second)).toBe(false);
  expect((await again.read(1, hash, 0, bytes.length)).equals(bytes)).toBe(true);
});

test('refuses to keep bytes for a tenant when they were encrypted for another tenant', async () => {
  const { store } = await newStore();
  const blob = await store.receive(inPieces(Buffer.from('mine')), 100, 1);
  await blob.sync();

  await expect(store.keep(2, [blob])).rejects.toThrow('encrypted for another tenant');
  await blob.discard();
});

test('writes no unencrypted text to the disk, neither while receiving nor afterwards', async () => {
  const { root, store } = await newStore();
  const words = Buffer.from('Perihelion^Rosa');
  const bytes = Buffer.concat([randomBytes(100), words, randomBytes(2 << 20), words]);
  const blob = await store.receive(inPieces(bytes), bytes.length, 1);
  await blob.sync();
  const everything = async () => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return Buffer.concat(await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name)))));
  };

  const arriving = await everything();
  await store.keep(1, [blob]);
  await blob.discard();
  const stored = await everything();

  for (const all of [arriving, stored]) {
    expect(all.length).toBeGreaterThan(bytes.length);
    expect(all.includes(words)).toBe(false);
    expect(all.includes(bytes.subarray(-64))).toBe(false);
  }
});

test('encrypts the same bytes differently in each store', async () => {
  const [one, other] = [await newStore(), await newStore()];
  const bytes = randomBytes(1000);

  const hash = await keep(one.store, bytes);
  await keep(other.store, bytes);

  const [first, second] = [await readFile(pathOf(one.root, hash)), await readFile(pathOf(other.root, hash))];
  expect(first.subarray(headerBytes).equals(second.subarray(headerBytes))).toBe(false);
});

test('fetches an encrypted file from the object store once and caches it encrypted', async () => {
  const storage = readStorageUrl(s3.url('copies'), { accessKey: undefined, secretKey: undefined });
  const storageKeys = { current: key, previous: [] };
  const openS3 = async () => {
    const dataDir = await newRoot();
    const store = await openBlobStore({ storage, dataDir, storageCacheBytes: 64 << 20, storageKeys });
    onTestFinished(() => store.close());
    return { store, dataDir };
  };
  const bytes = randomBytes(300_000);
  const hash = await keep((await openS3()).store, bytes);
  const { store, dataDir } = await openS3();
  s3.requests.length = 0;

  const frames = await Promise.all([0, 1, 2].map((frame) => store.read(1, hash, frame * 100_000, 100_000)));
  await store.read(1, hash, 0, 10);

  expect(Buffer.concat(frames).equals(bytes)).toBe(true);
  expect(s3.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const copy = entries.find(({ name }) => name === hash);
  const copied = await readFile(join(copy?.parentPath ?? '', hash));
  expect(copied.length).toBe(storedSize(bytes.length));
  expect(copied.includes(bytes.subarray(0, 64))).toBe(false);
});
