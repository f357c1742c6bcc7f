import { copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { storageKeysOf } from '#core/blobs/storage-keys.ts';
import { orNotFound } from '#core/http/problem.ts';
import { storeAs } from '#test/archive-calls.ts';
import { asOwner, emptyDatabase, installed, newFolder, secretOf } from '#test/backup-folders.ts';
import { runCommand } from '#test/run-command.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { backUp } from './back-up.ts';
import { databaseFolder, backupLocationOf, tablePath } from './backup-folder.ts';
import { checkBackup } from './check-backup.ts';
import { findManifest, manifestName, readManifest, writtenManifest } from './manifest.ts';

// Only the holder of the key can read an encrypted backup.

const [first, second] = ['the-first-backup-key-of-this-clinic', 'the-second-backup-key-of-this-clinic'] as const;
const keysOf = (current: string | undefined, ...previous: string[]) => storageKeysOf({ current, previous });

const world = await createWorld();
const person = await world.signIn();
await storeAs(person, ...Array.from({ length: 5 }, () => image({ PatientName: 'Hidden^Helen' })));
const source = await installed(world);
const SECRET_KEY = await secretOf(world);
const quiet = { onProgress: () => {}, report: () => {} };

const backUpWith = (folder: string, keys: ReturnType<typeof keysOf>, isFast = false) =>
  backUp({ url: world.url, blobs: world.context.blobs, keys }, folder, { ...quiet, isFast });

const allFiles = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

/** Lists the faults that a restore would find in the backup of a folder. */
const faultsIn = async (folder: string, keys: ReturnType<typeof keysOf>): Promise<string[]> => {
  const manifest = orNotFound(await findManifest(folder, keys), 'file');
  const faults: string[] = [];
  await checkBackup(backupLocationOf(folder, manifest, keys), manifest, quiet.onProgress, (words) =>
    faults.push(words),
  );
  return faults;
};

const isEncrypted = async (path: string) => (await readFile(path)).subarray(0, 8).toString('latin1') === 'RADWORK1';

const storedIn = async (folder: string) => (await allFiles(join(folder, 'files'))).toSorted();

test('a backup key encrypts every file except the manifest, which names no person', async () => {
  const folder = await newFolder();

  await backUpWith(folder, keysOf(first));

  const others = (await allFiles(folder)).filter((path) => !path.endsWith(manifestName));
  expect(await Promise.all(others.map(isEncrypted))).not.toContain(false);
  expect(others.length).toBeGreaterThan(50);
  const manifestText = await readFile(join(folder, manifestName), 'utf8');
  expect(manifestText).not.toMatch(new RegExp(`Helen|${first}|${person.username}`));
  expect(await faultsIn(folder, keysOf(first))).toEqual([]);
});

test('restores only with the correct key, and otherwise refuses before any change', async () => {
  const folder = await newFolder();
  const result = await runCommand('backup', { ...source, BACKUP_KEY: first }, folder);
  const target = { ...(await emptyDatabase()), SECRET_KEY };
  const tables = () =>
    asOwner(target.DATABASE_URL, async (owner) => {
      const { rows } = await sql`select from pg_tables where schemaname = 'public'`.execute(owner);
      return rows.length;
    });

  const refused = await Promise.all(
    [{}, { BACKUP_KEY: second }].map((keys) => runCommand('restore', { ...target, ...keys }, folder)),
  );
  const before = await tables();
  const restored = await runCommand('restore', { ...target, BACKUP_KEY: second, BACKUP_KEY_PREVIOUS: first }, folder);
  const verified = await runCommand('verify', target);

  expect(result).toMatchObject({ code: 0, said: expect.stringContaining('cannot be restored without BACKUP_KEY') });
  for (const { code, complaint } of refused) {
    expect(code).toBe(2);
    expect(complaint).toMatch(/encrypted with another BACKUP_KEY \(id [0-9a-f]{16}\)[^]*Nothing was changed/);
    expect(complaint).not.toContain(first);
  }
  expect(before).toBe(0);
  expect(restored.code).toBe(0);
  expect(verified.code).toBe(0);
}, 120_000);

test('finds changed, shortened and exchanged files in an encrypted backup', async () => {
  const folder = await newFolder();
  const keys = keysOf(first);
  const { manifest } = await backUpWith(folder, keys);
  const [changed, cut, moved, other] = await storedIn(folder);
  const bytes = await readFile(orNotFound(changed, 'file'));
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
  await writeFile(orNotFound(changed, 'file'), bytes);
  await writeFile(orNotFound(cut, 'file'), (await readFile(orNotFound(cut, 'file'))).subarray(0, -1));
  await copyFile(orNotFound(other, 'file'), orNotFound(moved, 'file'));
  await copyFile(tablePath(folder, manifest.id, 'studies'), tablePath(folder, manifest.id, 'series'));

  const faults = await faultsIn(folder, keys);

  expect(faults).toHaveLength(4);
  for (const path of [changed, cut, moved, tablePath(folder, manifest.id, 'series')]) {
    expect(faults.filter((words) => orNotFound(path, 'file').endsWith(words.split(':')[0] ?? ''))).toHaveLength(1);
  }
});

test('refuses a manifest that was written without the key', async () => {
  const folder = await newFolder();
  const { manifest } = await backUpWith(folder, keysOf(first));
  const path = join(folder, manifestName);
  const { sha256: _, ...stored } = JSON.parse(await readFile(path, 'utf8'));
  const forged = { ...manifest, files: { ...manifest.files, missing: [{ tenantId: 1, sha256: '0'.repeat(64) }] } };
  const { sha256 } = JSON.parse(writtenManifest(forged));

  await writeFile(path, JSON.stringify({ ...stored, sha256, manifest: forged }));

  await expect(readManifest(folder, keysOf(first))).rejects.toThrow('is damaged');
});

test('refuses a manifest without its signature or key when a key is set', async () => {
  const folder = await newFolder();
  await backUpWith(folder, keysOf(first));
  const path = join(folder, manifestName);
  const { signature, ...unsigned } = JSON.parse(await readFile(path, 'utf8'));
  const { keyId, ...plain } = unsigned.manifest;

  await writeFile(path, JSON.stringify(unsigned));
  const withoutSignature = readManifest(folder, keysOf(first));
  await expect(withoutSignature).rejects.toThrow('is damaged');
  await writeFile(path, writtenManifest(plain));
  const withoutKey = readManifest(folder, keysOf(first));
  await expect(withoutKey).rejects.toThrow('is not encrypted, but BACKUP_KEY is set');

  expect([signature, keyId]).toEqual([
    expect.stringMatching(/^[0-9a-f]{64}$/),
    expect.stringMatching(/^[0-9a-f]{16}$/),
  ]);
});

test('reuses copied files if the key is the same; another key, or no key, requires another folder', async () => {
  const folder = await newFolder();
  const [firstBackup, again, fast] = [
    await backUpWith(folder, keysOf(first)),
    await backUpWith(folder, keysOf(first)),
    await backUpWith(folder, keysOf(first), true),
  ];
  const count = firstBackup.manifest.files.count;
  const plain = await newFolder();
  await backUpWith(plain, undefined);

  expect([firstBackup, again, fast].map(({ alreadyCopied }) => alreadyCopied)).toEqual([0, count, count]);
  expect(count).toBeGreaterThan(4);
  await expect(backUpWith(folder, keysOf(second, first))).rejects.toThrow(/encrypted with.+Name a new folder/);
  await expect(backUpWith(folder, undefined)).rejects.toThrow(/encrypted with.+Name a new folder/);
  await expect(backUpWith(plain, keysOf(first))).rejects.toThrow(/not encrypted.+Name a new folder/);
  expect(await faultsIn(folder, keysOf(first))).toEqual([]);
  expect(await faultsIn(plain, undefined)).toEqual([]);

  // Copies the manifest of the previous backup back.
  await copyFile(join(databaseFolder(folder, again.manifest.id), manifestName), join(folder, manifestName));
  expect(await faultsIn(folder, keysOf(first))).toEqual([]);
});

test('copies damaged files again, and also all files of an interrupted backup if the key has changed', async () => {
  const folder = await newFolder();
  const { manifest } = await backUpWith(folder, keysOf(first));
  const [damaged] = await storedIn(folder);
  const { size } = await stat(orNotFound(damaged, 'file'));
  await writeFile(orNotFound(damaged, 'file'), Buffer.alloc(size));

  const repaired = await backUpWith(folder, keysOf(first));
  await rm(join(folder, manifestName));
  const other = await backUpWith(folder, keysOf(second), true);
  const faults = await faultsIn(folder, keysOf(second));
  await rm(join(folder, manifestName));
  const without = await backUpWith(folder, undefined, true);

  expect([repaired, other, without].map(({ alreadyCopied }) => alreadyCopied)).toEqual([
    manifest.files.count - 1,
    0,
    0,
  ]);
  expect(faults).toEqual([]);
  expect(await faultsIn(folder, undefined)).toEqual([]);
  expect(await Promise.all((await storedIn(folder)).map(isEncrypted))).not.toContain(true);
});
