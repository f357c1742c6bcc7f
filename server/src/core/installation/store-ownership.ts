import { sql } from 'kysely';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import type { Database } from '#core/database/database.ts';

/** The parts of a store that reveal its owner. */
export type StoreFacts = Pick<BlobStore, 'owner' | 'stat' | 'list'>;

/** Returns the id of the installation; undefined when no server has started on this database. */
export const installationIn = async (owner: Database): Promise<string | undefined> => {
  const { rows } = await sql<{ is: boolean }>`select to_regclass('installation') is not null as is`.execute(owner);
  if (!rows[0]?.is) return undefined;
  return (await owner.selectFrom('installation').select('id').executeTakeFirst())?.id;
};

/**
 * Returns the reason why a database may not use a store, as the end of a sentence. Undefined when the database may use
 * the store. `owner` is 'new' for a database that does not exist yet. Changes nothing.
 */
export const reasonAgainstStore = async (owner: Database | 'new', blobs: StoreFacts): Promise<string | undefined> => {
  const id = owner === 'new' ? undefined : await installationIn(owner);
  const ownerOfStore = await blobs.owner();
  if (ownerOfStore !== undefined) return ownerOfStore === id ? undefined : ofAnother;
  const isStarted = owner !== 'new' && id !== undefined;
  const [hasImages, known] = isStarted ? [await knowsImages(owner), await someImages(owner)] : [false, []];
  if (known.length > 0) return (await hasOneOf(known, blobs)) ? undefined : withoutImages;
  // A store of an earlier version may contain files and no owner.
  return !hasImages && (await hasFiles(blobs)) ? ofAnother : undefined;
};

const ofAnother = `the storage contains files of another database, and this database would treat them as unused.
Correct DATABASE_URL or STORAGE_URL, or name an empty storage.`;

const withoutImages = `the storage contains none of the images of this database. Check that its disk is mounted, and correct
STORAGE_URL or DATA_DIR. If the images are lost, restore a backup into an empty database and storage. To continue without
them, run: update instances set missing_since = now() where missing_since is null.`;

const knowsImages = async (owner: Database): Promise<boolean> =>
  (await owner.selectFrom('instances').select('id').limit(1).executeTakeFirst()) !== undefined;

type Image = { tenantId: number; sha256: string };

/** Number of images to look for. Finding one is enough, because single images may be lost. */
const looked = 20;

const someImages = async (owner: Database): Promise<Image[]> => {
  const rows = await owner
    .selectFrom('instances')
    .select(['tenant_id', 'sha256'])
    .where('missing_since', 'is', null)
    .limit(looked)
    .execute();
  return rows.map(({ tenant_id: tenantId, sha256 }) => ({ tenantId, sha256: sha256.toString('hex') }));
};

/**
 * Whether the store contains one of these images. If the disk is not mounted, the folder at its place looks empty.
 * Images stored there would be hidden once the disk is mounted.
 */
const hasOneOf = async (images: readonly Image[], blobs: StoreFacts): Promise<boolean> => {
  for (const { tenantId, sha256 } of images) if (await blobs.stat(tenantId, sha256)) return true;
  return false;
};

const hasFiles = async (blobs: StoreFacts): Promise<boolean> => {
  for await (const _ of blobs.list()) return true;
  return false;
};
