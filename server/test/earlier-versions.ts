import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type pg from 'pg';
import { filePath, listPath, prepareFolder, tablePath, writeCompressed } from '#backup/backup-folder.ts';
import { copyOut } from '#backup/copy-rows.ts';
import { sequencesOf, type Table, tablesOf, describeTable } from '#backup/database-facts.ts';
import { type Manifest, writtenManifest } from '#backup/manifest.ts';
import { appliedMigrations } from '#core/database/migrate.ts';

export const folder = join(import.meta.dirname, 'earlier-versions');

/**
 * The last migration of each version. No version is released yet; these are earlier states of the schema that support
 * backups.
 */
export const versions = ['0012', '0020', '0030', '0044'] as const;
export type Version = (typeof versions)[number];

/**
 * A backup as one readable and comparable file. `text` is the COPY output of a table. The bytes of an image are the
 * text of its SOP Instance UID.
 */
export type Dump = Pick<Manifest, 'id' | 'migrations' | 'sequences'> & {
  tables: (Table & { rows: number; text: string })[];
  files: { tenantId: number; uid: string }[];
};

export const dumpOf = async (client: pg.ClientBase, id: string): Promise<Dump> => {
  const tables: Dump['tables'] = [];
  for (const table of await tablesOf(client)) {
    const copied = copyOut(client, `copy ${describeTable(table)} to stdout`);
    tables.push({ ...table, text: await text(copied.text), rows: copied.rows() });
  }
  const { rows: files } = await client.query<Dump['files'][number]>(
    'select tenant_id as "tenantId", sop_instance_uid as uid from instances order by 1, sha256',
  );
  return { id, migrations: await appliedMigrations(client), sequences: await sequencesOf(client), tables, files };
};

export const readDump = async (version: Version): Promise<Dump> =>
  JSON.parse(await readFile(join(folder, `${version}.json`), 'utf8')) as Dump;

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

/** Writes a dump as the backup that a server of its version would have made. */
export const writeBackup = async ({ files, ...dump }: Dump, into: string): Promise<void> => {
  await prepareFolder(into, dump.id);
  const tables: Manifest['tables'] = [];
  for (const { text: content, ...table } of dump.tables) {
    const hashed = await writeCompressed(tablePath(into, dump.id, table.name), Readable.from([Buffer.from(content)]));
    tables.push({ ...table, sha256: hashed.sha256 });
  }
  const storedFiles = files.map(({ tenantId, uid }) => ({ tenantId, sha256: sha256(uid), uid }));
  for (const file of storedFiles) {
    await mkdir(dirname(filePath(into, file)), { recursive: true });
    await writeFile(filePath(into, file), file.uid);
  }
  const lines = storedFiles.map((file) => `${file.tenantId}\t${file.sha256}\t${file.uid.length}\tf\n`);
  const list = await writeCompressed(listPath(into, dump.id), Readable.from([Buffer.from(lines.join(''))]));
  const manifest: Manifest = {
    ...dump,
    createdAt: '2026-11-23T09:00:00.000Z',
    version: '0.1.0',
    postgres: '18.4',
    installation: dump.id,
    secretFingerprint: null,
    tables,
    files: {
      count: files.length,
      bytes: files.reduce((sum, { uid }) => sum + uid.length, 0),
      sha256: list.sha256,
      missing: [],
    },
  };
  await writeFile(join(into, 'manifest.json'), writtenManifest(manifest));
};
