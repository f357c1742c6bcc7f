import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { isCopied } from './core/installation/copied-database.ts';
import { agreeOnSecret, agreeOnStore, makeInstallation } from './core/installation/installation.ts';
import { secretKeyOf } from './core/installation/secret-key.ts';
import { storeAs } from '#test/archive-calls.ts';
import { runCommand } from '#test/run-command.ts';
import { addressOf, startServer } from '#test/server-process.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type World } from '#test/world.ts';

// Database, store and secret belong together. A server must refuse wrong combinations before they do harm.

const folder = await mkdtemp(join(tmpdir(), 'radwork-installation-'));
afterAll(() => rm(folder, { recursive: true }));

const SECRET_KEY = 'the secret of this installation, and of no other';
const newDataDir = () => mkdtemp(join(folder, 'data-'));
const urlOf = (store: string) => pathToFileURL(join(folder, store)).href;

/** Creates a database and a store, and the settings of a server for both. */
const createInstallation = async (store: string) => {
  const settings = { STORAGE_URL: urlOf(store), SECRET_KEY };
  const world = await createWorld(settings);
  // The URL must contain a host, even if the database uses a Unix socket.
  return { world, settings: { ...settings, DATABASE_URL: world.url.replace('@/', '@localhost/') } };
};

const first = await createInstallation('first');
const second = await createInstallation('second');

const filesOf = async ({ context }: World): Promise<number> => {
  let count = 0;
  for await (const _ of context.blobs.list()) count += 1;
  return count;
};

/** Starts a server that must refuse to start, and returns its message. */
const refusal = async (settings: Record<string, string>) => {
  const { code, complaint } = await startServer({ DATA_DIR: await newDataDir(), ...settings }).ended;
  expect(code).toBe(1);
  return complaint;
};

test('servers and commands refuse a store that belongs to another database', async () => {
  await storeAs(await first.world.signIn(), image());
  await addressOf(startServer({ DATA_DIR: await newDataDir(), ...first.settings }));
  const mixed = { ...second.settings, STORAGE_URL: first.settings.STORAGE_URL };

  const complaint = await refusal(mixed);
  const upkeep = spawn(process.execPath, [resolve(import.meta.dirname, 'commands/upkeep.ts'), '--unused-for', '0'], {
    env: { DATA_DIR: await newDataDir(), ...mixed },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void upkeep.kill('SIGKILL'));
  const [stderrText] = await Promise.all([text(upkeep.stderr), once(upkeep, 'close')]);

  const words = 'Radwork cannot start: the storage contains files of another database';
  expect(complaint).toContain(words);
  expect(stderrText).toContain(words);
  expect(await filesOf(first.world)).toBe(1);
});

test('a copied database removes no files from the store of the original until the operator declares a move', async () => {
  const clinic = await createInstallation('copied');
  const person = await clinic.world.signIn();
  await agreeOnStore(clinic.world.owner, clinic.world.context.blobs);
  const copy = await createInstallation('copied');
  const tester = await copy.world.signIn();
  expect(tester.tenant.id).toBe(person.tenant.id);
  // Copies the row as `pg_dump` would.
  const row = await clinic.world.owner.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
  await makeInstallation(copy.world.owner);
  await copy.world.owner.updateTable('installation').set(row).execute();
  await agreeOnStore(copy.world.owner, copy.world.context.blobs);
  await storeAs(person, image());

  const lookAfter = () => runCommand('upkeep', { DATA_DIR: copy.world.dataDir, ...copy.settings }, '--unused-for', '0');
  const { code, said: output, complaint } = await lookAfter();
  const key = randomBytes(32).toString('base64');
  const encrypted = await runCommand('encrypt-store', { ...copy.settings, STORAGE_KEY: key });

  expect({ code, files: await filesOf(clinic.world) }).toEqual({ code: 0, files: 1 });
  expect(output).toContain('0 files without an instance');
  expect(complaint).toContain('This database is a copy');
  expect(encrypted).toMatchObject({ code: 2, complaint: expect.stringContaining('This database is a copy') });
  expect(await isCopied(clinic.world.owner)).toBe(false);
  await sql`update installation set database_identity = database_identity()`.execute(copy.world.owner);
  expect((await lookAfter()).said).toContain('1 files without an instance');
});

test('a filled store without an owner is accepted by a database with images and refused by an empty database', async () => {
  const earlier = await createInstallation('earlier');
  await storeAs(await earlier.world.signIn(), image());
  const empty = await createInstallation('nothing');

  await expect(agreeOnStore(empty.world.owner, earlier.world.context.blobs)).rejects.toThrow('another database');
  await agreeOnStore(earlier.world.owner, earlier.world.context.blobs);
  await agreeOnStore(empty.world.owner, empty.world.context.blobs);

  await expect(agreeOnStore(earlier.world.owner, empty.world.context.blobs)).rejects.toThrow('another database');
});

test('a database with images refuses an empty store, as when a disk is not mounted', async () => {
  const clinic = await createInstallation('mounted');
  await storeAs(await clinic.world.signIn(), image());
  const { blobs } = (await createInstallation('not mounted')).world.context;

  await expect(agreeOnStore(clinic.world.owner, blobs)).rejects.toThrow('Check that its disk is mounted');
  expect(await blobs.owner()).toBeUndefined();

  await agreeOnStore(clinic.world.owner, clinic.world.context.blobs);
  await clinic.world.owner.updateTable('instances').set({ missing_since: '2026-11-01' }).execute();
  await agreeOnStore(clinic.world.owner, blobs);
});

test('a server does not start with another secret than its database has', async () => {
  await agreeOnSecret(second.world.owner, secretKeyOf(SECRET_KEY));
  const another = 'a secret that another server has made up for itself';

  const complaint = await refusal({ ...second.settings, SECRET_KEY: another });

  expect(complaint).toContain('Radwork cannot start: this database belongs to another SECRET_KEY');
  expect(complaint).not.toContain(another);
});

test('a server without the secret of its database generates no secret and starts only with the right secret', async () => {
  const { DATABASE_URL } = second.settings;
  await agreeOnSecret(second.world.owner, secretKeyOf(SECRET_KEY));
  const DATA_DIR = await newDataDir();

  const complaint = await refusal({ DATABASE_URL, DATA_DIR });

  expect(complaint).toContain('Radwork cannot start: this database belongs to another SECRET_KEY');
  expect(await readdir(DATA_DIR)).not.toContain('secret-key');
  await writeFile(join(DATA_DIR, 'secret-key'), SECRET_KEY);
  await addressOf(startServer({ DATABASE_URL, DATA_DIR }));
});

test('a server with a wrong secret or store does not migrate the database', async () => {
  const clinic = await createInstallation('older');
  await agreeOnSecret(clinic.world.owner, secretKeyOf(SECRET_KEY));
  const last = sql<{ name: string }>`
    delete from schema_migrations where name = (select max(name) from schema_migrations) returning name`;
  const [removed] = (await last.execute(clinic.world.owner)).rows;

  const wrongSecret = await refusal({ ...clinic.settings, SECRET_KEY: 'a secret that another server has made up' });
  const wrongStore = await refusal({ ...clinic.settings, STORAGE_URL: first.settings.STORAGE_URL });

  expect(removed?.name).toBeDefined();
  expect(wrongSecret).toContain('another SECRET_KEY');
  expect(wrongStore).toContain('files of another database');
});

test('a database accepts a new secret together with the old secret, and then only the new one', async () => {
  const { owner } = second.world;
  const [old, fresh] = [secretKeyOf(SECRET_KEY), secretKeyOf('the secret that comes after it')];
  await agreeOnSecret(owner, old);

  await agreeOnSecret(owner, fresh, old);
  await agreeOnSecret(owner, fresh);

  await expect(agreeOnSecret(owner, old)).rejects.toThrow('another SECRET_KEY');
});
