import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '#backup/database-facts.ts';
import { startEmbeddedPostgres } from '#core/database/embedded-postgres.ts';
import { knownMigrations, migrateInTurn } from '#core/database/migrate.ts';
import { dumpOf, folder, versions } from '#test/earlier-versions.ts';

/*
 * Writes the dumps in server/test/earlier-versions, which src/backup/earlier-versions.test.ts restores. For each
 * version, the script migrates a database, adds rows as users of that version would (rows-NNNN.sql), and dumps it. At
 * a release, add its number to `versions` and a file of rows. Dumps of released versions are not written again. Then
 * run `npm run fix`.
 */
const temporary = await mkdtemp(join(tmpdir(), 'radwork-earlier-'));
const postgres = await startEmbeddedPostgres(temporary, { isThrowaway: true });
try {
  const url = postgres.url('postgres');
  for (const version of versions) {
    const names = (await knownMigrations()).filter((name) => name.slice(0, 4) <= version);
    await migrateInTurn(url, new Set(names));
    const client = await connect(url);
    await client.query(await readFile(join(folder, `rows-${version}.sql`), 'utf8'));
    const dump = await dumpOf(client, randomUUID());
    await client.end();
    await writeFile(join(folder, `${version}.json`), `${JSON.stringify(dump, undefined, 1)}\n`);
  }
} finally {
  await postgres.stop();
  await rm(temporary, { recursive: true, force: true });
}
