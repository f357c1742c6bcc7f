import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#core/embedded-postgres.ts';
import { migrate } from '#core/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that test databases are made on, and the migrated database that they are copies of. */
    postgres: { url: string; template: string };
  }
}

export const withDatabase = (url: string, database: string): string => url.replace(/\/[^/?]*(\?|$)/, `/${database}$1`);

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  // Servers are killed by tests. Whoever waits for an answer hears of it; the process would too.
  client.on('error', () => {});
  await client.connect();
  return await work(client).finally(() => client.end());
};

export const runSql = (url: string, ...statements: string[]): Promise<void> =>
  withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

/**
 * Creates a database, with further options of the statement. Copies the template's files: through the log, which is the
 * default, it takes eight times as much of the processor.
 */
export const createDatabase = (server: string, name: string, options = ''): Promise<void> =>
  runSql(server, `create database ${name} ${options} strategy file_copy`);

/** The rows of one statement. */
export const askSql = (url: string, text: string): Promise<Record<string, unknown>[]> =>
  withClient(url, async (client) => (await client.query<Record<string, unknown>>(text)).rows);

/** Once per run: a PostgreSQL (TEST_DATABASE_URL, or the embedded one) and a migrated template to copy. */
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
