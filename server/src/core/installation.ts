import { sql } from 'kysely';
import type { BlobStore } from './blob-store.ts';
import { ConfigError } from './config.ts';
import type { Database } from './database.ts';
import { assertDatabaseRestored, assertStoreRestored } from './restore-mark.ts';
import type { SecretKey } from './secret-key.ts';
import { installationIn, reasonAgainstStore } from './strange-store.ts';

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
  if (!agreed) throw new ConfigError(anotherSecret);
};

const anotherSecret = `Radwork cannot start: this database was first started with another SECRET_KEY (without that setting, the secret is in
DATA_DIR/secret-key). All servers of a database need the same. To change it, start once with the old one in
SECRET_KEY_PREVIOUS. If that is lost: update installation set secret_fingerprint = null. Links that were sent and stored
passwords do not open then.`;

/** Tells one secret from another, and nothing of either. */
export const fingerprintOf = (secret: SecretKey): string => secret.hmac('installation').toString('hex');

/** Makes sure that the store has the files of this database and of no other. Throws a ConfigError. */
export const agreeOnStore = async (owner: Database, blobs: BlobStore): Promise<void> => {
  await makeInstallation(owner);
  await assertDatabaseRestored(owner);
  await assertStoreRestored(blobs);
  await assertOwnStore(owner, blobs);
  const { id } = await owner.selectFrom('installation').select('id').executeTakeFirstOrThrow();
  if ((await blobs.owner()) === undefined) await blobs.claim(id);
  await rememberDatabase(owner);
};

/** By which a copy of it is told from it (`isCopied`). */
const rememberDatabase = (owner: Database) =>
  sql`update installation set database_identity = database_identity() where database_identity is null`.execute(owner);

const assertOwnStore = async (owner: Database, blobs: BlobStore) => {
  const reason = await reasonAgainstStore(owner, blobs);
  if (reason !== undefined) throw new ConfigError(`Radwork cannot start: ${reason}`);
};

type Brought = {
  blobs: BlobStore;
  /** Undefined where one would be made up. A start that is refused would leave it behind, to be the wrong one at the next. */
  secretKey: SecretKey | undefined;
  previousKey: SecretKey | undefined;
};

/**
 * Throws a ConfigError where a database, in which there may be nothing yet, is not to be used with a store and a secret.
 * Asked before anything is done: the database of somebody else would be brought to this version, by which no older server
 * starts on it again.
 */
export const assertBelonging = async (owner: Database, { blobs, secretKey, previousKey }: Brought): Promise<void> => {
  await assertDatabaseRestored(owner);
  if ((await installationIn(owner)) === undefined) return;
  const { secret_fingerprint: fingerprint } = await owner
    .selectFrom('installation')
    .select('secret_fingerprint')
    .executeTakeFirstOrThrow();
  const known = [secretKey, previousKey].flatMap((key) => (key ? fingerprintOf(key) : []));
  if (fingerprint !== null && !known.includes(fingerprint)) throw new ConfigError(anotherSecret);
  await assertOwnStore(owner, blobs);
};

/** Makes sure that the installation has its row. */
export const makeInstallation = (owner: Database) =>
  sql`insert into installation default values on conflict do nothing`.execute(owner);
