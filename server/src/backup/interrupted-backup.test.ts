import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import { openLocalBlobStore } from '#core/blobs/disk/local-blob-store.ts';
import { migrationsTurn } from '#core/database/migrate.ts';
import { readRestoreMark } from '#core/installation/restore-mark.ts';
import { asOwner, emptyDatabase, newFolder } from '#test/backup-folders.ts';
import { readDump, writeBackup } from '#test/earlier-versions.ts';
import { runCommand } from '#test/run-command.ts';
import { startServer } from '#test/server-process.ts';
import { restore } from './restore.ts';

// Only a restore of the same backup can continue an interrupted restore.

const dump = await readDump('0030');

const olderBackup = async () => {
  const folder = await newFolder();
  await writeBackup(dump, folder);
  return folder;
};

type Target = Awaited<ReturnType<typeof emptyDatabase>>;

/**
 * Restores a backup and calls hooks: `keep` after each stored file, `claim` before the restore mark is removed from the
 * store, and `claimed` after that.
 */
const restoreWith = async (
  { DATABASE_URL: url, DATA_DIR }: Target,
  { keep, claim, claimed }: Partial<Record<'keep' | 'claim' | 'claimed', () => Promise<void>>>,
) => {
  const store = await openLocalBlobStore(join(DATA_DIR, 'archive'));
  const blobs: BlobStore = {
    ...store,
    keep: async (...files) => {
      await store.keep(...files);
      await keep?.();
    },
    claim: async (owner) => {
      if (!readRestoreMark(owner)) await claim?.();
      await store.claim(owner);
      if (!readRestoreMark(owner)) await claimed?.();
    },
  };
  const quiet = { onProgress: () => {}, report: () => {} };
  return restore({ url, blobs, dataDir: DATA_DIR }, await olderBackup(), quiet).finally(store.close);
};

const migrationsOf = ({ DATABASE_URL }: Target) =>
  asOwner(DATABASE_URL, async (owner) => {
    const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(owner);
    return rows.map(({ name }) => name);
  });

test('a server refuses a database whose restore was interrupted, and the restore can continue', async () => {
  const target = await emptyDatabase();
  const interrupted = restoreWith(target, { keep: () => Promise.reject(new Error('the power is out')) });
  await expect(interrupted).rejects.toThrow('the power is out');

  const { code, complaint } = await startServer(target).ended;
  const after = await migrationsOf(target);
  const again = await runCommand('restore', target, await olderBackup());

  expect({ code, complaint }).toEqual({ code: 1, complaint: expect.stringContaining(`backup (id ${dump.id} in`) });
  expect(after).toEqual(dump.migrations.map(({ name }) => name));
  expect(again.code).toBe(0);
  expect((await runCommand('verify', target)).code).toBe(0);
});

test('a server with another store also refuses a database until its interrupted restore is complete', async () => {
  const target = await emptyDatabase();
  const elsewhere = async () => ({
    DATABASE_URL: target.DATABASE_URL,
    DATA_DIR: await newFolder(),
    SECRET_KEY: 'a-secret-of-at-least-32-characters',
  });
  const refusal = { code: 1, complaint: expect.stringContaining(`restore into this database`) };
  const isDown = () => Promise.reject(new Error('the power is out'));

  const ends = [];
  for (const at of ['keep', 'claim', 'claimed']) {
    await expect(restoreWith(target, { [at]: isDown })).rejects.toThrow('the power is out');
    ends.push(await startServer(await elsewhere()).ended);
  }
  const again = await runCommand('restore', target, await olderBackup());

  expect(ends).toEqual([refusal, refusal, refusal]);
  expect(again.code).toBe(0);
  expect((await runCommand('verify', target)).code).toBe(0);
});

test('no migration can run during a restore', async () => {
  const target = await emptyDatabase();
  const free: (boolean | undefined)[] = [];

  await restoreWith(target, {
    keep: () =>
      asOwner(target.DATABASE_URL, async (owner) => {
        const { rows } = await sql<{
          free: boolean;
        }>`select pg_try_advisory_lock(${sql.raw(migrationsTurn)}) as free`.execute(owner);
        free.push(rows[0]?.free);
      }),
  });

  expect(new Set(free)).toEqual(new Set([false]));
});
