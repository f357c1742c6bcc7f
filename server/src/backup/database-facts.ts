import pg from 'pg';
import { endingWhenSilent } from '#core/database/database.ts';

/*
 * Reads tables and columns from the catalog of the database instead of a fixed list, so that a backup includes tables
 * of later versions.
 */

/** `columns` are the stored columns in order. Generated columns are missing, because they are computed again. */
export type Table = { name: string; columns: string[] };

export type Sequence = { name: string; lastValue: number; isCalled: boolean };

/**
 * Opens a connection of the database owner for work that takes hours. Settings of the database do not change the
 * output, and no time limit applies. Rows that this role may not see cause an error instead of being left out.
 */
export const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, ...endingWhenSilent });
  // Prevents an uncaught error event. The query in progress reports the error.
  client.on('error', () => {});
  await client.connect();
  await client.query(`
    set client_encoding = 'UTF8'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC';
    set extra_float_digits = 3; set row_security = off; set search_path = public`);
  // Turns off every time limit that this version of PostgreSQL has, because an operator may have set any of them for
  // the database.
  await client.query(
    `select set_config(name, '0', false) from pg_settings
     where name in ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_session_timeout',
                    'idle_in_transaction_session_timeout')`,
  );
  return client;
};

/** Returns all tables except the list of applied migrations, ordered by name. */
export const tablesOf = async (client: pg.ClientBase): Promise<Table[]> => {
  const { rows } = await client.query<Table>(`
    select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by 1 order by 1`);
  return rows;
};

/**
 * Reads the current positions of all sequences. They include numbers that transactions after the snapshot took, so that
 * a restored database uses no number twice.
 */
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
    // pg returns an int8 as a number or as text, depending on the parsers in core/database/database.ts.
    sequences.push(...rows.map((row) => ({ ...row, lastValue: Number(row.lastValue) })));
  }
  return sequences;
};

export type Installation = { id: string; secretFingerprint: string | null };

/** Undefined if no server has ever started on this database. */
export const installationOf = async (client: pg.ClientBase): Promise<Installation | undefined> => {
  const { rows } = await client.query<Installation>(
    'select id, secret_fingerprint as "secretFingerprint" from installation',
  );
  return rows[0];
};

/** Returns a table with its columns, as COPY needs them. */
export const describeTable = ({ name, columns }: Table): string =>
  `${pg.escapeIdentifier(name)} (${columns.map(pg.escapeIdentifier).join(', ')})`;
