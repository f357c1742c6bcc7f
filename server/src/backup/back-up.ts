import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type pg from 'pg';
import { removalsTurn } from '#archive/upkeep/turns.ts';
import type { BlobStore } from '#core/blob-store.ts';
import type { StorageKeys } from '#core/blobs/storage-keys.ts';
import { ConfigError } from '#core/config.ts';
import { hasSqlState } from '#core/database.ts';
import { appliedMigrations } from '#core/migrate.ts';
import { found } from '#core/problem.ts';
import { version } from '#core/version.ts';
import { completeBackup, databaseFolder, type Place, prepareFolder, syncFolders } from './backup-folder.ts';
import { copyFiles } from './copy-files.ts';
import { connect, installationOf, sequencesOf } from './database-facts.ts';
import { dumpFileList, dumpTables } from './dump-tables.ts';
import { findManifest, type Manifest } from './manifest.ts';
import { assertCurrent, inSnapshot } from './snapshot.ts';

/** `keys` are those of backups: without a current one, the folder is not encrypted. */
type Source = { url: string; blobs: BlobStore; keys?: StorageKeys | undefined };

type Options = {
  /** Files that the folder has from a backup before are taken by their size, and not read again. */
  isFast?: boolean;
  /** Hears how far it is, often. */
  tell: (words: string) => void;
  /** Hears of each file that the store has lost or damaged. */
  report: (words: string) => void;
};

/**
 * Copies database and store into a folder while servers go on. The database is taken as it was at one moment; the files
 * that its rows of that moment refer to were in the store before those rows were, and until the end nothing removes
 * them. Only when all is on the disk does the folder become this backup; until then it stays what it was. Throws a
 * ConfigError for what whoever runs it can do something about.
 */
export const backUp = async (
  { url, blobs, keys }: Source,
  into: string,
  { isFast = false, tell, report }: Options,
): Promise<{ manifest: Manifest; kept: number }> => {
  const folder = resolve(into);
  const id = randomUUID();
  const place: Place = { folder, id, keyId: keys?.current?.id, keys };
  const client = await connect(url);
  try {
    await assertCurrent(client);
    await holdRemovals(client);
    await assertGoesOn(client, place);
    const { sha256, ...dumped } = await inSnapshot(client, async () => {
      await prepareFolder(folder, id);
      return dumpDatabase(client, place, tell);
    });
    const { count, bytes, kept, missing, changed } = await copyFiles(blobs, place, sha256, { isFast, tell, report });
    // Were this connection lost, files could have been removed meanwhile.
    await client.query('select');
    await syncFolders(folder, [...changed, databaseFolder(folder, id)]);
    const { keyId } = place;
    const files = { count, bytes, sha256, missing };
    const manifest = { id, version, ...(keyId !== undefined && { keyId }), ...dumped, files };
    await completeBackup(folder, manifest, keys);
    return { manifest, kept };
  } finally {
    await client.end();
  }
};

/** Milliseconds. Whoever removes files has it for a moment at a time. */
const waitsForTurn = 5000;

/** Until this connection ends, no file leaves the store: rows that are copied first refer to files that are copied later. */
const holdRemovals = async (client: pg.ClientBase) => {
  await client.query(`set lock_timeout = ${waitsForTurn}`);
  try {
    await client.query(`select pg_advisory_lock(${removalsTurn})`);
  } catch (error) {
    if (!hasSqlState(error, '55P03')) throw error;
    throw new ConfigError('Another backup of this database is under way.');
  }
  await client.query('set lock_timeout = 0');
};

/** Backups of one folder share their files: they are of one installation, and encrypted with one key or none. */
const assertGoesOn = async (client: pg.ClientBase, { folder, keyId, keys }: Place) => {
  const earlier = await findManifest(folder, keys);
  const { id } = await knownInstallation(client);
  if (!earlier) return;
  if (earlier.installation !== id) {
    throw new ConfigError(`${folder} has the backup of another installation. Name another folder.`);
  }
  if (earlier.keyId === keyId) return;
  const way =
    earlier.keyId === undefined ? 'not encrypted' : `encrypted with the BACKUP_KEY whose id is ${earlier.keyId}`;
  throw new ConfigError(
    `The backup in ${folder} is ${way}, and this one would not be so. Name a new folder for it, or set BACKUP_KEY as it was.`,
  );
};

const knownInstallation = async (client: pg.ClientBase) => {
  const installation = await installationOf(client);
  if (!installation) throw new ConfigError('No server has been started on this database yet: there is nothing in it.');
  return installation;
};

/** Everything that the database says, as the open transaction sees it. `sha256` is of the list of files. */
const dumpDatabase = async (
  client: pg.ClientBase,
  place: Place,
  tell: Options['tell'],
): Promise<Omit<Manifest, 'id' | 'version' | 'files'> & { sha256: string }> => {
  const { id: installation, secretFingerprint } = await knownInstallation(client);
  return {
    ...(await factsOf(client)),
    installation,
    secretFingerprint,
    migrations: await appliedMigrations(client),
    tables: await dumpTables(client, place, tell),
    sequences: await sequencesOf(client),
    sha256: await dumpFileList(client, place),
  };
};

const factsOf = async (client: pg.ClientBase): Promise<{ createdAt: string; postgres: string }> => {
  const { rows } = await client.query<{ createdAt: string; postgres: string }>(
    `select now() as "createdAt", current_setting('server_version') as postgres`,
  );
  return found(rows[0], 'moment');
};
