import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../server/src/core/database/embedded-postgres.ts';

/**
 * Defects injected from outside the product, to prove that a power cut detects them: file bytes are not synced, folder
 * entries are not synced, files are renamed too late, or the database does not sync.
 */
export const defects = ['bytes', 'names', 'order', 'database'] as const;
export type Defect = (typeof defects)[number];

/** The Node flags that inject the defect into the server. */
export const flagsOf = (defect: Defect | undefined): string[] =>
  defect === undefined || defect === 'database'
    ? []
    : ['--import', new URL(`./defects/${defect}.ts`, import.meta.url).href];

/** Turns off syncing in the running database of a folder. */
export const stopSyncing = async (folder: string): Promise<void> => {
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres'));
  const client = new pg.Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  await client.query('alter system set fsync = off');
  await client.query('select pg_reload_conf()');
  await client.end();
  await postgres.stop();
};
