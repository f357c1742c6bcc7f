import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openBlobStore } from '#core/blobs/open-blob-store.ts';
import { ConfigError, readConfig } from '#core/config.ts';
import type { Context } from '#core/context.ts';
import { assertConfined, kyselyOn, openOwnerPool, openServingPool } from '#core/database.ts';
import { startEmbeddedPostgres } from '#core/embedded-postgres.ts';
import { agreeOnStore } from '#core/installation.ts';
import { createScopes } from '#core/scope.ts';

export const say = (text: string) => process.stdout.write(`${text}\n`);

/** In words where whoever runs the command can do something about it, else with the place in the code. */
const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error instanceof ConfigError ? error.message : (error.stack ?? error.message);
};

const noArchive = (dataDir: string) =>
  `There is no archive in ${dataDir}. Set DATA_DIR or DATABASE_URL to those that the server runs with.`;

/**
 * Does something with the archive that the settings name, beside the server or without it: the embedded database is
 * the server's if that is running, and is started and stopped here if not. Ends the process with what `work` returns,
 * or with 2 and words when it could not be done.
 */
export const withArchive = async (work: (archive: Pick<Context, 'blobs' | 'scopes'>) => Promise<number>) => {
  const closing: (() => Promise<unknown>)[] = [];
  const open = async () => {
    const config = readConfig();
    const folder = join(config.dataDir, 'postgres');
    if (!config.databaseUrl && !existsSync(folder)) throw new ConfigError(noArchive(config.dataDir));
    const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres(folder);
    if (embedded) closing.push(embedded.stop);
    const url = config.databaseUrl ?? embedded?.url('postgres') ?? '';
    const pool = openServingPool(url, 4);
    closing.push(() => pool.end());
    await assertConfined(pool);
    const blobs = await openBlobStore(config);
    closing.push(blobs.close);
    const owning = openOwnerPool(url);
    await agreeOnStore(kyselyOn(owning), blobs).finally(() => owning.end());
    return { scopes: createScopes(kyselyOn(pool)), blobs };
  };
  try {
    process.exitCode = await work(await open());
  } catch (error) {
    process.stderr.write(`${wordsOf(error)}\n`);
    process.exitCode = 2;
  }
  for (const close of closing.toReversed()) await close();
};
