import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { migrate } from './migrate.ts';
import { createDatabase, runSql, withDatabase } from '#test/setup.ts';

const { url: server } = inject('postgres');
const folder = resolve(import.meta.dirname, '../../migrations');

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
};

/** A database as it was before a device needed an address to read. */
const databaseBeforeDoors = async (): Promise<string> => {
  const name = `radwork_old_devices_${randomUUID().replaceAll('-', '')}`;
  await createDatabase(server, name);
  onTestFinished(() => runSql(server, `drop database ${name} with (force)`).then(() => undefined));
  const url = withDatabase(server, name);
  const client = await connect(url);
  await client.query(`create table schema_migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql') && file < '0092').toSorted();
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8');
    await client.query(text);
    const sha256 = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
    await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [file, sha256]);
  }
  await client.end();
  return url;
};

const oldDevices: [title: string, host: string | null, mayQuery: boolean, mayReadWorklist: boolean][] = [
  ['OPENQUERY', null, true, false],
  ['OPENLIST', null, false, true],
  ['OPENSTORE', null, false, false],
  ['BOUND', '192.0.2.7', true, true],
];

test('an upgrade lets devices of before go on reading from any address, and marks them', async () => {
  const url = await databaseBeforeDoors();
  const client = await connect(url);
  const { rows } = await client.query<{ id: number }>(
    `insert into tenants (name, subdomain) values ('old', 'old') returning id`,
  );
  await client.query(`select set_config('app.tenant_id', $1, false)`, [String(rows[0]?.id)]);
  for (const [title, host, mayQuery, mayReadWorklist] of oldDevices) {
    await client.query(
      `insert into application_entities (id, called_ae_title, calling_ae_title, host, may_query, may_read_worklist)
       values ($1, 'OURS', $2, $3, $4, $5)`,
      [randomUUID(), title, host, mayQuery, mayReadWorklist],
    );
  }

  await migrate(url);

  const { rows: devices } = await client.query<{ title: string; may: boolean }>(
    `select calling_ae_title as title, may_ask_from_anywhere as may from application_entities`,
  );
  await client.end();
  expect(Object.fromEntries(devices.map(({ title, may }) => [title, may]))).toEqual({
    OPENQUERY: true,
    OPENLIST: true,
    OPENSTORE: false,
    BOUND: false,
  });
});
