import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type pg from 'pg';
import { setAnchorsAside } from '#core/audit/audit-chain.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import { inParallel } from '#core/resources/run-in-parallel.ts';
import type { StorageKeys } from '#core/blobs/storage-keys.ts';
import { ConfigError } from '#core/config/config-error.ts';
import { migrateInTurn, readMigrations, tryMigrations } from '#core/database/migrate.ts';
import {
  markDatabase,
  markOfDatabase,
  readRestoreMark,
  type RestoreMark,
  restoreMark,
} from '#core/installation/restore-mark.ts';
import { type ListedFile, listedFiles, type BackupLocation, backupLocationOf, readStored } from './backup-folder.ts';
import { checkBackup, missingIn } from './check-backup.ts';
import { connect } from './database-facts.ts';
import { loadTables } from './load-tables.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { auditRestore } from './note-restore.ts';
import { namesMissingIn, shapeOf } from './assert-own-tables.ts';
import { assertNoOtherConnections, holdMigrations, installationIn, refuseUnlessEmpty } from './restore-target.ts';

/** `keys` are the backup keys. */
type Target = { url: string; blobs: BlobStore; dataDir: string; keys?: StorageKeys | undefined };

type Options = {
  /** Called often, each time with a progress message. */
  onProgress: (words: string) => void;
  /** Receives each fault of the backup. */
  report: (words: string) => void;
  /** True to leave out damaged files such as images. Otherwise, a backup with damaged files is refused. */
  isWithoutDamaged?: boolean;
};

/**
 * `damaged` counts the damaged files that were left out. `anchors` is the new path of the file with earlier chain
 * heads.
 */
export type RestoreResult = { manifest: Manifest; damaged: number; anchors: string | undefined };

/**
 * Restores a backup into an empty database and an empty store, and migrates the database to this version. Checks the
 * hashes of the whole backup before any change. Files that the backup lacks are marked as missing, as upkeep does:
 * readers see an error, and an upload of the same file replaces the missing file. After an interruption, store and
 * database stay marked: no server starts on them, and the same restore may run again. Throws a ConfigError for causes
 * that the operator can fix.
 */
export const restore = async (target: Target, from: string, options: Options): Promise<RestoreResult> => {
  const { onProgress } = options;
  const folder = resolve(from);
  const manifest = await readManifest(folder, target.keys);
  const place = backupLocationOf(folder, manifest, target.keys);
  let damaged: Manifest['files']['missing'] = [];
  await assertKnown(manifest);
  // This connection stays open until the end, so that another restore sees that the database is in use.
  const client = await connect(target.url);
  try {
    await assertNoOtherConnections(client);
    await holdMigrations(client);
    const { installationId, isLoaded } = await destinationOf(client, target.blobs, manifest);
    if (!isLoaded) await assertFits(target.url, folder, manifest);
    // After an interruption near the end, the damaged files are reported again.
    if (!isLoaded || options.isWithoutDamaged) damaged = await damagedIn(place, manifest, options);
    if (!isLoaded) {
      const missing = [...manifest.files.missing, ...damaged];
      // Checked again, because reading the backup may have taken long.
      await assertNoOtherConnections(client);
      const mark = { installationId, backupId: manifest.id };
      await target.blobs.claim(restoreMark(mark));
      await markDatabase(client, mark);
      await migrateInTurn(target.url, migrationsOf(manifest));
      await restoreFiles(target.blobs, place, { ...manifest, files: { ...manifest.files, missing } }, onProgress);
      await loadTables(client, place, { manifest, missing, installationId, onProgress });
    }
    await migrateInTurn(target.url);
    // Records the identity of this database, so that it counts as a separate installation instead of a copy. This comes
    // after the migrations, because the tables of earlier versions lack the column.
    await client.query('update installation set database_identity = database_identity()');
    await auditRestore(target.url, { manifest, installationId });
    const anchors = await setAnchorsAside(target.dataDir);
    await target.blobs.claim(installationId);
    await markDatabase(client, undefined);
    return { manifest, damaged: damaged.length, anchors };
  } finally {
    await client.end();
  }
};

/**
 * Returns the files to leave out. Throws a ConfigError when other parts are damaged, or when files must not be left
 * out.
 */
const damagedIn = async (
  place: BackupLocation,
  manifest: Manifest,
  { onProgress, report, isWithoutDamaged }: Options,
) => {
  const { needed, files } = await checkBackup(place, manifest, onProgress, report);
  if (needed === 0 && (isWithoutDamaged || files.length === 0)) return files;
  const count = needed + files.length;
  const faults =
    count === 1
      ? `The backup in ${place.folder} is damaged: 1 file, named above. Nothing was changed.`
      : `The backup in ${place.folder} is damaged: ${count} files, named above. Nothing was changed.`;
  throw new ConfigError(needed > 0 ? faults : `${faults} Use --without-damaged to restore all other files.`);
};

/**
 * Throws a ConfigError if the backup contains migrations that this version does not know, or knows with other content.
 */
const assertKnown = async ({ migrations, version }: Manifest) => {
  const known = new Map((await readMigrations()).map(({ name, sha256 }) => [name, sha256]));
  const later = migrations.find(({ name }) => !known.has(name));
  if (later) {
    throw new ConfigError(
      `The backup was made by a newer version of Radwork (${version}, with ${later.name}). Restore it with that version.`,
    );
  }
  const other = migrations.find(({ name, sha256 }) => known.get(name) !== sha256);
  if (other) throw new ConfigError(`The backup was made by a version of Radwork with a different ${other.name}.`);
};

const migrationsOf = ({ migrations }: Manifest): ReadonlySet<string> => new Set(migrations.map(({ name }) => name));

/**
 * Throws a ConfigError and changes nothing when the tables of the backup differ from the tables that the migrations of
 * the backup create here.
 */
const assertFits = async (url: string, folder: string, manifest: Manifest) => {
  const migrated = await tryMigrations(url, migrationsOf(manifest), shapeOf);
  const faults = [
    ...namesMissingIn(manifest, migrated).map((what) => `${what} is only in the backup`),
    ...namesMissingIn(migrated, manifest).map((what) => `${what} is only in the database`),
  ];
  if (faults.length === 0) return;
  throw new ConfigError(
    `The tables of the backup in ${folder} differ from those that its migrations create: ${faults.join(', ')}.
Name another backup or an empty database. Nothing was changed.`,
  );
};

/**
 * Returns the installation that the database becomes. `isLoaded`: an interrupted restore has already loaded the tables.
 * Throws a ConfigError unless both targets are empty, or contain what an interrupted restore of this backup left there.
 */
const destinationOf = async (client: pg.Client, blobs: BlobStore, manifest: Manifest) => {
  const owner = await blobs.owner();
  const existingMark = readRestoreMark(owner) ?? (await almostDone(client, owner));
  if (existingMark && existingMark.backupId !== manifest.id) {
    throw new ConfigError('The restore of another backup into this storage was interrupted. Name an empty storage.');
  }
  const present = await installationIn(client);
  if (existingMark && present?.id === existingMark.installationId)
    return { installationId: existingMark.installationId, isLoaded: true };
  await refuseUnlessEmpty(client, manifest);
  const isOwn = owner === undefined || owner === present?.id;
  if (!existingMark && (!isOwn || (await hasFiles(blobs)))) {
    throw new ConfigError('The storage is not empty. Name an empty storage.');
  }
  return { installationId: existingMark?.installationId ?? randomUUID(), isLoaded: false };
};

/**
 * Returns the mark of a restore that gave the store its owner, but stopped before it removed the mark of the database.
 */
const almostDone = async (client: pg.Client, owner: string | undefined): Promise<RestoreMark | undefined> => {
  const mark = await markOfDatabase(client);
  return mark?.installationId === owner ? mark : undefined;
};

const hasFiles = async (blobs: BlobStore): Promise<boolean> => {
  for await (const _ of blobs.list()) return true;
  return false;
};

const listedTogether = 1000;
const atOnce = 4;

const restoreFiles = async (
  blobs: BlobStore,
  place: BackupLocation,
  manifest: Manifest,
  onProgress: Options['onProgress'],
) => {
  const isMissing = missingIn(manifest);
  let restored = 0;
  for await (const group of listedFiles(place, manifest.files.sha256, listedTogether)) {
    await inParallel(group, atOnce, async (listedFile) => {
      if (!isMissing(listedFile)) await restoreFile(blobs, place, listedFile);
      restored += 1;
      onProgress(`restoring files: ${restored} of ${manifest.files.count}`);
    });
  }
};

/** Computes the hash again while copying: the store gets the original bytes or nothing. */
const restoreFile = async (blobs: BlobStore, place: BackupLocation, listedFile: ListedFile) => {
  const { tenantId, sha256, size } = listedFile;
  // An interrupted restore left this file. A file with its final name is complete.
  if ((await blobs.stat(tenantId, sha256))?.size === size) return;
  const incoming = await blobs.receive(readStored(place, listedFile), size, tenantId);
  try {
    if ((await incoming.sha256) !== sha256) throw new Error(`File ${sha256} of the backup has changed since the check`);
    await incoming.sync();
    await blobs.keep(tenantId, [incoming]);
  } finally {
    // Deletes the buffered file. For an object store, the file is buffered on this disk, which may be smaller than the
    // archive.
    await incoming.discard();
  }
};
