import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { addressOf } from '#test/server-process.ts';
import { serve } from '#test/served-world.ts';
import { createDatabase, runSql } from '#test/setup.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type World } from '#test/world.ts';
import { agreeOnSecret, agreeOnStore } from '#core/installation/installation.ts';
import { markDatabase, restoreMark } from '#core/installation/restore-mark.ts';
import { secretKeyOf } from '#core/installation/secret-key.ts';
import { createVault } from '#core/installation/vault.ts';
import { examine } from './examine.ts';
import type { Finding } from './finding.ts';

const SECRET_KEY = 'the secret of this deployment, kept elsewhere';
const world = await createWorld({ SECRET_KEY });

// The setting must contain a host, even if a socket is used instead.
const DATABASE_URL = world.url.replace('@/', '@localhost/');
const settings = { DATABASE_URL, DATA_DIR: world.dataDir, SECRET_KEY, PORT: '0' };

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-doctor-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

const wrongOf = (findings: readonly Finding[]) => findings.filter(({ state }) => state === 'wrong');
const findingOf = (findings: readonly Finding[], check: string) => findings.find((finding) => finding.check === check);

// Connects database, store and secret with each other, as the first start does.
await agreeOnSecret(world.owner, secretKeyOf(SECRET_KEY));
await agreeOnStore(world.owner, world.context.blobs);

/** Returns a port that accepts connections but sends nothing. */
const listen = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

test('the doctor finds no faults in a healthy deployment and does not change it', async () => {
  const before = await readdir(world.dataDir, { recursive: true });

  const findings = await examine(settings);

  expect(wrongOf(findings)).toEqual([]);
  expect(findings.filter(({ state }) => state === 'ok').map(({ check }) => check)).toEqual(
    expect.arrayContaining(['settings', 'database', 'migrations', 'row-level security', 'SECRET_KEY', 'store']),
  );
  expect(await readdir(world.dataDir, { recursive: true })).toEqual(before);
});

test('names all invalid settings at once and repeats no value', async () => {
  const findings = await examine({ ...settings, PORT: 'eighty', SECRET_KEY: 'hunter2', REMOTE_ALLOW: 'net=nowhere' });

  expect(wrongOf(findings).map(({ message }) => message.split(' ')[0])).toEqual(['PORT', 'SECRET_KEY', 'REMOTE_ALLOW']);
  expect(JSON.stringify(findings)).not.toMatch(/hunter2|eighty/);
});

test('distinguishes a database that is unreachable, silent or missing', async () => {
  const at = (url: string) => examine({ ...settings, DATABASE_URL: url });
  const silent = await listen();

  const [refused, unanswered, missing] = await Promise.all([
    at('postgres://radwork:HIDDEN@127.0.0.1:1/radwork'),
    at(`postgres://radwork:HIDDEN@127.0.0.1:${silent}/radwork`),
    at(DATABASE_URL.replace(/radwork_test_\w+/, 'radwork_none')),
  ]);

  // When the database does not respond, the check cannot know whether the store belongs to the database.
  expect(findingOf(refused, 'store and database')).toBeUndefined();
  expect(findingOf(refused, 'database')?.message).toContain('the port does not answer');
  expect(findingOf(unanswered, 'database')?.message).toContain('does not answer');
  expect(findingOf(missing, 'database')?.message).toContain('the database does not exist');
  expect(JSON.stringify([refused, unanswered])).not.toContain('HIDDEN');
});

test('reports a wrong password', async () => {
  // Imitates the answers of PostgreSQL, because the embedded one in the tests has no passwords.
  const server = createServer((socket) => {
    const words = 'SFATAL\0C28P01\0Mpassword authentication failed for user "radwork"\0\0';
    const answer = Buffer.alloc(5 + words.length);
    answer.write('E', 0);
    answer.writeInt32BE(4 + words.length, 1);
    answer.write(words, 5);
    socket.once('data', () => socket.end(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  const findings = await examine({ ...settings, DATABASE_URL: `postgres://radwork:HIDDEN@127.0.0.1:${port}/radwork` });

  expect(findingOf(findings, 'database')).toEqual({
    check: 'database',
    state: 'wrong',
    message: expect.stringContaining('refuses the password'),
  });
});

test('accepts an empty database, and reports a database that is too new, changed or not in UTF-8', async () => {
  const { url: server } = inject('postgres');
  const names = { empty: `doctor_empty_${process.pid}`, latin: `doctor_latin_${process.pid}` };
  const at = (name: string) => DATABASE_URL.replace(/radwork_test_\w+/, name);
  await createDatabase(server, names.empty);
  await createDatabase(server, names.latin, `encoding 'SQL_ASCII' locale 'C' template template0`);
  onTestFinished(() => runSql(server, `drop database ${names.empty}`, `drop database ${names.latin}`));
  const fresh = { ...settings, DATA_DIR: await newFolder() };

  const [empty, latin] = [
    await examine({ ...fresh, DATABASE_URL: at(names.empty) }),
    await examine({ ...fresh, DATABASE_URL: at(names.latin) }),
  ];
  await sql`insert into schema_migrations (name, sha256) values ('9999_later.sql', '')`.execute(world.owner);
  const newer = await examine(settings).finally(() =>
    sql`delete from schema_migrations where name = '9999_later.sql'`.execute(world.owner),
  );
  await sql`update schema_migrations set sha256 = 'x' || sha256 where name like '0001%'`.execute(world.owner);
  const changed = await examine(settings).finally(() =>
    sql`update schema_migrations set sha256 = substr(sha256, 2) where name like '0001%'`.execute(world.owner),
  );

  expect(wrongOf(empty)).toEqual([]);
  expect(findingOf(empty, 'store')).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('first start'),
  });
  expect(findingOf(empty, 'migrations')).toMatchObject({ state: 'warning', message: expect.stringContaining('empty') });
  expect(wrongOf(latin).map(({ check }) => check)).toEqual(['database encoding']);
  expect(findingOf(changed, 'migrations')).toMatchObject({ state: 'wrong', message: expect.stringContaining('0001_') });
  expect(findingOf(newer, 'migrations')).toMatchObject({
    state: 'wrong',
    message: expect.stringContaining('9999_later.sql'),
  });
});

test('names a table without row-level security', async () => {
  await sql`alter table studies disable row level security`.execute(world.owner);
  const findings = await examine(settings).finally(() =>
    sql`alter table studies enable row level security`.execute(world.owner),
  );

  expect(wrongOf(findings)).toEqual([
    {
      check: 'row-level security',
      state: 'wrong',
      message: 'Radwork cannot start: row-level security does not protect studies.',
    },
  ]);
});

test('reports that SECRET_KEY is not the key of the database, and the secrets that it cannot open', async () => {
  const { tenant, userId } = await world.signIn();
  const vault = createVault(secretKeyOf(SECRET_KEY));
  const aiKey = vault.seal('a key', { tenantId: tenant.id, table: 'tenants', row: `${tenant.id}`, column: 'ai_key' });
  await sql`update tenants set ai_key = ${aiKey} where id = ${tenant.id}`.execute(world.owner);
  const textKey = vault.seal('a key', { tenantId: tenant.id, table: 'users', row: userId, column: 'sealed_text_key' });
  await sql`update users set sealed_text_key = ${textKey} where id = ${userId}`.execute(world.owner);
  const other = 'another secret of more than 32 characters';

  const right = await examine(settings);
  const changed = await examine({ ...settings, SECRET_KEY: other });
  const moving = await examine({ ...settings, SECRET_KEY: other, SECRET_KEY_PREVIOUS: SECRET_KEY });
  const lost = await examine({ ...settings, SECRET_KEY: '' });

  expect(findingOf(right, 'stored secrets')).toMatchObject({
    state: 'ok',
    message: 'SECRET_KEY opens all stored secrets (2).',
  });
  expect(wrongOf(changed).map(({ check }) => check)).toEqual(['SECRET_KEY', 'stored secrets']);
  expect(findingOf(changed, 'stored secrets')?.message).toMatch(
    /^SECRET_KEY does not open 2 of 2 .+keys of AI providers, unsaved texts/,
  );
  expect(wrongOf(moving)).toEqual([]);
  expect(findingOf(moving, 'SECRET_KEY')?.state).toBe('warning');
  expect(findingOf(lost, 'SECRET_KEY')?.state).toBe('wrong');
  expect(JSON.stringify([changed, moving])).not.toContain(other);
});

const mount = (...args: string[]): boolean => spawnSync('mount', args).status === 0;

test('reports a store of another database, a missing store and a store with too little space', async () => {
  const foreignStore = await newFolder();
  await writeFile(join(foreignStore, 'installation'), '0199a000-0000-7000-8000-000000000000');
  const at = (folder: string, more = {}) => examine({ ...settings, STORAGE_URL: `file://${folder}`, ...more });

  const [others, unmarked, gone, full] = await Promise.all([
    at(foreignStore),
    at(await newFolder()),
    at(join(foreignStore, 'not-there')),
    examine({ ...settings, FREE_DISK_MB: '999999999' }),
  ]);

  expect(findingOf(others, 'store and database')).toMatchObject({ state: 'wrong' });
  expect(findingOf(unmarked, 'store and database')).toMatchObject({ state: 'warning' });
  expect(findingOf(gone, 'store')?.message).toContain('does not exist');
  expect(findingOf(full, 'free space')).toMatchObject({
    state: 'wrong',
    message: expect.stringContaining('FREE_DISK_MB'),
  });
});

test('reports a database that is a copy', async () => {
  const { database_identity: own } = await world.owner.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
  onTestFinished(async () => {
    await world.owner.updateTable('installation').set({ database_identity: own }).execute();
  });
  await world.owner.updateTable('installation').set({ database_identity: '7/16384' }).execute();

  const findings = await examine(settings);

  expect(findingOf(findings, 'store and database')).toMatchObject({
    state: 'wrong',
    message: expect.stringContaining('This database is a copy'),
  });
});

test('reports an unfinished restore into the store, even when the database does not respond', async () => {
  const folder = await newFolder();
  await writeFile(
    join(folder, 'installation'),
    restoreMark({ installationId: randomUUID(), backupId: 'the-id-of-the-backup' }),
  );
  const restoring = { ...settings, STORAGE_URL: `file://${folder}` };

  const findings = await Promise.all([
    examine(restoring),
    examine({ ...restoring, DATABASE_URL: 'postgres://radwork@127.0.0.1:1/radwork' }),
  ]);

  const finding = { state: 'wrong', message: expect.stringMatching(/^A restore into this .+the-id-of-the-backup/) };
  expect(findings.map((each) => findingOf(each, 'store and database'))).toMatchObject([finding, finding]);
});

test('reports an unfinished restore into the database, for any configured store', async () => {
  const marking = new pg.Client({ connectionString: world.url });
  await marking.connect();
  await markDatabase(marking, { installationId: randomUUID(), backupId: 'the-id-of-the-backup' });

  const findings = await examine(settings).finally(async () => {
    await markDatabase(marking, undefined);
    await marking.end();
  });

  expect(wrongOf(findings)).toEqual([
    { check: 'store and database', state: 'wrong', message: expect.stringContaining('A restore into this database') },
  ]);
  expect(wrongOf(await examine(settings))).toEqual([]);
});

test('reports a store that lacks the images of its database, and a store with files although the database is empty', async () => {
  const [full, empty] = [await createWorld({ SECRET_KEY }), await createWorld({ SECRET_KEY })];
  await agreeOnSecret(full.owner, secretKeyOf(SECRET_KEY));
  await storeAs(await full.signIn(), image());
  const before = await readdir(full.dataDir, { recursive: true });
  const at = ({ url }: World, dataDir: string) =>
    examine({ DATABASE_URL: url.replace('@/', '@localhost/'), DATA_DIR: dataDir, SECRET_KEY, PORT: '0' });
  const newStore = await newFolder();
  await mkdir(join(newStore, 'archive'));

  const [lost, foreign, own] = await Promise.all([at(full, newStore), at(empty, full.dataDir), at(full, full.dataDir)]);

  expect(findingOf(lost, 'store and database')).toEqual({
    check: 'store and database',
    state: 'wrong',
    message: expect.stringMatching(
      /^Radwork cannot start: .+ none of the images .+ Check that its disk is mounted.+\.$/,
    ),
  });
  expect(findingOf(foreign, 'store and database')).toMatchObject({
    state: 'wrong',
    message: expect.stringContaining('files of another database'),
  });
  expect(findingOf(own, 'store and database')).toMatchObject({ state: 'warning' });
  expect(await readdir(full.dataDir, { recursive: true })).toEqual(before);
});

test('reports a store that is read-only or full (skipped without the right to mount)', async ({ skip }) => {
  const folder = await newFolder();
  const disk = join(folder, 'disk');
  await mkdir(disk);
  if (!mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk)) return skip();
  onTestFinished(() => {
    spawnSync('umount', [disk]);
  });
  const look = () => examine({ ...settings, STORAGE_URL: `file://${disk}`, FREE_DISK_MB: '0' });
  await writeFile(join(disk, 'filler'), Buffer.alloc(1 << 20)).catch(() => {});

  const full = await look();
  await rm(join(disk, 'filler'));
  mount('-o', 'remount,ro', disk);
  const readOnly = await look();

  expect(findingOf(full, 'store')?.message).toBe('The folder is not writable: the disk is full.');
  expect(findingOf(readOnly, 'store')?.message).toContain('mounted read-only');
});

test('reports an unreachable object store and an unreachable mail server without their passwords', async () => {
  const findings = await examine({
    ...settings,
    STORAGE_URL: 's3://KEY:HIDDEN@127.0.0.1:1/archive?tls=0',
    SMTP_URL: 'smtp://sender:HIDDEN@127.0.0.1:1',
    MAIL_FROM: 'radwork@example.org',
    PUBLIC_URL: 'http://127.0.0.1:1',
  });

  expect(wrongOf(findings).map(({ check }) => check)).toEqual(['store', 'SMTP_URL']);
  expect(findingOf(findings, 'SMTP_URL')?.message).toContain('it does not answer');
  expect(findingOf(findings, 'PUBLIC_URL')?.state).toBe('warning');
  expect(JSON.stringify(findings)).not.toContain('HIDDEN');
});

test('distinguishes ports in use by other programs from ports of the running server', async () => {
  const usedPort = String(await listen());
  const server = serve(world, { SECRET_KEY });
  const address = await addressOf(server);
  const port = new URL(address).port;

  const [others, own, open] = [
    await examine({ ...settings, DIMSE_PORT: usedPort }),
    await examine({ ...settings, PORT: port, PUBLIC_URL: address }),
    await examine({ ...settings, NODE_ENV: 'production', PUBLIC_URL: address }),
  ];

  expect(wrongOf(others)).toEqual([
    { check: 'DIMSE_PORT', state: 'wrong', message: expect.stringContaining(`Another program uses port ${usedPort}`) },
  ]);
  expect(wrongOf(own)).toEqual([]);
  expect(findingOf(own, 'PORT')?.message).toContain('Radwork is running');
  expect(findingOf(own, 'PUBLIC_URL')?.message).toBe('Radwork answers at this address.');
  expect(findingOf(open, 'PUBLIC_URL')).toMatchObject({
    state: 'wrong',
    message: expect.stringContaining('not https'),
  });
});

test('warns of unencrypted traffic and reports an invalid DIMSE certificate', async () => {
  const file = join(await newFolder(), 'certificate.pem');
  await writeFile(file, 'no certificate');

  const [well, open] = [
    await examine(settings),
    await examine({ ...settings, CLAMD_ADDRESS: '10.0.0.7:3310', DIMSE_TLS_CERT_FILE: file, DIMSE_TLS_KEY_FILE: file }),
  ];

  expect(findingOf(well, 'encryption')?.state).toBe('ok');
  expect(findingOf(open, 'encryption')).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/^CLAMD_ADDRESS: /),
  });
  expect(wrongOf(open)).toEqual([
    { check: 'DIMSE_TLS_CERT_FILE', state: 'wrong', message: expect.stringContaining('must be PEM') },
  ]);
});

test('reports a certificate authority file that contains no certificate', async () => {
  const file = join(await newFolder(), 'authority.pem');
  await writeFile(file, 'no certificate');

  expect(wrongOf(await examine({ ...settings, REMOTE_CA_FILE: file }))).toEqual([
    { check: 'REMOTE_CA_FILE', state: 'wrong', message: expect.stringContaining('not a readable PEM certificate') },
  ]);
});

const run = async (environment: Record<string, string>, ...args: string[]) => {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../commands/doctor.ts'), ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { output, code: child.exitCode };
};

test('the command prints a line for each check and exits with 0, or with 1 if there is a fault', async () => {
  const [well, ill] = await Promise.all([
    run(settings),
    run({ ...settings, SECRET_KEY: 'another secret of more than 32 characters' }, '--json'),
  ]);

  expect(well.code).toBe(0);
  expect(well.output).toMatch(/^ok {7}settings: All settings are valid\.\n/);
  expect(
    well.output
      .trimEnd()
      .split('\n')
      .every((line) => /^(ok|warning) +[\w -]+: .+\.$/.test(line)),
  ).toBe(true);
  expect(ill.code).toBe(1);
  expect(JSON.parse(ill.output)).toContainEqual({
    check: 'SECRET_KEY',
    state: 'wrong',
    message: expect.stringContaining('does not belong to this database'),
  });
});

test('warns of call limits that would slow down a reader or count all users as one caller', async () => {
  const of = async (more: Record<string, string>) =>
    (await examine({ ...settings, ...more }))
      .filter(({ check, state }) => state === 'warning' && /^(CALLS|IMAGES|TRUST)_/.test(check))
      .map(({ check }) => check);

  expect(await of({})).toEqual([]);
  expect(await of({ CALLS_PER_SESSION: '0', IMAGES_PER_TENANT: '0' })).toEqual([]);
  expect(await of({ CALLS_PER_SESSION: '60', IMAGES_PER_SESSION: '300' })).toEqual([
    'CALLS_PER_SESSION',
    'IMAGES_PER_SESSION',
  ]);
  expect(await of({ CALLS_PER_TENANT: '600', IMAGES_PER_TENANT: '30000' })).toEqual([
    'CALLS_PER_TENANT',
    'IMAGES_PER_TENANT',
  ]);
  expect(await of({ PUBLIC_URL: 'https://127.0.0.1:1' })).toEqual(['TRUST_PROXY']);
  expect(await of({ PUBLIC_URL: 'https://127.0.0.1:1', TRUST_PROXY: '1' })).toEqual([]);
});
