import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ignoreMissing } from '#core/blobs/disk/file-system.ts';
import type { StorageKeys } from '#core/blobs/storage-keys.ts';
import { ConfigError } from '#core/config/config-error.ts';

/*
 * The file that makes a folder a backup. It is written last, when everything that it names is on disk. An interrupted
 * backup has no manifest, or has the manifest of the previous backup.
 */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Names become parts of paths and SQL statements, so only these characters are safe. */
const identifier = z.string().regex(/^[a-z_][a-z0-9_]*$/);

/** An encrypted backup has its own format number, so that versions without support for keys refuse the backup. */
const formats = { plain: 1, encrypted: 2 } as const;

const manifestSchema = z.strictObject({
  /** Id of the backup. It is also the name of the folder that contains the tables. */
  id: z.uuid(),
  /** Time of the snapshot of the database. */
  createdAt: z.iso.datetime(),
  /** Versions of Radwork and PostgreSQL that wrote the backup. They are stored only to inform the operator. */
  version: z.string(),
  postgres: z.string(),
  installation: z.uuid(),
  /** The fingerprint of the secret in the database. Null when the database never had one. */
  secretFingerprint: z.string().nullable(),
  migrations: z.array(z.strictObject({ name: z.string(), sha256 })),
  /** Id of the BACKUP_KEY that encrypts the backup. Missing in an unencrypted backup. */
  keyId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  /** `sha256` is the hash of the compressed text. `columns` gives the order of its columns. */
  tables: z.array(
    z.strictObject({ name: identifier, columns: z.array(identifier), rows: z.number().int().min(0), sha256 }),
  ),
  sequences: z.array(z.strictObject({ name: identifier, lastValue: z.number().int(), isCalled: z.boolean() })),
  /** Images and other files, as listed in the folder of the tables. `sha256` is the hash of that list, compressed. */
  files: z.strictObject({
    count: z.number().int().min(0),
    bytes: z.number().int().min(0),
    sha256,
    /** Listed files that are not in the backup, because they are lost or damaged in the store. */
    missing: z.array(z.strictObject({ tenantId: z.number().int(), sha256 })),
  }),
});

export type Manifest = z.infer<typeof manifestSchema>;

export const manifestName = 'manifest.json';

const formatOf = ({ keyId }: Manifest): number => (keyId === undefined ? formats.plain : formats.encrypted);

const digest = (manifest: unknown): string => createHash('sha256').update(JSON.stringify(manifest)).digest('hex');

/** Signs with the key of the backup. Undefined when the backup has no key, or the key is unknown. */
const signatureOf = ({ keyId }: Manifest, sha256: string, keys: StorageKeys | undefined): string | undefined =>
  keyId === undefined ? undefined : keys?.find(keyId)?.derive('backup manifest', sha256).toString('hex');

/**
 * Returns the text of the manifest with a hash, because a flipped bit in a count is as harmful as one in a file. The
 * manifest of an encrypted backup is also signed.
 */
export const writtenManifest = (manifest: Manifest, keys?: StorageKeys): string => {
  const format = formatOf(manifest);
  const sha256 = digest(manifest);
  const signature = signatureOf(manifest, sha256, keys);
  return `${JSON.stringify({ format, sha256, ...(signature && { signature }), manifest }, undefined, 1)}\n`;
};

/**
 * Reads the manifest of a folder. Undefined when there is none. Throws a ConfigError when the file is damaged or was
 * written by a later version. Only a signature proves who wrote the manifest.
 */
export const findManifest = async (folder: string, keys?: StorageKeys): Promise<Manifest | undefined> => {
  const path = join(folder, manifestName);
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  if (text === undefined) return undefined;
  const stored = parsed(text);
  if (typeof stored.format === 'number' && stored.format > formats.encrypted) {
    throw new ConfigError(
      `The backup in ${folder} was made by a newer version of Radwork. Restore it with that version.`,
    );
  }
  const manifest = validIn(stored, keys);
  if (!manifest) throw new ConfigError(`${path} is damaged: its content has changed since the backup`);
  return manifest;
};

/** Returns whether a restore would accept a file as the manifest. */
export const isManifest = async (path: string, keys?: StorageKeys): Promise<boolean> =>
  validIn(parsed(await readFile(path, 'utf8')), keys) !== undefined;

const validIn = (stored: Stored, keys: StorageKeys | undefined): Manifest | undefined => {
  const { success, data: manifest } = manifestSchema.safeParse(stored.manifest);
  if (!success || stored.format !== formatOf(manifest)) return undefined;
  const sha256 = digest(stored.manifest);
  if (stored.sha256 !== sha256) return undefined;
  const signature = signatureOf(manifest, sha256, keys);
  return signature === undefined || signature === stored.signature ? manifest : undefined;
};

/**
 * Reads like `findManifest`. Throws a ConfigError when there is no manifest, or the key of the manifest is unknown.
 * Also throws when the manifest has no key although BACKUP_KEY is set: anyone with write access could have written such
 * a manifest.
 */
export const readManifest = async (folder: string, keys?: StorageKeys): Promise<Manifest> => {
  const manifest = await findManifest(folder, keys);
  if (!manifest) {
    throw new ConfigError(`${folder} contains no complete backup: ${manifestName} is missing`);
  }
  if (manifest.keyId === undefined && keys?.current) {
    throw new ConfigError(`The backup in ${folder} is not encrypted, but BACKUP_KEY is set: it may come from another source. If you trust it,
remove BACKUP_KEY and run the restore again. Nothing was changed.`);
  }
  if (manifest.keyId === undefined || keys?.find(manifest.keyId)) return manifest;
  throw new ConfigError(`The backup in ${folder} is encrypted with another BACKUP_KEY (id ${manifest.keyId}). Set that key in BACKUP_KEY or
BACKUP_KEY_PREVIOUS. The backup cannot be restored without it. Nothing was changed.`);
};

type Stored = { format?: unknown; sha256?: unknown; signature?: unknown; manifest?: unknown };

const parsed = (text: string): Stored => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value ? value : {};
  } catch {
    return {};
  }
};
