import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type pg from 'pg';
import { setAnchorsAside } from '#core/audit-chain.ts';
import type { BlobStore } from '#core/blob-store.ts';
import { inParallel } from '#core/blobs/in-parallel.ts';
import type { StorageKeys } from '#core/blobs/storage-keys.ts';
import { ConfigError } from '#core/config.ts';
import { migrateInTurn, readMigrations, tryMigrations } from '#core/migrate.ts';
import { markDatabase, markOfDatabase, readRestoreMark, type RestoreMark, restoreMark } from '#core/restore-mark.ts';
import { type Listed, listedFiles, type Place, placeOf, readStored } from './backup-folder.ts';
import { checkBackup, missingIn } from './check-backup.ts';
import { connect } from './database-facts.ts';
import { loadTables } from './load-tables.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { noteRestore } from './note-restore.ts';
import { beyond, shapeOf } from './own-tables.ts';
import { assertAlone, holdMigrations, installationIn, refuseUnlessEmpty } from './restore-target.ts';

/** `keys` are those of backups. */
type Target = { url: string; blobs: BlobStore; dataDir: string; keys?: StorageKeys | undefined };

type Options = {
  /** Hears how far it is, often. */
  tell: (words: string) => void;
  /** Hears what is wrong with the backup. */
  report: (words: string) => void;
  /** Images and the like that are damaged are left out. Without it, a backup with any of them is refused. */
  isWithoutDamaged?: boolean;
};

/** `damaged` is how many files were left out for that; `anchors` where the heads of former chains are now. */
export type Restored = { manifest: Manifest; damaged: number; anchors: string | undefined };

/**
 * Fills an empty database and an empty store from a backup, and brings the database to this version. The whole backup is
 * read and compared with its hashes before anything is touched. Files that the backup has not are marked as missing, as the
 * upkeep does: readers are told so, and an upload of the same brings them back. Should it break off, store and database say that
 * they are being restored: no server starts on either, and the same restore may be run again. Throws a ConfigError for what whoever runs it
 * can do something about.
 */
export const restore = async (target: Target, from: string, options: Options): Promise<Restored> => {
  const { tell } = options;
  const folder = resolve(from);
  const manifest = await readManifest(folder, target.keys);
  const place = placeOf(folder, manifest, target.keys);
  let damaged: Manifest['files']['missing'] = [];
  await assertKnown(manifest);
  // Open until the end: by this connection another restore sees that somebody works with the database.
  const client = await connect(target.url);
  try {
    await assertAlone(client);
    await holdMigrations(client);
    const { installationId, isLoaded } = await destinationOf(client, target.blobs, manifest);
    if (!isLoaded) await assertFits(target.url, folder, manifest);
    // What was left out by a restore that broke off near its end is said again.
    if (!isLoaded || options.isWithoutDamaged) damaged = await damagedIn(place, manifest, options);
    if (!isLoaded) {
      const missing = [...manifest.files.missing, ...damaged];
      // The backup may have taken long to read.
      await assertAlone(client);
      const mark = { installationId, backupId: manifest.id };
      await target.blobs.claim(restoreMark(mark));
      await markDatabase(client, mark);
      await migrateInTurn(target.url, migrationsOf(manifest));
      await restoreFiles(target.blobs, place, { ...manifest, files: { ...manifest.files, missing } }, tell);
      await loadTables(client, place, { manifest, missing, installationId, tell });
    }
    await migrateInTurn(target.url);
    // An installation of its own, and no copy of the one that was backed up. Tables of earlier versions do not say which they are.
    await client.query('update installation set database_identity = database_identity()');
    await noteRestore(target.url, { manifest, installationId });
    const anchors = await setAnchorsAside(target.dataDir);
    await target.blobs.claim(installationId);
    await markDatabase(client, undefined);
    return { manifest, damaged: damaged.length, anchors };
  } finally {
    await client.end();
  }
};

/** The files that are to be left out. Throws a ConfigError when anything else is damaged, or they are not to be. */
const damagedIn = async (place: Place, manifest: Manifest, { tell, report, isWithoutDamaged }: Options) => {
  const { needed, files } = await checkBackup(place, manifest, tell, report);
  if (needed === 0 && (isWithoutDamaged || files.length === 0)) return files;
  const count = needed + files.length;
  const way = needed === 0 ? ' With --without-damaged, all but these are restored.' : '';
  throw new ConfigError(
    `The backup in ${place.folder} is damaged: ${count} of its files, named above. Nothing was touched.${way}`,
  );
};

/** A version knows how to go on from its own migrations and from those before, and from no others. */
const assertKnown = async ({ migrations, version }: Manifest) => {
  const known = new Map((await readMigrations()).map(({ name, sha256 }) => [name, sha256]));
  const later = migrations.find(({ name }) => !known.has(name));
  if (later) {
    throw new ConfigError(
      `The backup was made by a newer version of Radwork (${version}, with ${later.name}). Restore it with that one.`,
    );
  }
  const other = migrations.find(({ name, sha256 }) => known.get(name) !== sha256);
  if (other) throw new ConfigError(`The backup was made by a version of Radwork in which ${other.name} was another.`);
};

const migrationsOf = ({ migrations }: Manifest): ReadonlySet<string> => new Set(migrations.map(({ name }) => name));

/** Throws a ConfigError, and leaves nothing, when the tables of the backup are not those that its migrations make here. */
const assertFits = async (url: string, folder: string, manifest: Manifest) => {
  const made = await tryMigrations(url, migrationsOf(manifest), shapeOf);
  const faults = [
    ...beyond(manifest, made).map((what) => `${what} is only in the backup`),
    ...beyond(made, manifest).map((what) => `${what} is only in the database`),
  ];
  if (faults.length === 0) return;
  throw new ConfigError(
    `The backup in ${folder} has other tables than its migrations make in this database: ${faults.join(', ')}.
Somebody has changed the tables of the one or of the other. Name another backup, or a database in which there is nothing yet.
Nothing was touched.`,
  );
};

/**
 * Which installation the database is going to be, and whether it is already, from a restore that broke off near its end.
 * Throws a ConfigError unless both are empty, or as a restore of this very backup has left them.
 */
const destinationOf = async (client: pg.Client, blobs: BlobStore, manifest: Manifest) => {
  const owner = await blobs.owner();
  const begun = readRestoreMark(owner) ?? (await almostDone(client, owner));
  if (begun && begun.backupId !== manifest.id) {
    throw new ConfigError(
      'The restore of another backup into this storage has broken off. Name a storage that is empty.',
    );
  }
  const present = await installationIn(client);
  if (begun && present?.id === begun.installationId) return { installationId: begun.installationId, isLoaded: true };
  await refuseUnlessEmpty(client, manifest);
  const isOwn = owner === undefined || owner === present?.id;
  if (!begun && (!isOwn || (await hasFiles(blobs)))) {
    throw new ConfigError('The storage is not empty. A backup is restored into an empty one, so that nothing is lost.');
  }
  return { installationId: begun?.installationId ?? randomUUID(), isLoaded: false };
};

/** The mark of a restore that has claimed its store and broke off before it said so in the database. */
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

const restoreFiles = async (blobs: BlobStore, place: Place, manifest: Manifest, tell: Options['tell']) => {
  const isMissing = missingIn(manifest);
  let restored = 0;
  for await (const group of listedFiles(place, manifest.files.sha256, listedTogether)) {
    await inParallel(group, atOnce, async (listed) => {
      if (!isMissing(listed)) await restoreFile(blobs, place, listed);
      restored += 1;
      tell(`restoring files: ${restored} of ${manifest.files.count}`);
    });
  }
};

/** The bytes are hashed once more on their way: what is stored is what was uploaded, or nothing. */
const restoreFile = async (blobs: BlobStore, place: Place, listed: Listed) => {
  const { tenantId, sha256, size } = listed;
  // From a restore that broke off: whatever has its name is whole.
  if ((await blobs.stat(tenantId, sha256))?.size === size) return;
  const incoming = await blobs.receive(readStored(place, listed), size, tenantId);
  try {
    if ((await incoming.sha256) !== sha256)
      throw new Error(`File ${sha256} of the backup has changed since it was checked`);
    await incoming.sync();
    await blobs.keep(tenantId, [incoming]);
  } finally {
    // An object store has received it on this machine's disk, which need not have room for an archive.
    await incoming.discard();
  }
};
