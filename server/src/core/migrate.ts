import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';

const folder = resolve(import.meta.dirname, '../../migrations');

/**
 * Brings the database to this version: the numbered SQL files that have not run yet, each in its own
 * transaction, under one lock so that several servers may start at once. Forward only. Throws when a file
 * was changed after it ran, or when the database is newer than this version.
 */
export const migrate = async (url: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await assertKnowsLetters(client);
    await client.query(`select pg_advisory_lock(hashtext('radwork-migrations'))`);
    await client.query(`
      create table if not exists schema_migrations (
        name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
    const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_migrations');
    const applied = new Map(rows.map((row) => [row.name, row.sha256]));
    const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
    refuseNewer(applied, files);
    const ran: string[] = [];
    for (const name of files) {
      const text = await readFile(join(folder, name), 'utf8');
      const sha256 = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
      const before = applied.get(name);
      if (before === sha256) continue;
      if (before) throw new Error(`Migration ${name} was changed after it ran on this database`);
      await apply(client, name, text, sha256);
      ran.push(name);
    }
    return ran;
  } finally {
    await client.end();
  }
};

/** Names of all the world are stored and searched in any case: that takes UTF-8, and a locale that knows its letters. */
const assertKnowsLetters = async (client: pg.Client) => {
  const { rows } = await client.query<{ knows: boolean }>(
    `select current_setting('server_encoding') = 'UTF8' and lower($1) = $2 as knows`,
    ['ÖЖ', 'öж'],
  );
  if (rows[0]?.knows) return;
  throw new Error(
    `The database cannot tell upper from lower case in all languages. Make it with encoding UTF8 and a UTF-8 locale, such as C.UTF-8`,
  );
};

const refuseNewer = (applied: Map<string, string>, files: string[]) => {
  const unknown = [...applied.keys()].filter((name) => !files.includes(name));
  if (unknown.length > 0) throw new Error(`The database is newer than this version of Radwork: ${unknown.join(', ')}`);
};

const apply = async (client: pg.Client, name: string, text: string, sha256: string) => {
  await client.query('begin');
  try {
    await client.query(text);
    await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
};
