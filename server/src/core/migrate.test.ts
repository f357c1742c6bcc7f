import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { runSql, withDatabase } from '#test/setup.ts';
import { migrate } from './migrate.ts';

const { url: server } = inject('postgres');
const made: string[] = [];

const emptyDatabase = async (options = ''): Promise<string> => {
  const name = `radwork_migrate_${randomUUID().replaceAll('-', '')}`;
  made.push(name);
  await runSql(server, `create database ${name} ${options}`);
  return withDatabase(server, name);
};

afterAll(async () => {
  for (const name of made) await runSql(server, `drop database ${name} with (force)`);
});

const ask = async (url: string, text: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(text).finally(() => client.end());
  return rows;
};

test('an empty database gets every migration once, in order, and then none', async () => {
  const url = await emptyDatabase();

  const first = await migrate(url);
  const second = await migrate(url);

  expect(first[0]).toBe('0001_tenancy.sql');
  expect(first).toEqual(first.toSorted());
  expect(second).toEqual([]);
});

test('a database that cannot tell the case of letters stops the start, before anything is made in it', async () => {
  const url = await emptyDatabase(`template template0 encoding 'SQL_ASCII' locale_provider libc locale 'C'`);

  await expect(migrate(url)).rejects.toThrow('Make it with encoding UTF8 and a UTF-8 locale');

  expect(await ask(url, `select * from pg_tables where schemaname = 'public'`)).toEqual([]);
});

test('of two servers that start at once one migrates and the other waits for it', async () => {
  const url = await emptyDatabase();

  const ran = await Promise.all([migrate(url), migrate(url)]);

  const [all, none] = ran.toSorted((a, b) => b.length - a.length);
  expect(all?.length).toBeGreaterThan(0);
  expect(none).toEqual([]);
});

test('a migration that was changed after it ran stops the start', async () => {
  const url = await emptyDatabase();
  await migrate(url);
  await runSql(url, `update schema_migrations set sha256 = 'other' where name = '0002_users.sql'`);

  await expect(migrate(url)).rejects.toThrow('Migration 0002_users.sql was changed after it ran on this database');
});

test('a database of a later version stops the start and is left as it is', async () => {
  const url = await emptyDatabase();
  await migrate(url);
  await runSql(url, `insert into schema_migrations (name, sha256) values ('9999_future.sql', 'x')`);

  await expect(migrate(url)).rejects.toThrow('The database is newer than this version of Radwork: 9999_future.sql');
});

test('a migration that fails leaves nothing of itself and says which one it was', async () => {
  const url = await emptyDatabase();
  await runSql(url, 'create table users (id int)');

  await expect(migrate(url)).rejects.toThrow(/^Migration 0002_users\.sql failed: relation "users" already exists/);

  expect(await ask(url, 'select name from schema_migrations')).toEqual([{ name: '0001_tenancy.sql' }]);
  expect(await ask(url, `select to_regclass('roles') as roles`)).toEqual([{ roles: null }]);
});
