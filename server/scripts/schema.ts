import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startEmbeddedPostgres } from '#core/database/embedded-postgres.ts';
import { migrate } from '#core/database/migrate.ts';
import { generateSchema } from '#test/generate-schema.ts';

/** Writes server/src/core/database/schema.ts from the migrations. Run it after adding a migration. */
const folder = mkdtempSync(join(tmpdir(), 'radwork-schema-'));
const postgres = await startEmbeddedPostgres(folder, { isThrowaway: true });
try {
  const url = postgres.url('postgres');
  await migrate(url);
  await generateSchema(url, resolve(import.meta.dirname, '../src/core/database/schema.ts'));
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
