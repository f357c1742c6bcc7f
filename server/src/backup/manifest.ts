import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ignoreMissing } from '#core/blobs/files.ts';
import { ConfigError } from '#core/config.ts';

/*
 * The one file that makes a folder a backup. It is put into place last, when all that it names is on the disk, so a
 * backup that broke off has none, or still that of the backup before it.
 */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Names become parts of paths and of statements. */
const identifier = z.string().regex(/^[a-z_][a-z0-9_]*$/);

const format = 1;

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
  /** `sha256` is of the compressed file; `columns` are in its order. */
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

const digest = (manifest: unknown): string => createHash('sha256').update(JSON.stringify(manifest)).digest('hex');

/** The text of the file: what the backup is, and a hash of that, since a flipped bit in a count is as bad as elsewhere. */
export const writtenManifest = (manifest: Manifest): string =>
  `${JSON.stringify({ format, sha256: digest(manifest), manifest }, undefined, 1)}\n`;

/**
 * The manifest of a backup; undefined where there is none. Throws a ConfigError when the file has changed since it was
 * written, or is one that a later version has written.
 */
export const findManifest = async (folder: string): Promise<Manifest | undefined> => {
  const path = join(folder, manifestName);
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  if (text === undefined) return undefined;
  const stored = parsed(text);
  if (typeof stored.format === 'number' && stored.format > format) {
    throw new ConfigError(`The backup in ${folder} was made by a newer version of Radwork. Restore it with that one.`);
  }
  const manifest = validIn(stored);
  if (!manifest) throw new ConfigError(`${path} is damaged: its contents have changed since the backup was made`);
  return manifest;
};

/** Whether a file is a manifest that a restore would take. */
export const isManifest = async (path: string): Promise<boolean> =>
  validIn(parsed(await readFile(path, 'utf8'))) !== undefined;

const validIn = (stored: Stored): Manifest | undefined => {
  const manifest = manifestSchema.safeParse(stored.manifest);
  return manifest.success && stored.sha256 === digest(stored.manifest) ? manifest.data : undefined;
};

/** As `findManifest`. Throws a ConfigError where there is none. */
export const readManifest = async (folder: string): Promise<Manifest> => {
  const manifest = await findManifest(folder);
  if (manifest) return manifest;
  throw new ConfigError(
    `There is no backup in ${folder}: it has no ${manifestName}, which is written last, when everything else is there`,
  );
};

type Stored = { format?: unknown; sha256?: unknown; manifest?: unknown };

const parsed = (text: string): Stored => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value ? value : {};
  } catch {
    return {};
  }
};
