import pg from 'pg';
import { endingWhenSilent } from '#core/database.ts';

/*
 * What a backup has to know of a database, asked of the database itself: a table that comes later is in the next backup.
 */

/** The columns are those that have values of their own, in order: what is computed from them is computed again. */
export type Table = { name: string; columns: string[] };

export type Sequence = { name: string; lastValue: number; isCalled: boolean };

/**
 * A connection of the database's owner for work that takes hours: what is written depends on no setting of the database,
 * nothing is given up for taking long, and rows that this role may not see are an error and not left out.
 */
export const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, ...endingWhenSilent });
  // Whoever is waiting for an answer hears of it.
  client.on('error', () => {});
  await client.connect();
  await client.query(`
    set client_encoding = 'UTF8'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC';
    set extra_float_digits = 3; set row_security = off; set search_path = public`);
  // All limits that this server knows; an operator may have set any of them for the database.
  await client.query(
    `select set_config(name, '0', false) from pg_settings
     where name in ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_session_timeout',
                    'idle_in_transaction_session_timeout')`,
  );
  return client;
};

/** All tables but the one that says which migrations ran, in the order of their names. */
export const tablesOf = async (client: pg.ClientBase): Promise<Table[]> => {
  const { rows } = await client.query<Table>(`
    select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by 1 order by 1`);
  return rows;
};

/** Numbers that were given away are not given again, also those of transactions that are not in the backup. */
export const sequencesOf = async (client: pg.ClientBase): Promise<Sequence[]> => {
  const { rows: names } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'S' order by 1`,
  );
  const sequences: Sequence[] = [];
  for (const { name } of names) {
    const { rows } = await client.query<Sequence>(
      `select ${pg.escapeLiteral(name)} as name, last_value as "lastValue", is_called as "isCalled" from ${pg.escapeIdentifier(name)}`,
    );
    // Whether pg gives an int8 as a number is for whoever uses it to say (core/database.ts).
    sequences.push(...rows.map((row) => ({ ...row, lastValue: Number(row.lastValue) })));
  }
  return sequences;
};

export type Installation = { id: string; secretFingerprint: string | null };

/** Undefined before the first start of a server. */
export const installationOf = async (client: pg.ClientBase): Promise<Installation | undefined> => {
  const { rows } = await client.query<Installation>(
    'select id, secret_fingerprint as "secretFingerprint" from installation',
  );
  return rows[0];
};

/** A table with its columns, as COPY has them. */
export const written = ({ name, columns }: Table): string =>
  `${pg.escapeIdentifier(name)} (${columns.map(pg.escapeIdentifier).join(', ')})`;
