import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../server/src/core/embedded-postgres.ts';

/**
 * What is broken on purpose, from outside of the product, so that it is seen that a cut of the power finds it: bytes are
 * not synced, names are not, names come later than they are said to be there, or the database does not sync.
 */
export const defects = ['bytes', 'names', 'order', 'database'] as const;
export type Defect = (typeof defects)[number];

/** What Node is told so that the server has the defect. */
export const flagsOf = (defect: Defect | undefined): string[] =>
  defect === undefined || defect === 'database'
    ? []
    : ['--import', new URL(`./defects/${defect}.ts`, import.meta.url).href];

/** Has the running database of a folder do without syncing, from now on. */
export const stopSyncing = async (folder: string): Promise<void> => {
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres'));
  const client = new pg.Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  await client.query('alter system set fsync = off');
  await client.query('select pg_reload_conf()');
  await client.end();
  await postgres.stop();
};
