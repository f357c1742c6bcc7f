import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '#core/config/config-error.ts';
import { findManifest, isManifest, type Manifest, manifestName, writtenManifest } from './manifest.ts';

const manifest: Manifest = {
  id: randomUUID(),
  createdAt: '2026-11-25T19:00:00.000Z',
  version: '0.1.0',
  postgres: '18.1',
  installation: randomUUID(),
  secretFingerprint: null,
  migrations: [],
  tables: [{ name: 'users', columns: ['id'], rows: 3, sha256: 'a'.repeat(64) }],
  sequences: [],
  files: { count: 0, bytes: 0, sha256: 'b'.repeat(64), missing: [] },
};

const manifestBytes = Buffer.from(writtenManifest(manifest));

/** Creates a folder and a function that writes its manifest file. */
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-manifest-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, manifestName);
  return { folder, path, put: (bytes: Buffer) => writeFile(path, bytes) };
};

const flipped = (at: number): Buffer => {
  const bytes = Buffer.from(manifestBytes);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes;
};

/** In JSON, white space between the parts and at the end has no meaning. */
const saysSomething = (at: number) => !/\s/.test(String.fromCharCode(manifestBytes.readUInt8(at)));

test('reads a manifest as it was written', async () => {
  const { folder, path, put } = await newFolder();
  await put(manifestBytes);

  expect(await findManifest(folder)).toEqual(manifest);
  expect(await isManifest(path)).toBe(true);
});

test('refuses a manifest in which any byte was changed', async () => {
  const { folder, path, put } = await newFolder();

  for (const at of manifestBytes.keys()) {
    if (!saysSomething(at)) continue;
    await put(flipped(at));
    await expect(findManifest(folder), `byte ${at}`).rejects.toThrow(ConfigError);
    await expect(findManifest(folder)).rejects.toThrow(/is damaged|was made by a newer version/);
    expect(await isManifest(path)).toBe(false);
  }
});

test('refuses a truncated manifest', async () => {
  const { folder, put } = await newFolder();

  for (let length = 0; length < manifestBytes.length - 1; length += 7) {
    await put(manifestBytes.subarray(0, length));
    await expect(findManifest(folder)).rejects.toThrow(/is damaged/);
  }
});

test.each(['null', '[]', '"text"', '{"format":1}', '{"format":1,"manifest":{}}'])(
  'refuses %s as a manifest',
  async (text) => {
    const { folder, put } = await newFolder();
    await put(Buffer.from(text));

    await expect(findManifest(folder)).rejects.toThrow(/is damaged/);
  },
);
