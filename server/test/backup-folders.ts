import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { kyselyOn, openOwnerPool } from '#core/database/database.ts';
import { agreeOnSecret, agreeOnStore } from '#core/installation/installation.ts';
import { createDatabase, runSql, withDatabase } from './setup.ts';
import type { World } from './world.ts';

/** Environment settings for commands and servers. */
export type Settings = Record<string, string>;

/** The setting must name a host, even when a socket is used instead. */
const asSetting = (url: string) => url.replace('@/', '@localhost/');

/** Returns a folder that is removed after the test. */
export const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
};

/** Links database, store and secret of a world, as the first start does. Returns the settings for commands. */
export const installed = async ({ owner, context, url, dataDir }: World): Promise<Settings> => {
  await agreeOnSecret(owner, context.secretKey);
  await agreeOnStore(owner, context.blobs);
  return { DATABASE_URL: asSetting(url), DATA_DIR: dataDir };
};

/** Reads the secret of a world, which its backup does not contain. */
export const secretOf = ({ dataDir }: World): Promise<string> => readFile(join(dataDir, 'secret-key'), 'utf8');

/** Creates an empty database and an empty store. The database owner has only the rights that the README requires. */
export const emptyDatabase = async (): Promise<{ DATABASE_URL: string; DATA_DIR: string }> => {
  const { url: server } = inject('postgres');
  const name = `radwork_restored_${randomUUID().replaceAll('-', '')}`;
  await runSql(
    server,
    `create role ${name} login createrole nosuperuser password '${name}'`,
    `grant radwork_app, radwork_limited to ${name} with admin option`,
  );
  await createDatabase(server, name, `owner ${name}`);
  onTestFinished(() => runSql(server, `drop database ${name} with (force)`, `drop role ${name}`));
  const url = new URL(asSetting(withDatabase(server, name)));
  url.username = name;
  url.password = name;
  return { DATABASE_URL: url.href, DATA_DIR: await newFolder() };
};

/** Returns an empty data folder, for an embedded database. */
export const emptyDataDir = async (): Promise<Settings> => ({ DATA_DIR: await newFolder() });

/** Runs work on a database as its owner. */
export const asOwner = async <T>(url: string, work: (owner: ReturnType<typeof kyselyOn>) => Promise<T>): Promise<T> => {
  const pool = openOwnerPool(url);
  return work(kyselyOn(pool)).finally(() => pool.end());
};
