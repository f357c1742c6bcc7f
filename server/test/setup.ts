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

export const runSql = async (url: string, ...statements: string[]) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

/** Once per run: a PostgreSQL (TEST_DATABASE_URL, or the embedded one) and a migrated template to copy. */
export default async (project: TestProject) => {
  const folder = mkdtempSync(join(tmpdir(), 'radwork-test-'));
  const embedded = process.env.TEST_DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres(folder, { isThrowaway: true });
  const url = process.env.TEST_DATABASE_URL || (embedded?.url('postgres') ?? '');
  const template = `radwork_template_${process.pid}`;
  await runSql(url, `drop database if exists ${template}`, `create database ${template}`);
  await migrate(withDatabase(url, template));
  project.provide('postgres', { url, template });
  return async () => {
    await runSql(url, `drop database if exists ${template} with (force)`);
    await embedded?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
};
