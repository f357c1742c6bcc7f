import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, inject, onTestFinished, test } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { startServer } from '#test/server-process.ts';
import { querySql, createDatabase, runSql, withDatabase } from '#test/setup.ts';
import { knownMigrations, migrate, migrateInTurn } from './migrate.ts';

const { url: server } = inject('postgres');
const databases: string[] = [];

const emptyDatabase = async (options = ''): Promise<string> => {
  const name = `radwork_migrate_${randomUUID().replaceAll('-', '')}`;
  databases.push(name);
  await createDatabase(server, name, options);
  return withDatabase(server, name);
};

afterAll(async () => {
  for (const name of databases) await runSql(server, `drop database ${name} with (force)`);
});

/** Counts connections that wait for a table lock. */
const waiting = async (url: string): Promise<number> =>
  (await querySql(url, `select from pg_locks where locktype = 'relation' and not granted`)).length;

test('an empty database gets every migration once, in order', async () => {
  const url = await emptyDatabase();

  const first = await migrate(url);
  const second = await migrate(url);

  expect(first[0]).toBe('0001_tenancy.sql');
  expect(first).toEqual(first.toSorted());
  expect(second).toEqual([]);
});

test('a database without case mapping for all letters stops the start before any change', async () => {
  const url = await emptyDatabase(`template template0 encoding 'SQL_ASCII' locale_provider libc locale 'C'`);

  await expect(migrate(url)).rejects.toThrow('Create it with encoding UTF8 and a UTF-8 locale');

  expect(await querySql(url, `select * from pg_tables where schemaname = 'public'`)).toEqual([]);
});

test('only one of two servers that start simultaneously migrates, while the other waits', async () => {
  const url = await emptyDatabase();

  const ran = await Promise.all([migrate(url), migrate(url)]);

  const [all, none] = ran.toSorted((a, b) => b.length - a.length);
  expect(all?.length).toBeGreaterThan(0);
  expect(none).toEqual([]);
});

test('a migration file that was changed after it ran stops the start', async () => {
  const url = await emptyDatabase();
  await migrate(url);
  await runSql(url, `update schema_migrations set sha256 = 'other' where name = '0002_users.sql'`);

  await expect(migrate(url)).rejects.toThrow('Migration 0002_users.sql was changed after it ran on this database');
});

test('a database of a later version stops the start and is not changed', async () => {
  const url = await emptyDatabase();
  await migrate(url);
  await runSql(url, `insert into schema_migrations (name, sha256) values ('9999_future.sql', 'x')`);

  await expect(migrate(url)).rejects.toThrow('The database is newer than this version of Radwork: 9999_future.sql');
});

test('a failed migration is rolled back, and the error names it', async () => {
  const url = await emptyDatabase();
  await runSql(url, 'create table users (id int)');

  await expect(migrate(url)).rejects.toThrow(/^Migration 0002_users\.sql failed: relation "users" already exists/);

  expect(await querySql(url, 'select name from schema_migrations')).toEqual([{ name: '0001_tenancy.sql' }]);
  expect(await querySql(url, `select to_regclass('roles') as roles`)).toEqual([{ roles: null }]);
});

test(
  'a server killed during a migration leaves only complete steps, and the next server continues',
  { timeout: 120_000 },
  async () => {
    const url = await emptyDatabase();
    const settings = {
      DATABASE_URL: url.replace('@/', '@localhost/'),
      DATA_DIR: await mkdtemp(join(tmpdir(), 'radwork-killed-')),
    };
    onTestFinished(() => rm(settings.DATA_DIR, { recursive: true }));
    const all = await knownMigrations();
    // A lock on a table stops the server in the middle of a later migration.
    await migrateInTurn(url, new Set(all.filter((name) => name < '0030')));
    const holding = new pg.Client({ connectionString: url });
    await holding.connect();
    await holding.query('begin; lock table critical_findings');
    const killed = startServer(settings);
    await eventually(async () => expect(await waiting(url)).toBe(1));
    const before = await querySql(url, 'select name from schema_migrations order by name');

    killed.child.kill('SIGKILL');
    await killed.ended;
    await holding.end();
    const ran = await migrate(url);

    expect(before.length).toBeGreaterThan(25);
    expect(before.length).toBeLessThan(all.length);
    expect([...before.map(({ name }) => name), ...ran]).toEqual(all);
  },
);

test('reports a connection lost during a migration step, and the step is rolled back', async () => {
  const url = await emptyDatabase();
  const before = new Set((await knownMigrations()).filter((name) => name < '0030'));
  await migrateInTurn(url, before);
  const holding = new pg.Client({ connectionString: url });
  await holding.connect();
  await holding.query('begin; lock table critical_findings');
  const migrating = migrate(url).catch((error: Error) => error.message);
  await eventually(async () => expect(await waiting(url)).toBe(1));
  const steps = await querySql(url, 'select name from schema_migrations order by name');

  await holding.query(`
    select pg_terminate_backend(pid) from pg_locks where locktype = 'relation' and not granted`);
  const failure = await migrating;
  await holding.end();

  expect(failure).toMatch(/terminat/);
  expect(await querySql(url, 'select name from schema_migrations order by name')).toEqual(steps);
  expect((await migrate(url)).length).toBe((await knownMigrations()).length - steps.length);
});
