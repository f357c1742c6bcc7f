import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { anchorsFile } from '#core/audit/audit-chain.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import { openLocalBlobStore } from '#core/blobs/disk/local-blob-store.ts';
import { storeAs } from '#test/archive-calls.ts';
import { asOwner, emptyDatabase, installed, newFolder } from '#test/backup-folders.ts';
import { runCommand } from '#test/run-command.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { backUp } from './back-up.ts';
import { restore } from './restore.ts';

// A restore must be in the audit log, and the audit chain must stay valid.

const quiet = { onProgress: () => {}, report: () => {} };

const world = await createWorld();
const people = [await world.signIn(), await world.signIn()];
for (const person of people) await storeAs(person, image());
await installed(world);
// Simulates a server that stopped before the backup, so that these entries were not sealed.
await world.sql`update audit_unsealed set written_at = written_at - interval '5 minutes'`.execute(world.owner);

const newBackup = async () => {
  const folder = await newFolder();
  const { manifest } = await backUp({ url: world.url, blobs: world.context.blobs }, folder, quiet);
  return { folder, manifest };
};

type Target = Awaited<ReturnType<typeof emptyDatabase>>;

const notedIn = ({ DATABASE_URL }: Target) =>
  asOwner(DATABASE_URL, async (owner) => {
    const { rows } = await sql<{ tenant: number; detail: object; isNow: boolean }>`
      select tenant_id as tenant, detail, created_at > now() - interval '5 minutes' as "isNow"
      from audit_entries where action = 'tenant.restore' order by 1`.execute(owner);
    return rows;
  });

test('after a restore, each audit log names the backup and is valid even before a server has run', async () => {
  const { folder, manifest } = await newBackup();
  const target = await emptyDatabase();

  const restored = await runCommand('restore', target, folder);
  const verified = await runCommand('verify-audit', target);

  const detail = expect.objectContaining({ backupFrom: manifest.createdAt, backup: manifest.id });
  expect(restored.code).toBe(0);
  expect(await notedIn(target)).toEqual(people.map(({ tenant }) => ({ tenant: tenant.id, detail, isNow: true })));
  expect(verified).toMatchObject({ code: 0, said: expect.not.stringContaining('UNSEALED') });
});

test('renames earlier audit anchors of the machine, and names the new file', async () => {
  const { folder } = await newBackup();
  const target = await emptyDatabase();
  const former = `{"at":"2026-01-01T00:00:00.000Z","tenantId":${people[0]?.tenant.id},"position":1,"hash":"another"}\n`;
  await writeFile(anchorsFile(target.DATA_DIR), former);

  const { said: output } = await runCommand('restore', target, folder);
  const verified = await runCommand('verify-audit', target);

  const name = (await readdir(target.DATA_DIR)).find((each) => each.startsWith('audit-anchors-until-')) ?? '';
  expect(output).toContain(join(target.DATA_DIR, name));
  expect(await readFile(join(target.DATA_DIR, name), 'utf8')).toBe(former);
  expect(verified.code).toBe(0);
});

test('a restore that is interrupted at its end and repeated adds one entry to each audit log', async () => {
  const { folder } = await newBackup();
  const target = await emptyDatabase();
  const store = await openLocalBlobStore(join(target.DATA_DIR, 'archive'));
  const blobs: BlobStore = {
    ...store,
    claim: (owner) => (owner.startsWith('restoring') ? store.claim(owner) : Promise.reject(new Error('out of power'))),
  };

  const interrupted = restore({ url: target.DATABASE_URL, blobs, dataDir: target.DATA_DIR }, folder, quiet);
  await expect(interrupted.finally(store.close)).rejects.toThrow('out of power');
  const again = await runCommand('restore', target, folder);

  expect(again.code).toBe(0);
  expect((await notedIn(target)).map(({ tenant }) => tenant)).toEqual(people.map(({ tenant }) => tenant.id));
});
