import pg from 'pg';
import { type BackupLocation, readCompressed, tablePath } from './backup-folder.ts';
import { copyIn } from './copy-rows.ts';
import { describeTable } from './database-facts.ts';
import type { Manifest } from './manifest.ts';
import { assertNoTenants } from './restore-target.ts';

type LoadOptions = {
  manifest: Manifest;
  /** Files that the restored store does not contain. */
  missing: Manifest['files']['missing'];
  installationId: string;
  onProgress: (words: string) => void;
};

/**
 * Loads a backup into a database without tenants, in one transaction: all of it or nothing. Triggers are off during
 * this time, because the backup already contains what they would write. Foreign keys are dropped and created again,
 * which checks every row. The database becomes installation `installationId`, and all sessions end. Needs only the
 * rights of the owner.
 */
export const loadTables = async (
  client: pg.Client,
  place: BackupLocation,
  { manifest, missing, installationId, onProgress }: LoadOptions,
): Promise<void> => {
  await client.query('begin');
  const keys = await foreignKeys(client);
  await runEach(
    client,
    keys.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
  );
  await runEach(client, manifest.tables.map(triggers('disable')));
  // Checks again under locks, because the database may have been used since the first check.
  await assertNoTenants(client);
  await client.query(`truncate ${manifest.tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ')}`);
  for (const table of manifest.tables) {
    onProgress(`loading table ${table.name}`);
    await loadTable(client, place, table);
  }
  for (const { name, lastValue, isCalled } of manifest.sequences) {
    await client.query('select setval($1::regclass, $2, $3)', [pg.escapeIdentifier(name), lastValue, isCalled]);
  }
  await becomeInstallation(client, installationId);
  // Ends all sessions, because a user may have signed out or been deactivated after the backup.
  await client.query('update sessions set revoked_at = now() where revoked_at is null');
  await markMissing(client, manifest, missing);
  await runEach(client, manifest.tables.map(triggers('enable')));
  onProgress('restoring foreign keys');
  await runEach(
    client,
    keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
  );
  await client.query('commit');
  await client.query('analyze');
};

/**
 * Marks files as missing in every table of the backup that refers to files. In earlier versions, this is only
 * `instances`.
 */
const markMissing = async (client: pg.Client, { tables }: Manifest, missing: LoadOptions['missing']) => {
  if (missing.length === 0) return;
  for (const { name } of tables.filter((table) => ['instances', 'stored_files'].includes(table.name))) {
    await client.query(
      `update ${name} as file set missing_since = now()
       from unnest($1::int[], $2::text[]) as lost (tenant_id, sha256)
       where file.tenant_id = lost.tenant_id and file.sha256 = decode(lost.sha256, 'hex') and missing_since is null`,
      [missing.map(({ tenantId }) => tenantId), missing.map(({ sha256 }) => sha256)],
    );
  }
};

const becomeInstallation = async (client: pg.Client, id: string) => {
  const { rowCount } = await client.query('update installation set id = $1', [id]);
  if (rowCount !== 1) throw new Error('The backup does not name its installation');
};

const runEach = async (client: pg.Client, statements: readonly string[]) => {
  for (const statement of statements) await client.query(statement);
};

const triggers =
  (what: 'disable' | 'enable') =>
  ({ name }: { name: string }): string =>
    `alter table ${pg.escapeIdentifier(name)} ${what} trigger user`;

/** `table` and `name` are SQL identifiers. `definition` is SQL text. */
type ForeignKey = { table: string; name: string; definition: string };

const foreignKeys = async (client: pg.Client): Promise<ForeignKey[]> => {
  const { rows } = await client.query<ForeignKey>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`);
  return rows;
};

const loadTable = async (client: pg.Client, place: BackupLocation, table: Manifest['tables'][number]) => {
  const path = tablePath(place.folder, place.id, table.name);
  const statement = `copy ${describeTable(table)} from stdin`;
  const rows = await copyIn(client, statement, readCompressed(place, path, table.sha256));
  if (rows !== table.rows) throw new Error(`Table ${table.name} has ${rows} rows instead of ${table.rows}`);
};
