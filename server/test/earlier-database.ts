import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { createDatabase, runSql, withDatabase } from './setup.ts';

const folder = resolve(import.meta.dirname, '../migrations');

export const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
};

/** Creates an empty database with the migrations before a number ("0027") and drops it after the test. */
export const databaseBefore = async (number: string): Promise<string> => {
  const { url: server } = inject('postgres');
  const name = `radwork_before_${number}_${randomUUID().replaceAll('-', '')}`;
  await createDatabase(server, name);
  onTestFinished(() => runSql(server, `drop database ${name} with (force)`).then(() => undefined));
  const url = withDatabase(server, name);
  const client = await connect(url);
  await client.query(`create table schema_migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql') && file < number).toSorted();
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8');
    await client.query(text);
    const sha256 = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
    await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [file, sha256]);
  }
  await client.end();
  return url;
};
