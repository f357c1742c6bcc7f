import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openStorage, type OpenStorage } from '#core/blobs/open-blob-store.ts';
import { ConfigError } from '#core/config/config-error.ts';
import { type Config, readConfig } from '#core/config/config.ts';
import type { Context } from '#core/context.ts';
import { assertConfined, kyselyOn, openOwnerPool, openServingPool } from '#core/database/database.ts';
import { startEmbeddedPostgres } from '#core/database/embedded-postgres.ts';
import { agreeOnStore } from '#core/installation/installation.ts';
import { appliedMigrations, isOfThisVersion } from '#core/database/migrate.ts';
import { assertDatabaseRestored } from '#core/installation/restore-mark.ts';
import { openScopes } from '../extensions.ts';
import { lowerPriority } from './lower-priority.ts';

export const print = (text: string) => process.stdout.write(`${text}\n`);

/** Returns only the message when the operator can fix the error, and otherwise the stack. */
const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error instanceof ConfigError ? error.message : (error.stack ?? error.message);
};

const noArchive = (dataDir: string) => `${dataDir} contains no archive. Set DATA_DIR or DATABASE_URL as on the server.`;

/** Adds a function that closes a resource when the command ends. The function added last runs first. */
type RegisterClose = (close: () => Promise<unknown>) => void;

/** Runs a command. Its exit code is the result of `work`. After an error, prints a message and exits with 2. */
export const runCommand = async (work: (config: Config, closing: RegisterClose) => Promise<number>): Promise<void> => {
  const closing: (() => Promise<unknown>)[] = [];
  // Keeps the process running. The disk threads alone do not keep it running, even while `work` waits for them.
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

/**
 * Returns the URL of the database. Uses the embedded database of a running server. If no server runs, starts the
 * embedded database and stops it later.
 */
export const openDatabase = async ({ databaseUrl, dataDir }: Config, closing: RegisterClose): Promise<string> => {
  if (databaseUrl) return databaseUrl;
  const embedded = await startEmbeddedPostgres(join(dataDir, 'postgres'), { isLeftEnded: true });
  closing(embedded.stop);
  return embedded.url('postgres');
};

/**
 * Throws ConfigError for a database of another version. The tables of a newer version are unknown here, so their files
 * would count as unused.
 */
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

const noServerYet = `The database is empty: no server has started on it yet. Set DATABASE_URL or DATA_DIR as on the server.`;

const ofAnotherVersion = `The database belongs to another version of Radwork. Use the version that runs the server. If this version is newer,
start its server first: it upgrades the database.`;

/** Services for a command. `url` is the database URL of the owner. */
type Archive = Pick<Context, 'blobs' | 'scopes'> & { url: string; storage: OpenStorage };

const openArchive = async (config: Config, closing: RegisterClose): Promise<Archive> => {
  const isThere = config.databaseUrl !== undefined || existsSync(join(config.dataDir, 'postgres'));
  if (!isThere) throw new ConfigError(noArchive(config.dataDir));
  const url = await openDatabase(config, closing);
  // After the start of the embedded database, which a server may use meanwhile.
  lowerPriority();
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
  return { scopes: openScopes(kyselyOn(pool)), blobs, url, storage };
};

/**
 * Runs work with the archive of the settings, whether or not the server runs, at a low priority. Ends like
 * `runCommand`.
 */
export const withArchive = (work: (archive: Archive) => Promise<number>): Promise<void> =>
  runCommand(async (config, closing) => work(await openArchive(config, closing)));
