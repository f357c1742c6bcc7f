import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, renameSync, watch } from 'node:fs';
import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { removeUnused } from '#imaging/archive/upkeep/remove-unused.ts';
import { type BlobStore, StorageUnavailable } from '#core/blobs/blob-store.ts';
import { orNotFound } from '#core/http/problem.ts';
import { storeAs } from '#test/archive-calls.ts';
import { emptyDatabase, installed, newFolder, secretOf } from '#test/backup-folders.ts';
import { compileCache } from '#test/compile-cache.ts';
import { runCommand } from '#test/run-command.ts';
import { runSql } from '#test/setup.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { backUp } from './back-up.ts';
import { completeBackup, databaseFolder, filePath, backupLocationOf } from './backup-folder.ts';
import { checkBackup } from './check-backup.ts';
import { findManifest } from './manifest.ts';

const world = await createWorld();
const source = await installed(world);

/** Stores some images in a new tenant. Returns the user and the hashes of the images. */
const clinicWith = async (images: number) => {
  const person = await world.signIn();
  await storeAs(person, ...Array.from({ length: images }, () => image()));
  return { person, hashes: await hashesOf(person) };
};

const hashesOf = async ({ tenant }: Person): Promise<string[]> => {
  const hashes: string[] = [];
  for await (const { sha256 } of world.context.blobs.list(tenant.id)) hashes.push(sha256);
  return hashes;
};

const backUpTo = async (folder: string, more: { isFast?: boolean; blobs?: BlobStore } = {}) => {
  const messages: string[] = [];
  const { blobs = world.context.blobs, ...options } = more;
  const done = await backUp({ url: world.url, blobs }, folder, {
    ...options,
    onProgress: () => {},
    report: (words) => messages.push(words),
  });
  return { ...done, told: messages };
};

const allFiles = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

/** Counts the damaged files of the backup in a folder. Undefined without a backup. */
const faultsIn = async (folder: string): Promise<number | undefined> => {
  const manifest = await findManifest(folder);
  if (!manifest) return undefined;
  const silent = () => {};
  const { needed, files } = await checkBackup(backupLocationOf(folder, manifest, undefined), manifest, silent, silent);
  return needed + files.length;
};

test('only the account that made a backup can read its files, and the backup does not contain SECRET_KEY', async () => {
  await clinicWith(2);
  const folder = join(await newFolder(), 'new');

  await backUpTo(folder);

  const secret = await secretOf(world);
  const paths = await allFiles(folder);
  const modes = await Promise.all([folder, ...paths].map(async (path) => ((await stat(path)).mode & 0o077) === 0));
  const texts = await Promise.all(
    paths.map(async (path) => (path.endsWith('.gz') ? gunzipSync(await readFile(path)) : readFile(path))),
  );
  expect(modes).not.toContain(false);
  expect(paths.length).toBeGreaterThan(50);
  expect(texts.filter((bytes) => bytes.includes(secret))).toEqual([]);
});

test('a disk that disappears during a backup is an error, and no incomplete backup remains', async () => {
  await clinicWith(6);
  const folder = await newFolder();
  const [disk, elsewhere] = [join(world.dataDir, 'archive'), join(world.dataDir, 'not mounted')];
  const messages: string[] = [];

  const backingUp = backUp({ url: world.url, blobs: world.context.blobs }, folder, {
    onProgress: (words) => {
      if (words.startsWith('files:') && existsSync(disk)) renameSync(disk, elsewhere);
    },
    report: (words) => messages.push(words),
  }).finally(() => renameSync(elsewhere, disk));

  await expect(backingUp).rejects.toThrow(StorageUnavailable);
  expect(messages).toEqual([]);
  expect(await findManifest(folder)).toBeUndefined();
});

test('the backup command tells the operator to keep the setting SECRET_KEY in another place', async () => {
  const SECRET_KEY = await secretOf(world);

  const { said: output } = await runCommand('backup', { ...source, SECRET_KEY }, await newFolder());

  expect(output).toContain('SECRET_KEY: store it elsewhere');
});

test('a second backup copies new files and deletes none, and the first one can be restored from its copied manifest', async () => {
  const { person } = await clinicWith(2);
  const folder = await newFolder();
  await backUpTo(folder);
  const first = await backUpTo(folder);
  await storeAs(person, image());

  const second = await backUpTo(folder);

  expect(second.alreadyCopied).toBe(first.manifest.files.count);
  expect(second.manifest.files.count).toBe(first.manifest.files.count + 1);
  expect(await findManifest(folder)).toEqual(second.manifest);
  expect(new Set(await readdir(join(folder, 'database')))).toEqual(new Set([first.manifest.id, second.manifest.id]));

  await copyFile(join(databaseFolder(folder, first.manifest.id), 'manifest.json'), join(folder, 'manifest.json'));

  expect(await findManifest(folder)).toEqual(first.manifest);
  expect(await faultsIn(folder)).toBe(0);

  const { manifest } = first;
  const [table] = manifest.tables;
  const invalid = { ...manifest, tables: [{ ...orNotFound(table, 'file'), name: 'My Table' }] };
  await expect(completeBackup(folder, invalid)).rejects.toThrow('a restore could not read');
  expect(await findManifest(folder)).toEqual(manifest);
});

test('copies a file again if it changed after an earlier backup, unless only file sizes are compared', async () => {
  const { person, hashes } = await clinicWith(1);
  const folder = await newFolder();
  await backUpTo(folder);
  const path = filePath(folder, { tenantId: person.tenant.id, sha256: orNotFound(hashes[0], 'file') });
  const bytes = await readFile(path);
  await writeFile(path, Buffer.alloc(bytes.length));

  await backUpTo(folder, { isFast: true });
  const afterFast = await readFile(path);
  await backUpTo(folder);
  const after = await readFile(path);

  expect([afterFast.equals(bytes), after.equals(bytes)]).toEqual([false, true]);
});

test('names files that the store lost or damaged and the secret to keep elsewhere, and backs up all other files', async () => {
  const { person, hashes } = await clinicWith(3);
  const { id: tenantId } = person.tenant;
  const [lost, damaged, intact] = hashes.map((sha256) => ({ tenantId, sha256 }));
  await world.context.blobs.remove(tenantId, orNotFound(lost, 'file').sha256);
  const path = join(world.dataDir, 'archive', String(tenantId), orNotFound(damaged, 'file').sha256.slice(0, 2));
  await writeFile(join(path, orNotFound(damaged, 'file').sha256), 'something else');
  const folder = await newFolder();

  const { code, said: output } = await runCommand('backup', source, folder);
  await world.sql`delete from instances where tenant_id = ${tenantId}`.execute(world.owner);

  expect(code).toBe(1);
  expect(output).toContain(`The backup does not contain ${join(world.dataDir, 'secret-key')}: store it elsewhere`);
  expect(output).toContain(`tenant number ${tenantId}, file ${lost?.sha256}: missing from the store`);
  expect(output).toContain(`tenant number ${tenantId}, file ${damaged?.sha256}: the content in the store has changed`);
  const manifest = await findManifest(folder);
  expect(manifest?.files.missing).toEqual(expect.arrayContaining([lost, damaged]));
  expect(manifest?.files.missing).toHaveLength(2);
  const inBackup = await allFiles(join(folder, 'files', String(tenantId)));
  expect(inBackup).toEqual([filePath(folder, orNotFound(intact, 'file'))]);
});

test('a file purged during a backup stays in the store until the backup ends, and the backup contains it', async () => {
  const { person, hashes } = await clinicWith(1);
  const { id: tenantId } = person.tenant;
  const folder = await newFolder();
  const removedDuring: number[] = [];
  const blobs: BlobStore = {
    ...world.context.blobs,
    // Deletes the instance after the tables were copied, and before its file is copied.
    stat: async (tenant, sha256) => {
      if (tenant === tenantId && removedDuring.length === 0) {
        await world.sql`delete from instances where tenant_id = ${tenantId}`.execute(world.owner);
        removedDuring.push(await removeUnused(world.context, tenantId, hashes));
      }
      return world.context.blobs.stat(tenant, sha256);
    },
  };

  const { told: messages } = await backUpTo(folder, { blobs });

  expect([messages, removedDuring]).toEqual([[], [0]]);
  expect(await allFiles(join(folder, 'files', String(tenantId)))).toHaveLength(1);
  expect(await removeUnused(world.context, tenantId, hashes)).toBe(1);
});

test('refuses a folder that contains other files or the backup of another installation', async () => {
  const [home, elsewhere] = [await newFolder(), await newFolder()];
  await writeFile(join(home, 'thesis.txt'), 'precious');
  const { manifest } = await backUpTo(elsewhere);
  await completeBackup(elsewhere, { ...manifest, installation: randomUUID() });
  const before = await findManifest(elsewhere);

  await expect(backUpTo(home)).rejects.toThrow(/contains something other than a backup: thesis\.txt/);
  await expect(backUpTo(elsewhere)).rejects.toThrow('contains a backup of another installation');

  expect(await readdir(home)).toEqual(['thesis.txt']);
  expect(await findManifest(elsewhere)).toEqual(before);
});

test('each command refuses a database that is older, newer or without tables, and gives the reason', async () => {
  const [other, empty] = [await createWorld(), await emptyDatabase()];
  const ofOther = await installed(other);

  await runSql(other.url, `insert into schema_migrations (name, sha256) values ('9999_to_come.sql', '')`);
  const lookedAfter = await runCommand('upkeep', ofOther);
  await runSql(
    other.url,
    'alter table installation drop column database_identity',
    `delete from schema_migrations where name > '0082'`,
  );
  const saved = await runCommand('backup', ofOther, await newFolder());
  const verified = await runCommand('verify', empty);
  const silent = () => {};
  const savedHere = backUp({ url: other.url, blobs: other.context.blobs }, await newFolder(), {
    onProgress: silent,
    report: silent,
  });

  await expect(savedHere).rejects.toThrow('Make the backup with the version that runs the server');
  expect([saved, lookedAfter, verified].map(({ code }) => code)).toEqual([2, 2, 2]);
  const another = /^The database belongs to another version of Radwork\. Use the version that runs the server/;
  expect(saved.complaint).toMatch(another);
  expect(lookedAfter.complaint).toMatch(another);
  expect(verified.complaint).toMatch(/^The database is empty: no server has started on it yet/);
});

test('only one backup of a database runs at a time', async () => {
  await clinicWith(1);
  const folder = await newFolder();
  let second: Promise<unknown> | undefined;
  const blobs: BlobStore = {
    ...world.context.blobs,
    stat: async (tenant, sha256) => {
      second ??= backUpTo(await newFolder()).catch(String);
      await second;
      return world.context.blobs.stat(tenant, sha256);
    },
  };

  await backUpTo(folder, { blobs });

  expect(await second).toContain('Another backup of this database is running');
});

/**
 * Starts a backup in its own process, and kills it at the first progress message with these words, or when the given
 * file appears.
 */
const killedBackup = async (folder: string, at: { words: string } | { file: string }) => {
  const words = 'words' in at ? at.words : 'never';
  const script = resolve(import.meta.dirname, '../../test/killed-backup.ts');
  const child = spawn(process.execPath, [script, world.url, world.dataDir, folder, words], {
    env: compileCache,
    stdio: 'inherit',
  });
  const appeared = 'file' in at && watch(folder, (_, name) => name === at.file && child.kill('SIGKILL'));
  await once(child, 'close');
  if (appeared) appeared.close();
  return child.signalCode;
};

test('if a backup is killed, the folder has no backup or the complete previous one, and can be used again', async () => {
  const { person } = await clinicWith(6);
  const folder = await newFolder();
  const remaining = () => readdir(join(folder, 'database'));

  const signals = [await killedBackup(folder, { words: 'table 20 of' })];
  const afterTables = await faultsIn(folder);
  signals.push(await killedBackup(folder, { words: 'files: 3,' }));
  const afterFiles = await faultsIn(folder);
  const remains = await remaining();
  await backUpTo(folder);
  await storeAs(person, ...Array.from({ length: 6 }, () => image()));
  signals.push(await killedBackup(folder, { words: 'files: 8,' }));
  const afterNewFiles = await faultsIn(folder);
  // The new backup may be complete before the signal arrives.
  await killedBackup(folder, { file: 'manifest.json.part' });
  const atEnd = orNotFound(await findManifest(folder), 'file');
  const tablesAtEnd = await readdir(databaseFolder(folder, atEnd.id));
  const { manifest } = await backUpTo(folder);

  expect(signals).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL']);
  expect([afterTables, afterFiles]).toEqual([undefined, undefined]);
  expect(remains).toHaveLength(2);
  expect(afterNewFiles).toBe(0);
  expect(tablesAtEnd.filter((name) => name.endsWith('.gz'))).toHaveLength(atEnd.tables.length + 1);
  expect(manifest.files.missing).toEqual([]);
  expect(await faultsIn(folder)).toBe(0);
  expect(await readdir(databaseFolder(folder, manifest.id))).toHaveLength(manifest.tables.length + 1);
});
