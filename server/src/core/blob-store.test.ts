import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openBlobStore, TooLarge } from './blob-store.ts';

const folder = await mkdtemp(join(tmpdir(), 'radwork-blobs-'));
afterAll(() => rm(folder, { recursive: true }));

let opened = 0;
/** A store of its own, and every file in it. */
const newStore = async () => {
  opened += 1;
  const root = join(folder, String(opened), 'archive');
  await mkdir(join(folder, String(opened)));
  const store = await openBlobStore(root);
  const files = async () =>
    (await readdir(root, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  return { root, store, files };
};

async function* chunksOf(...texts: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

test('bytes are hashed on their way in, and found by their hash once they are kept', async () => {
  const { store, files } = await newStore();

  const blob = await store.receive(chunksOf('one ', 'and ', 'two'), 100);
  expect(await blob.read(4, 3)).toEqual(Buffer.from('and'));
  await blob.sync();
  await store.keep(7, [blob]);

  const hash = sha256('one and two');
  expect(blob).toMatchObject({ sha256: hash, size: 11 });
  expect(await files()).toEqual([`7/${hash.slice(0, 2)}/${hash}`]);
  expect(await store.read(7, hash, 8, 100)).toEqual(Buffer.from('two'));
});

test('many small and a few large pieces come out as they went in', async () => {
  const { store } = await newStore();
  const pieces = [Buffer.alloc(3 << 20, 'a'), ...Array.from({ length: 5000 }, (_, index) => Buffer.from(`${index},`))];
  const whole = Buffer.concat(pieces);

  const blob = await store.receive(chunksOf(...pieces), whole.length);
  await blob.sync();
  await store.keep(1, [blob]);

  expect(blob.sha256).toBe(sha256(whole));
  expect((await store.read(1, blob.sha256, 0, whole.length)).equals(whole)).toBe(true);
});

test('what was not kept leaves nothing behind', async () => {
  const { store, files } = await newStore();
  async function* breaksOff() {
    yield Buffer.from('half');
    throw new Error('the line broke');
  }

  const discarded = await store.receive(chunksOf('unwanted'), 100);
  await discarded.discard();
  await expect(store.receive(chunksOf('more', 'than', 'ten bytes'), 10)).rejects.toThrow(TooLarge);
  await expect(store.receive(breaksOff(), 100)).rejects.toThrow('the line broke');

  expect(await files()).toEqual([]);
});

test('discarding what has been kept does not take it away', async () => {
  const { store } = await newStore();
  const blob = await store.receive(chunksOf('precious'), 100);
  await blob.sync();
  await store.keep(1, [blob]);

  await blob.discard();

  expect(await store.read(1, blob.sha256, 0, 100)).toEqual(Buffer.from('precious'));
});

test('what a crash left half written is gone after the next start', async () => {
  const { root, files } = await newStore();
  const ended = spawnSync(process.execPath, ['--eval', '']).pid;
  await writeFile(join(root, 'incoming', `${ended}-left-over`), 'half a file');

  await openBlobStore(root);

  expect(await files()).toEqual([]);
});

test('what another server on the same folder is writing is left alone', async () => {
  const { root, files } = await newStore();
  const writing = `${process.ppid}-half-a-file`;
  await writeFile(join(root, 'incoming', writing), 'half a file');

  await openBlobStore(root);

  expect(await files()).toEqual([`incoming/${writing}`]);
});

test('the same bytes of two tenants are two files, and one goes without the other', async () => {
  const { store, files } = await newStore();
  for (const tenantId of [1, 2]) {
    const blob = await store.receive(chunksOf('shared'), 100);
    await blob.sync();
    await store.keep(tenantId, [blob]);
  }

  await store.remove(1, sha256('shared'));

  expect(await files()).toEqual([`2/${sha256('shared').slice(0, 2)}/${sha256('shared')}`]);
});

test('pieces are read to their places, and a file that is too short is told', async () => {
  const { store } = await newStore();
  const blob = await store.receive(chunksOf('0123456789'), 100);
  await blob.sync();
  await store.keep(1, [blob]);
  const target = Buffer.from('..........');

  await store.readInto(1, blob.sha256, target, [
    { offset: 8, length: 2, at: 0 },
    { offset: 0, length: 3, at: 5 },
  ]);

  expect(target.toString()).toBe('89...012..');
  await expect(store.readInto(1, blob.sha256, target, [{ offset: 8, length: 3, at: 0 }])).rejects.toThrow(
    'A stored file is shorter than its rows say',
  );
});
