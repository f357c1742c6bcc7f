import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { kyselyOn, openOwnerPool } from '#core/database.ts';
import { agreeOnSecret, agreeOnStore } from '#core/installation.ts';
import { createDatabase, runSql, withDatabase } from './setup.ts';
import type { World } from './world.ts';

/** The settings of commands and servers, as the environment has them. */
export type Settings = Record<string, string>;

/** The setting has to name a host, even where a socket is used instead. */
const asSetting = (url: string) => url.replace('@/', '@localhost/');

/** A folder that goes with the test. */
export const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
};

/** Makes database, store and secret of a world one installation, as its first start does, and says how commands reach it. */
export const installed = async ({ owner, context, url, dataDir }: World): Promise<Settings> => {
  await agreeOnSecret(owner, context.secretKey);
  await agreeOnStore(owner, context.blobs);
  return { DATABASE_URL: asSetting(url), DATA_DIR: dataDir };
};

/** The secret of a world, which is not in its backup. */
export const secretOf = ({ dataDir }: World): Promise<string> => readFile(join(dataDir, 'secret-key'), 'utf8');

/**
 * An empty database on the server of the tests, and an empty store. The database belongs to a role that may do no more
 * than the README asks for.
 */
export const emptyDatabase = async (): Promise<{ DATABASE_URL: string; DATA_DIR: string }> => {
  const { url: server } = inject('postgres');
  const name = `radwork_restored_${randomUUID().replaceAll('-', '')}`;
  await runSql(
    server,
    `create role ${name} login createrole nosuperuser password '${name}'`,
    `grant radwork_app to ${name} with admin option`,
  );
  await createDatabase(server, name, `owner ${name}`);
  onTestFinished(() => runSql(server, `drop database ${name} with (force)`, `drop role ${name}`));
  const url = new URL(asSetting(withDatabase(server, name)));
  url.username = name;
  url.password = name;
  return { DATABASE_URL: url.href, DATA_DIR: await newFolder() };
};

/** A folder with nothing in it: the database is going to be the embedded one. */
export const emptyDataDir = async (): Promise<Settings> => ({ DATA_DIR: await newFolder() });

/** Works on a database as its owner. */
export const asOwner = async <T>(url: string, work: (owner: ReturnType<typeof kyselyOn>) => Promise<T>): Promise<T> => {
  const pool = openOwnerPool(url);
  return work(kyselyOn(pool)).finally(() => pool.end());
};
