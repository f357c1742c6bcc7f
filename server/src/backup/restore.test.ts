import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openLocalBlobStore } from '#core/blobs/disk/local-blob-store.ts';
import { openOwnerPool } from '#core/database/database.ts';
import { agreeOnStore } from '#core/installation/installation.ts';
import { migrate } from '#core/database/migrate.ts';
import { orNotFound } from '#core/http/problem.ts';
import { storeAs } from '#test/archive-calls.ts';
import { asOwner, emptyDatabase, installed, newFolder, secretOf } from '#test/backup-folders.ts';
import { fillTenant } from '#test/full-tenant.ts';
import { runCommand, startCommand } from '#test/run-command.ts';
import { addressOf, startServer } from '#test/server-process.ts';
import { runSql } from '#test/setup.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { backUp } from './back-up.ts';
import { filePath, listPath, tablePath } from './backup-folder.ts';
import { type Manifest, writtenManifest } from './manifest.ts';
import { restore } from './restore.ts';

const world = await createWorld();
const person = await world.signIn();
await fillTenant(world, 'Aphelion');
await storeAs(person, ...Array.from({ length: 40 }, () => image()));
await installed(world);
const SECRET_KEY = await secretOf(world);

const quiet = { onProgress: () => {}, report: () => {} };

const newBackup = async () => {
  const folder = await newFolder();
  const { manifest } = await backUp({ url: world.url, blobs: world.context.blobs }, folder, quiet);
  return { folder, manifest };
};

const { value: stored } = await world.context.blobs.list(person.tenant.id)[Symbol.asyncIterator]().next();
if (!stored) throw new Error('Nothing is stored');

type Target = Awaited<ReturnType<typeof emptyDatabase>>;

/** Restores within this process. Returns the messages and the error, if any. */
const restoreInto = async ({ DATABASE_URL, DATA_DIR }: Target, folder: string): Promise<string> => {
  const blobs = await openLocalBlobStore(join(DATA_DIR, 'archive'));
  const messages: string[] = [];
  const failed = await restore({ url: DATABASE_URL, blobs, dataDir: DATA_DIR }, folder, {
    ...quiet,
    report: (words) => messages.push(words),
  })
    .then(() => 'restored', String)
    .finally(blobs.close);
  return [...messages, failed].join('\n');
};

const tablesIn = ({ DATABASE_URL }: Target) =>
  asOwner(DATABASE_URL, async (owner) => {
    const { rows } = await sql`select from pg_tables where schemaname = 'public'`.execute(owner);
    return rows.length;
  });

/** Returns the names of the tenants' folders in the store. */
const filesIn = async ({ DATA_DIR }: Target) =>
  (await readdir(join(DATA_DIR, 'archive')).catch(() => [])).filter(
    (name) => /^\d+$/.test(name) || name === 'installation',
  );

/** Changes a manifest so that another version seems to have written it. */
const rewrite = ({ folder, manifest }: { folder: string; manifest: Manifest }, changes: Partial<Manifest>) =>
  writeFile(join(folder, 'manifest.json'), writtenManifest({ ...manifest, ...changes }));

const flipAByte = async (path: string) => {
  const bytes = await readFile(path);
  const at = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  await writeFile(path, bytes);
};

const aFile = (folder: string) => filePath(folder, stored);

test.each([
  [
    'a byte of a table',
    'reports.copy.gz: the content has changed',
    (at: string, { id }: Manifest) => flipAByte(tablePath(at, id, 'reports')),
  ],
  ['a table', 'users.copy.gz: the file is missing', (at: string, { id }: Manifest) => rm(tablePath(at, id, 'users'))],
  ['a byte of an image', `${stored.sha256}: the content has changed`, (at: string) => flipAByte(aFile(at))],
  ['an image', `${stored.sha256}: the file is missing`, (at: string) => rm(aFile(at))],
  [
    'a byte of the list of files',
    'stored-bytes.copy.gz: the content has changed',
    (at: string, { id }: Manifest) => flipAByte(listPath(at, id)),
  ],
  ['a byte of the manifest', 'manifest.json is damaged', (at: string) => flipAByte(join(at, 'manifest.json'))],
  ['the manifest', 'contains no complete backup', (at: string) => rm(join(at, 'manifest.json'))],
])(
  'refuses a backup in which %s was changed or removed, names the damage and restores nothing',
  async (_, words, spoil) => {
    const { folder, manifest } = await newBackup();
    const target = await emptyDatabase();
    await spoil(folder, manifest);

    const refused = await runCommand('restore', target, folder);

    expect(refused.code).toBe(2);
    expect(refused.said + refused.complaint).toContain(words);
    expect([await tablesIn(target), await filesIn(target)]).toEqual([0, []]);
  },
);

test('reports a backup folder without a backup and creates no database', async () => {
  const DATA_DIR = await newFolder();

  const refused = await runCommand('restore', { DATA_DIR }, await newFolder());

  expect(refused).toMatchObject({ code: 2, complaint: expect.stringContaining('contains no complete backup') });
  expect(await readdir(DATA_DIR)).toEqual([]);
});

test('refuses to restore into a database or a store that contains data', async () => {
  const { folder } = await newBackup();
  const [served, foreign, used, full] = await Promise.all([1, 2, 3, 4].map(emptyDatabase));
  const sitting = openOwnerPool(served?.DATABASE_URL ?? '');
  // The client stays outside the pool, because on a slow machine the pool would close it as idle.
  const seat = await sitting.connect();
  onTestFinished(async () => {
    seat.release();
    await sitting.end();
  });
  await runSql(foreign?.DATABASE_URL ?? '', 'create table kept (note text)');
  await migrate(used?.DATABASE_URL ?? '');
  await runSql(used?.DATABASE_URL ?? '', `insert into tenants (name, subdomain) values ('Clinic', 'clinic')`);
  await cp(join(world.dataDir, 'archive'), join(full?.DATA_DIR ?? '', 'archive'), { recursive: true });
  await rm(join(full?.DATA_DIR ?? '', 'archive', 'installation'));

  const messages = await Promise.all(
    [served, foreign, used, full].map((target) => restoreInto(orNotFound(target, 'file'), folder)),
  );

  expect(messages).toEqual([
    expect.stringContaining('The database is in use. Stop the server first.'),
    expect.stringContaining('The database contains another table: kept.'),
    expect.stringContaining('The database is not empty.'),
    expect.stringContaining('The storage is not empty.'),
  ]);
});

test('accepts the database and the store of a server that was started but never used', async () => {
  const { folder } = await newBackup();
  const target = await emptyDatabase();
  const server = startServer({ ...target, SECRET_KEY });
  await addressOf(server);
  server.child.kill('SIGTERM');
  await server.ended;

  const restored = await runCommand('restore', { ...target, SECRET_KEY }, folder);

  expect(restored).toMatchObject({ code: 0, said: expect.stringContaining('Restored the backup of') });
  expect((await runCommand('verify', target)).code).toBe(0);
});

test('refuses a backup of a newer version, and a backup whose version had a different migration', async () => {
  const [newer, other] = [await newBackup(), await newBackup()];
  const [last] = newer.manifest.migrations.slice(-1);
  await rewrite(newer, {
    migrations: [...newer.manifest.migrations, { name: '9999_later.sql', sha256: last?.sha256 ?? '' }],
  });
  await rewrite(other, {
    migrations: other.manifest.migrations.map(({ name }) => ({ name, sha256: 'f'.repeat(64) })),
  });
  const target = await emptyDatabase();

  const messages = [await restoreInto(target, newer.folder), await restoreInto(target, other.folder)];

  expect(messages).toEqual([
    expect.stringMatching(/newer version of Radwork \(.+, with 9999_later\.sql\)/),
    expect.stringContaining('a version of Radwork with a different 0001_tenancy.sql'),
  ]);
  expect(await tablesIn(target)).toBe(0);
});

test('refuses a backup with tables that its migrations do not create, and restores nothing', async () => {
  const [foreign, lacking] = [await newBackup(), await newBackup()];
  const { tables } = foreign.manifest;
  await rewrite(foreign, {
    tables: [...tables, { name: 'notes', columns: ['note'], rows: 0, sha256: '0'.repeat(64) }],
  });
  await rewrite(lacking, { tables: tables.map((table) => ({ ...table, columns: table.columns.slice(1) })) });
  const target = await emptyDatabase();

  const messages = [await restoreInto(target, foreign.folder), await restoreInto(target, lacking.folder)];

  expect(messages).toEqual([
    expect.stringMatching(/^Error: The tables of the backup in .+: table notes is only in the backup\.\n/),
    expect.stringContaining('column users.tenant_id is only in the database'),
  ]);
  expect([await tablesIn(target), await filesIn(target)]).toEqual([0, []]);
});

test('a restore reports a different or missing secret, and files lost before the backup', async () => {
  const lossy = await world.signIn();
  await storeAs(lossy, image());
  const { value: lost } = await world.context.blobs.list(lossy.tenant.id)[Symbol.asyncIterator]().next();
  await world.context.blobs.remove(lossy.tenant.id, lost?.sha256 ?? '');
  const { folder } = await newBackup();
  await world.sql`delete from instances where tenant_id = ${lossy.tenant.id}`.execute(world.owner);
  const another = { ...(await emptyDatabase()), SECRET_KEY: 'a secret that was made up for another installation' };

  const [withAnother, withNone] = [
    await runCommand('restore', another, folder),
    await runCommand('restore', await emptyDatabase(), folder),
  ];

  expect(withAnother.said).toContain('SECRET_KEY differs from that of the backup');
  expect(withAnother.said).toContain('Files already lost at the time of the backup: 1');
  expect(withAnother.said).toContain(`Name a new folder for its backups: ${folder} accepts none of them.`);
  expect(withNone.said).toContain('SECRET_KEY of the backup is not set');
  expect(withNone.said).toContain('copy the file secret-key from the DATA_DIR of the backed-up server');
  expect(await startServer(another).ended).toMatchObject({ code: 1 });
});

test('a restored database is a new installation in which no user is signed in', async () => {
  await agreeOnStore(world.owner, world.context.blobs);
  const { folder, manifest } = await newBackup();
  const target = await emptyDatabase();

  await restoreInto(target, folder);

  const { rows } = await asOwner(target.DATABASE_URL, (owner) =>
    sql<{ id: string; isCopy: boolean; open: number }>`
      select id, is_copied_database() as "isCopy", (select count(*) from sessions where revoked_at is null) as open from installation`.execute(
      owner,
    ),
  );
  const id = await readFile(join(target.DATA_DIR, 'archive', 'installation'), 'utf8');
  expect(rows).toEqual([{ id, isCopy: false, open: 0 }]);
  expect(rows[0]?.id).not.toBe(manifest.installation);
});

test(
  'a restore that is killed and repeated completes in the end, and no server starts before it completes',
  { timeout: 180_000 },
  async () => {
    const { folder } = await newBackup();
    const target = { ...(await emptyDatabase()), SECRET_KEY };
    const owner = join(target.DATA_DIR, 'archive', 'installation');
    const [killed, refusals]: [string[], string[]] = [[], []];

    // Kills each attempt a little later than the one before, so that the restore also completes on slow machines.
    for (let after = 400; ; after *= 1.3) {
      const { child, ended } = startCommand('restore', target, folder);
      const timer = setTimeout(() => child.kill('SIGKILL'), after);
      const { code } = await ended;
      clearTimeout(timer);
      if (code !== null) break;
      killed.push(await readFile(owner, 'utf8').catch(() => 'not begun'));
      const isFirstBegun = killed.filter((mark) => mark.startsWith('restoring')).length === 1;
      if (isFirstBegun) refusals.push((await startServer(target).ended).complaint);
    }

    expect(refusals[0]).toContain('npm run restore');
    expect(killed).toContainEqual(expect.stringMatching(/^restoring /));
    expect(await runCommand('verify', target)).toMatchObject({
      code: 0,
      said: expect.stringContaining('differences: 0'),
    });
  },
);
