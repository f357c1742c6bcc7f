import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ignoreMissing } from '#core/blobs/files.ts';
import type { StorageKeys } from '#core/blobs/storage-keys.ts';
import { ConfigError } from '#core/config.ts';

/*
 * The one file that makes a folder a backup. It is put into place last, when all that it names is on the disk, so a
 * backup that broke off has none, or still that of the backup before it.
 */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Names become parts of paths and of statements. */
const identifier = z.string().regex(/^[a-z_][a-z0-9_]*$/);

/** A version that knows no keys is to leave alone what is encrypted. */
const formats = { plain: 1, encrypted: 2 } as const;

const manifestSchema = z.strictObject({
  /** Names the folder of its tables, too. */
  id: z.uuid(),
  /** When the database was as the backup has it. */
  createdAt: z.iso.datetime(),
  /** Of Radwork, and of PostgreSQL, that wrote it: for whoever reads this file. */
  version: z.string(),
  postgres: z.string(),
  installation: z.uuid(),
  /** As the database remembers it; null when it was never told a secret. */
  secretFingerprint: z.string().nullable(),
  migrations: z.array(z.strictObject({ name: z.string(), sha256 })),
  /** Of the BACKUP_KEY that encrypts it; absent where none does. */
  keyId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  /** `sha256` is of the compressed text; `columns` are in its order. */
  tables: z.array(
    z.strictObject({ name: identifier, columns: z.array(identifier), rows: z.number().int().min(0), sha256 }),
  ),
  sequences: z.array(z.strictObject({ name: identifier, lastValue: z.number().int(), isCalled: z.boolean() })),
  /** The images and other files, as the list beside the tables names them; `sha256` is of that list, compressed. */
  files: z.strictObject({
    count: z.number().int().min(0),
    bytes: z.number().int().min(0),
    sha256,
    /** Those of the list that could not be had, because the store has lost or damaged them. */
    missing: z.array(z.strictObject({ tenantId: z.number().int(), sha256 })),
  }),
});

export type Manifest = z.infer<typeof manifestSchema>;

export const manifestName = 'manifest.json';

const formatOf = ({ keyId }: Manifest): number => (keyId === undefined ? formats.plain : formats.encrypted);

const digest = (manifest: unknown): string => createHash('sha256').update(JSON.stringify(manifest)).digest('hex');

/** By whoever has the key; undefined where there is none, or it is not known. */
const signatureOf = ({ keyId }: Manifest, sha256: string, keys: StorageKeys | undefined): string | undefined =>
  keyId === undefined ? undefined : keys?.find(keyId)?.derive('backup manifest', sha256).toString('hex');

/**
 * The text of the file: what the backup is, and a hash of that, since a flipped bit in a count is as bad as elsewhere; one
 * that is encrypted is signed as well.
 */
export const writtenManifest = (manifest: Manifest, keys?: StorageKeys): string => {
  const format = formatOf(manifest);
  const sha256 = digest(manifest);
  const signature = signatureOf(manifest, sha256, keys);
  return `${JSON.stringify({ format, sha256, ...(signature && { signature }), manifest }, undefined, 1)}\n`;
};

/**
 * The manifest of a backup; undefined where there is none. Throws a ConfigError when the file has changed since it was
 * written, or is one that a later version has written. That nobody else has written it is known with its key alone.
 */
export const findManifest = async (folder: string, keys?: StorageKeys): Promise<Manifest | undefined> => {
  const path = join(folder, manifestName);
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  if (text === undefined) return undefined;
  const stored = parsed(text);
  if (typeof stored.format === 'number' && stored.format > formats.encrypted) {
    throw new ConfigError(`The backup in ${folder} was made by a newer version of Radwork. Restore it with that one.`);
  }
  const manifest = validIn(stored, keys);
  if (!manifest) throw new ConfigError(`${path} is damaged: its contents have changed since the backup was made`);
  return manifest;
};

/** Whether a file is a manifest that a restore would take. */
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
 * As `findManifest`. Throws a ConfigError where there is none, where it takes a key that is not there, and where it takes
 * none though there is one: whoever can write to the folder could have put it there.
 */
export const readManifest = async (folder: string, keys?: StorageKeys): Promise<Manifest> => {
  const manifest = await findManifest(folder, keys);
  if (!manifest) {
    throw new ConfigError(
      `There is no backup in ${folder}: it has no ${manifestName}, which is written last, when everything else is there`,
    );
  }
  if (manifest.keyId === undefined && keys?.current) {
    throw new ConfigError(`The backup in ${folder} is not encrypted, though there is a BACKUP_KEY: somebody else may have put it there. If you know
that it is yours, restore it without BACKUP_KEY. Nothing was touched.`);
  }
  if (manifest.keyId === undefined || keys?.find(manifest.keyId)) return manifest;
  throw new ConfigError(`The backup in ${folder} is encrypted with the BACKUP_KEY whose id is ${manifest.keyId}, which the settings do not name. Set it,
or name it in BACKUP_KEY_PREVIOUS. Without it nobody can restore this backup. Nothing was touched.`);
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
