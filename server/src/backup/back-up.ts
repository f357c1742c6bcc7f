import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type pg from 'pg';
import { removalsLockKey } from '#imaging/archive/upkeep/storage-locks.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import type { StorageKeys } from '#core/blobs/storage-keys.ts';
import { ConfigError } from '#core/config/config-error.ts';
import { hasSqlState } from '#core/database/database.ts';
import { appliedMigrations } from '#core/database/migrate.ts';
import { orNotFound } from '#core/http/problem.ts';
import { version } from '#core/values/version.ts';
import { completeBackup, databaseFolder, type BackupLocation, prepareFolder, syncFolders } from './backup-folder.ts';
import { copyFiles } from './copy-files.ts';
import { connect, installationOf, sequencesOf } from './database-facts.ts';
import { dumpFileList, dumpTables } from './dump-tables.ts';
import { findManifest, type Manifest } from './manifest.ts';
import { assertCurrent, inSnapshot } from './snapshot.ts';

/** `keys` are the backup keys. Without a current key, the folder is not encrypted. */
type Source = { url: string; blobs: BlobStore; keys?: StorageKeys | undefined };

type Options = {
  /**
   * True to accept files of an earlier backup in the folder if their size matches, without reading their content again.
   */
  isFast?: boolean;
  /** Called often, each time with a progress message. */
  onProgress: (words: string) => void;
  /** Receives each file that is lost or damaged in the store. */
  report: (words: string) => void;
};

/**
 * Copies database and store into a folder while servers keep running. The tables are read in one snapshot. The store
 * contains every file before its row is written, and removes no file until the backup ends. The folder contains the
 * previous backup until the new backup is completely on disk. Throws a ConfigError for causes that the operator can
 * fix.
 */
export const backUp = async (
  { url, blobs, keys }: Source,
  into: string,
  { isFast = false, onProgress, report }: Options,
): Promise<{ manifest: Manifest; alreadyCopied: number }> => {
  const folder = resolve(into);
  const id = randomUUID();
  const place: BackupLocation = { folder, id, keyId: keys?.current?.id, keys };
  const client = await connect(url);
  try {
    await assertCurrent(client);
    await holdRemovals(client);
    await assertGoesOn(client, place);
    const { sha256, ...dumped } = await inSnapshot(client, async () => {
      await prepareFolder(folder, id);
      return dumpDatabase(client, place, onProgress);
    });
    const { count, bytes, alreadyCopied, missing, changed } = await copyFiles(blobs, place, sha256, {
      isFast,
      onProgress,
      report,
    });
    // This query fails if the connection was lost. Without its lock, files that the backup needs could have been
    // removed.
    await client.query('select');
    await syncFolders(folder, [...changed, databaseFolder(folder, id)]);
    const { keyId } = place;
    const files = { count, bytes, sha256, missing };
    const manifest = { id, version, ...(keyId !== undefined && { keyId }), ...dumped, files };
    await completeBackup(folder, manifest, keys);
    return { manifest, alreadyCopied };
  } finally {
    await client.end();
  }
};

/** Milliseconds to wait for the lock. A process that removes files holds the lock only for a moment at a time. */
const waitsForTurn = 5000;

/**
 * Prevents removals from the store until this connection ends, because the copied rows refer to files that are copied
 * later.
 */
const holdRemovals = async (client: pg.ClientBase) => {
  await client.query(`set lock_timeout = ${waitsForTurn}`);
  try {
    await client.query(`select pg_advisory_lock(${removalsLockKey})`);
  } catch (error) {
    if (!hasSqlState(error, '55P03')) throw error;
    throw new ConfigError('Another backup of this database is running.');
  }
  await client.query('set lock_timeout = 0');
};

/**
 * The backups in a folder share their files, so all must belong to the same installation and have the same key, or no
 * key.
 */
const assertGoesOn = async (client: pg.ClientBase, { folder, keyId, keys }: BackupLocation) => {
  const earlier = await findManifest(folder, keys);
  const { id } = await knownInstallation(client);
  if (!earlier) return;
  if (earlier.installation !== id) {
    throw new ConfigError(`${folder} contains a backup of another installation. Name another folder.`);
  }
  if (earlier.keyId === keyId) return;
  const earlierKey = earlier.keyId;
  throw new ConfigError(
    earlierKey === undefined
      ? `The backup in ${folder} is not encrypted, but BACKUP_KEY is set. Name a new folder, or remove BACKUP_KEY.`
      : `The backup in ${folder} is encrypted with another BACKUP_KEY (id ${earlierKey}). Name a new folder, or set that key.`,
  );
};

const knownInstallation = async (client: pg.ClientBase) => {
  const installation = await installationOf(client);
  if (!installation) throw new ConfigError('The database is empty: no server has started on it yet.');
  return installation;
};

/** Writes the database as the open transaction sees it. `sha256` is the hash of the list of files. */
const dumpDatabase = async (
  client: pg.ClientBase,
  place: BackupLocation,
  onProgress: Options['onProgress'],
): Promise<Omit<Manifest, 'id' | 'version' | 'files'> & { sha256: string }> => {
  const { id: installation, secretFingerprint } = await knownInstallation(client);
  return {
    ...(await factsOf(client)),
    installation,
    secretFingerprint,
    migrations: await appliedMigrations(client),
    tables: await dumpTables(client, place, onProgress),
    sequences: await sequencesOf(client),
    sha256: await dumpFileList(client, place),
  };
};

const factsOf = async (client: pg.ClientBase): Promise<{ createdAt: string; postgres: string }> => {
  const { rows } = await client.query<{ createdAt: string; postgres: string }>(
    `select now() as "createdAt", current_setting('server_version') as postgres`,
  );
  return orNotFound(rows[0], 'moment');
};
