import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openStorage, type OpenStorage } from '#core/blobs/open-blob-store.ts';
import { type Config, ConfigError, readConfig } from '#core/config.ts';
import type { Context } from '#core/context.ts';
import { assertConfined, kyselyOn, openOwnerPool, openServingPool } from '#core/database.ts';
import { startEmbeddedPostgres } from '#core/embedded-postgres.ts';
import { agreeOnStore } from '#core/installation.ts';
import { appliedMigrations, isOfThisVersion } from '#core/migrate.ts';
import { assertDatabaseRestored } from '#core/restore-mark.ts';
import { createScopes } from '#core/scope.ts';

export const say = (text: string) => process.stdout.write(`${text}\n`);

/** In words where whoever runs the command can do something about it, else with the place in the code. */
const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error instanceof ConfigError ? error.message : (error.stack ?? error.message);
};

const noArchive = (dataDir: string) =>
  `There is no archive in ${dataDir}. Set DATA_DIR or DATABASE_URL to those that the server runs with.`;

/** To be closed when the command is done, the last one first. */
type Closing = (close: () => Promise<unknown>) => void;

/** Ends the process with what `work` returns, or with 2 and words when it could not be done. */
export const runCommand = async (work: (config: Config, closing: Closing) => Promise<number>): Promise<void> => {
  const closing: (() => Promise<unknown>)[] = [];
  // The threads that write files keep no process alive, also while somebody waits for them and for nothing else.
  const alive = setInterval(() => {}, 60_000);
  try {
    process.exitCode = await work(readConfig(), (close) => closing.push(close));
  } catch (error) {
    process.stderr.write(`${wordsOf(error)}\n`);
    process.exitCode = 2;
  }
  for (const close of closing.toReversed()) await close();
  clearInterval(alive);
};

/** The address of the database: of the embedded one, which is the server's if that is running, and ours to stop if not. */
export const openDatabase = async ({ databaseUrl, dataDir }: Config, closing: Closing): Promise<string> => {
  if (databaseUrl) return databaseUrl;
  const embedded = await startEmbeddedPostgres(join(dataDir, 'postgres'));
  closing(embedded.stop);
  return embedded.url('postgres');
};

/** What a newer version has put into tables of its own, this one would take for unused. Throws a ConfigError. */
const assertOfThisVersion = async (owning: ReturnType<typeof openOwnerPool>): Promise<void> => {
  await assertDatabaseRestored(kyselyOn(owning));
  const client = await owning.connect();
  try {
    if (await isOfThisVersion(client)) return;
    const isNew = (await appliedMigrations(client)).length === 0;
    throw new ConfigError(isNew ? noServerYet : ofAnotherVersion);
  } finally {
    client.release();
  }
};

const noServerYet = `No server has been started on this database yet: there is nothing in it. Set DATABASE_URL or DATA_DIR to those that the
server runs with.`;

const ofAnotherVersion = `The database is of another version of Radwork than this one. Use the version that serves. If this is a newer one, its first start
brings the database to it.`;

/** What a command works with; `url` is that of the database's owner. */
type Archive = Pick<Context, 'blobs' | 'scopes'> & { url: string; storage: OpenStorage };

const openArchive = async (config: Config, closing: Closing): Promise<Archive> => {
  const isThere = config.databaseUrl !== undefined || existsSync(join(config.dataDir, 'postgres'));
  if (!isThere) throw new ConfigError(noArchive(config.dataDir));
  const url = await openDatabase(config, closing);
  const owning = openOwnerPool(url);
  closing(() => owning.end());
  await assertOfThisVersion(owning);
  const pool = openServingPool(url, 4);
  closing(() => pool.end());
  await assertConfined(pool);
  const storage = await openStorage(config);
  const { blobs } = storage;
  closing(blobs.close);
  await agreeOnStore(kyselyOn(owning), blobs);
  return { scopes: createScopes(kyselyOn(pool)), blobs, url, storage };
};

/** Does something with the archive that the settings name, beside the server or without it. Ends as `runCommand` does. */
export const withArchive = (work: (archive: Archive) => Promise<number>): Promise<void> =>
  runCommand(async (config, closing) => work(await openArchive(config, closing)));
