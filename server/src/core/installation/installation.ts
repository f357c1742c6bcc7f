import { sql } from 'kysely';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import { ConfigError } from '#core/config/config-error.ts';
import type { Database } from '#core/database/database.ts';
import { assertDatabaseRestored, assertStoreRestored } from './restore-mark.ts';
import type { SecretKey } from './secret-key.ts';
import { installationIn, reasonAgainstStore } from './store-ownership.ts';

/*
 * A database, a store and a secret key belong together. With the wrong database, the cleanup would delete all files of
 * the store as unused. With the wrong secret, sent links and stored passwords would fail, possibly on only one of
 * several servers. Therefore the database records the secret, and the store records the database. A server with a wrong
 * combination does not start. Only the database owner may read and write these records.
 */

/**
 * Checks that the database records this secret. If the database records the previous secret, the record is changed to
 * this secret. Throws ConfigError.
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

const anotherSecret = `Radwork cannot start: this database belongs to another SECRET_KEY (without that setting, the secret is in
DATA_DIR/secret-key). All servers of a database need the same key. To change it, start once with the earlier key in
SECRET_KEY_PREVIOUS. If that key is lost, run: update installation set secret_fingerprint = null. Sent links and stored
passwords then no longer work.`;

/** Identifies a secret without revealing it. */
export const fingerprintOf = (secret: SecretKey): string => secret.hmac('installation').toString('hex');

/** Checks that the store belongs to this database. Throws ConfigError. */
export const agreeOnStore = async (owner: Database, blobs: BlobStore): Promise<void> => {
  await makeInstallation(owner);
  await assertDatabaseRestored(owner);
  await assertStoreRestored(blobs);
  await assertOwnStore(owner, blobs);
  const { id } = await owner.selectFrom('installation').select('id').executeTakeFirstOrThrow();
  if ((await blobs.owner()) === undefined) await blobs.claim(id);
  await rememberDatabase(owner);
};

/** Records the identity of the database, used to detect a copy (`isCopied`). */
const rememberDatabase = (owner: Database) =>
  sql`update installation set database_identity = database_identity() where database_identity is null`.execute(owner);

const assertOwnStore = async (owner: Database, blobs: BlobStore) => {
  const reason = await reasonAgainstStore(owner, blobs);
  if (reason !== undefined) throw new ConfigError(`Radwork cannot start: ${reason}`);
};

type StoreAndKeys = {
  blobs: BlobStore;
  /**
   * Undefined if there is no secret yet. A generated secret would stay on disk even if the start were then refused, and
   * the next start would use it.
   */
  secretKey: SecretKey | undefined;
  previousKey: SecretKey | undefined;
};

/**
 * Throws ConfigError when a database, even an empty one, does not belong to the store and the secret. Runs before any
 * change: if a wrong database were migrated, its older servers could not start.
 */
export const assertBelonging = async (
  owner: Database,
  { blobs, secretKey, previousKey }: StoreAndKeys,
): Promise<void> => {
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

/** Creates the row of the installation if it is missing. */
export const makeInstallation = (owner: Database) =>
  sql`insert into installation default values on conflict do nothing`.execute(owner);
