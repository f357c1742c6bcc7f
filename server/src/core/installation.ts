import { sql } from 'kysely';
import type { BlobStore } from './blob-store.ts';
import { ConfigError } from './config.ts';
import type { Database } from './database.ts';
import type { SecretKey } from './secret-key.ts';

/*
 * A database, a store and a secret belong together. With another database the upkeep would take every file of the store
 * for unused; with another secret neither links that were sent nor stored passwords would open, on one server of several
 * perhaps. So the database remembers the secret, the store remembers the database, and a server that brings the wrong
 * ones together does not start. Reading and writing that needs the rights of the database's owner.
 */

/**
 * Makes sure that the secret is the one that the database was first started with, or follows it: with the previous one
 * there too, the database remembers the new one from now on. Throws a ConfigError.
 */
export const agreeOnSecret = async (owner: Database, current: SecretKey, previous?: SecretKey): Promise<void> => {
  const fingerprint = fingerprintOf(current);
  const known = [fingerprint, ...(previous ? [fingerprintOf(previous)] : [])];
  await makeInstallation(owner);
  const agreed = await owner
    .updateTable('installation')
    .set({ secret_fingerprint: fingerprint })
    .where((eb) => eb.or([eb('secret_fingerprint', 'is', null), eb('secret_fingerprint', 'in', known)]))
    .returning('id')
    .executeTakeFirst();
  if (agreed) return;
  throw new ConfigError(
    `Radwork cannot start: this database was first started with another SECRET_KEY (without that setting, the secret is in
DATA_DIR/secret-key). All servers of a database need the same. To change it, start once with the old one in
SECRET_KEY_PREVIOUS. If that is lost: update installation set secret_fingerprint = null. Links that were sent and stored
passwords do not open then.`,
  );
};

/** Tells one secret from another, and nothing of either. */
export const fingerprintOf = (secret: SecretKey): string => secret.hmac('installation').toString('hex');

/**
 * Throws a ConfigError while a backup is being restored. It is asked before anything is done to the database: one that was
 * brought to this version could not take the rest of an older backup.
 */
export const assertRestored = async (blobs: BlobStore): Promise<void> => {
  const owner = await blobs.owner();
  const begun = owner === undefined ? undefined : readRestoreMark(owner);
  if (begun) throw new ConfigError(unfinishedRestore(begun));
};

/** What to do where a store bears the mark of a restore. */
export const unfinishedRestore = ({ backupId }: RestoreMark): string =>
  `A backup is being restored into this storage, or that has broken off, and until it is done nothing else is done with it. Wait until it is done, or run npm run restore again with the same settings and the same backup (id ${backupId} in its manifest.json): it goes on where it stopped.`;

/** Makes sure that the store has the files of this database and of no other. Throws a ConfigError. */
export const agreeOnStore = async (owner: Database, blobs: BlobStore): Promise<void> => {
  await makeInstallation(owner);
  const { id } = await owner.selectFrom('installation').select('id').executeTakeFirstOrThrow();
  await assertRestored(blobs);
  const ownerOfStore = await blobs.owner();
  if (ownerOfStore === id) return;
  if (ownerOfStore === undefined && (await hasLostImages(owner, blobs))) throw new ConfigError(withoutImages);
  if (ownerOfStore === undefined && !(await hasStrangeFiles(owner, blobs))) return blobs.claim(id);
  throw new ConfigError(
    `Radwork cannot start: the storage has the files of another database than this one, which would take all of them for
unused. Correct DATABASE_URL or STORAGE_URL, or name a storage that is empty.`,
  );
};

/** Whether a store that nobody has claimed, as those of earlier versions, is full although the database is empty. */
const hasStrangeFiles = async (owner: Database, blobs: BlobStore): Promise<boolean> => {
  if (await owner.selectFrom('instances').select('id').limit(1).executeTakeFirst()) return false;
  for await (const _ of blobs.list()) return true;
  return false;
};

/** So many are looked for: one that is there is enough, and one may have been lost by itself. */
const looked = 20;

/**
 * Whether a store that nobody has claimed has none of the images of this database. A server that claimed the folder under
 * a disk that is not mounted would put new images where nobody finds them once it is.
 */
const hasLostImages = async (owner: Database, blobs: BlobStore): Promise<boolean> => {
  const expected = await owner
    .selectFrom('instances')
    .select(['tenant_id', 'sha256'])
    .where('missing_since', 'is', null)
    .limit(looked)
    .execute();
  for (const { tenant_id: tenantId, sha256 } of expected) {
    if (await blobs.stat(tenantId, sha256.toString('hex'))) return false;
  }
  return expected.length > 0;
};

const withoutImages = `Radwork cannot start: the storage is new, and has none of the images that this database knows. Is its disk mounted? Correct
that, or STORAGE_URL or DATA_DIR; what was stored is then there again. If the images are lost, restore a backup into an
empty database and storage. To go on without them: update instances set missing_since = now() where missing_since is null.`;

/** Makes sure that the installation has its row. */
export const makeInstallation = (owner: Database) =>
  sql`insert into installation default values on conflict do nothing`.execute(owner);

/** What stands in a store instead of its installation while a backup is restored into it. */
export const restoreMark = (installationId: string, backupId: string): string =>
  `restoring ${installationId} ${backupId}`;

type RestoreMark = { installationId: string; backupId: string };

/** What a store says that is being restored into; undefined for any other. */
export const readRestoreMark = (owner: string): RestoreMark | undefined => {
  const [, installationId, backupId] = /^restoring (\S+) (\S+)$/.exec(owner) ?? [];
  return installationId && backupId ? { installationId, backupId } : undefined;
};
