import type pg from 'pg';
import { listColumns, listPath, type BackupLocation, tablePath, writeCompressed } from './backup-folder.ts';
import { copyOut } from './copy-rows.ts';
import { type Table, tablesOf, describeTable } from './database-facts.ts';
import type { Manifest } from './manifest.ts';

type OnProgress = (words: string) => void;

/** Writes every table as the open transaction sees it. Syncs the files, but not their folder. */
export const dumpTables = async (
  client: pg.ClientBase,
  place: BackupLocation,
  onProgress: OnProgress,
): Promise<Manifest['tables']> => {
  const tables = await tablesOf(client);
  const dumped: Manifest['tables'] = [];
  for (const table of tables) {
    onProgress(`table ${dumped.length + 1} of ${tables.length}: ${table.name}`);
    dumped.push(await dumpTable(client, place, table));
  }
  return dumped;
};

const dumpTable = async (client: pg.ClientBase, { folder, id, keys }: BackupLocation, table: Table) => {
  const { text, rows } = copyOut(client, `copy ${describeTable(table)} to stdout`);
  const { sha256 } = await writeCompressed(tablePath(folder, id, table.name), text, keys);
  return { ...table, rows: rows(), sha256 };
};

/** Writes the list of all files to which the rows of the snapshot refer. Returns the hash of the list. */
export const dumpFileList = async (client: pg.ClientBase, { folder, id, keys }: BackupLocation): Promise<string> => {
  const { text } = copyOut(
    client,
    `copy (select ${listColumns} from stored_bytes group by tenant_id, sha256 order by tenant_id, sha256) to stdout`,
  );
  const { sha256 } = await writeCompressed(listPath(folder, id), text, keys);
  return sha256;
};
