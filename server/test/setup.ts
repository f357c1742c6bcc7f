import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#core/database/embedded-postgres.ts';
import { migrate } from '#core/database/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The database server of the tests, and the migrated database that tests copy. */
    postgres: { url: string; template: string };
  }
}

export const withDatabase = (url: string, database: string): string => url.replace(/\/[^/?]*(\?|$)/, `/${database}$1`);

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  // Tests kill database servers. The pending query then reports the error. Without a listener, the process would also
  // end.
  client.on('error', () => {});
  await client.connect();
  return await work(client).finally(() => client.end());
};

export const runSql = (url: string, ...statements: string[]): Promise<void> =>
  withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

/**
 * Creates a database with further SQL options. Copying the template's files takes an eighth of the processor time of
 * the default, which copies through the log.
 */
export const createDatabase = (server: string, name: string, options = ''): Promise<void> =>
  runSql(server, `create database ${name} ${options} strategy file_copy`);

/** Returns the rows of one statement. */
export const querySql = (url: string, text: string): Promise<Record<string, unknown>[]> =>
  withClient(url, async (client) => (await client.query<Record<string, unknown>>(text)).rows);

/** Prepares, once per run, a PostgreSQL server (TEST_DATABASE_URL or the embedded server) and a migrated template. */
export default async (project: TestProject) => {
  const folder = mkdtempSync(join(tmpdir(), 'radwork-test-'));
  const embedded = process.env.TEST_DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres(folder, { isThrowaway: true });
  const url = process.env.TEST_DATABASE_URL || (embedded?.url('postgres') ?? '');
  const template = `radwork_template_${process.pid}`;
  await runSql(url, `drop database if exists ${template}`);
  await createDatabase(url, template);
  await migrate(withDatabase(url, template));
  project.provide('postgres', { url, template });
  return async () => {
    await runSql(url, `drop database if exists ${template} with (force)`);
    await embedded?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
};
