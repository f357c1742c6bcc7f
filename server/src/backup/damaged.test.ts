import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { hashPassword } from '#core/access/passwords.ts';
import { orNotFound } from '#core/http/problem.ts';
import { password } from '#test/account-steps.ts';
import { storeAs } from '#test/archive-calls.ts';
import { asOwner, emptyDatabase, installed, newFolder, secretOf, type Settings } from '#test/backup-folders.ts';
import { runCommand } from '#test/run-command.ts';
import { addressOf, startServer } from '#test/server-process.ts';
import { image, related } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { backUp } from './back-up.ts';
import { filePath, tablePath } from './backup-folder.ts';

// One damaged image must not make the other images useless.

const world = await createWorld();
const person = await world.signIn();
const passwordHash = await hashPassword(password);
await world.inTenant(person.tenant, ({ db }) =>
  db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', person.userId).execute(),
);
const newImage = () => {
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
  const path = `studies/${uids.StudyInstanceUID}/series/${uids.SeriesInstanceUID}/instances/${uids.SOPInstanceUID}`;
  return { ...image(uids), path, uid: uids.SOPInstanceUID };
};
const images = Array.from({ length: 4 }, newImage);
await storeAs(person, ...images);
await installed(world);
const SECRET_KEY = await secretOf(world);
const tenantId = person.tenant.id;

const { rows: stored } = await world.sql<{ sha256: string }>`
  select encode(sha256, 'hex') as sha256 from instances where tenant_id = ${tenantId}
  order by array_position(${images.map(({ uid }) => uid)}::text[], sop_instance_uid)`.execute(world.owner);

const newBackup = async () => {
  const folder = await newFolder();
  const { manifest } = await backUp({ url: world.url, blobs: world.context.blobs }, folder, {
    onProgress: () => {},
    report: () => {},
  });
  const pathOf = (at: number) => filePath(folder, { tenantId, sha256: orNotFound(stored[at], 'file').sha256 });
  return { folder, manifest, pathOf };
};

const flipABit = async (path: string) => {
  const bytes = await readFile(path);
  const at = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  await writeFile(path, bytes);
};

/** Signs in at a server. Returns functions that read and store an image there. */
const serving = async (settings: Settings) => {
  const server = startServer(settings);
  const address = await addressOf(server);
  const answer = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: person.username, password }),
  });
  const { data } = (await answer.json()) as { data: { token: string } };
  const authorization = `Bearer ${data.token}`;
  const read = async (at: number) => {
    const path = `${address}/dicom-web/${orNotFound(images[at], 'image').path}`;
    const retrieved = await fetch(path, { headers: { authorization } });
    return { status: retrieved.status, bytes: Buffer.from(await retrieved.arrayBuffer()) };
  };
  const store = async (at: number) => {
    const { payload, headers } = related(orNotFound(images[at], 'image').bytes);
    const stowed = await fetch(`${address}/dicom-web/studies`, {
      method: 'POST',
      headers: { ...headers, authorization },
      body: new Uint8Array(payload),
    });
    return stowed.status;
  };
  return { read, store };
};

test('restores without damaged images on request, and an upload repairs them', async () => {
  const { folder, pathOf } = await newBackup();
  const target = { ...(await emptyDatabase()), SECRET_KEY };
  await flipABit(pathOf(0));
  await rm(pathOf(1));
  await rm(pathOf(2));
  await mkdir(pathOf(2));

  const refused = await runCommand('restore', target, folder);
  const restored = await runCommand('restore', target, folder, '--without-damaged');
  const { read, store } = await serving(target);
  const before = await Promise.all([read(0), read(1), read(2), read(3)]);
  const uploaded = await store(0);
  const healed = await read(0);

  expect(refused).toMatchObject({
    code: 2,
    complaint: expect.stringContaining('Use --without-damaged to restore all other files.'),
  });
  expect(restored.code).toBe(1);
  expect(restored.said).toContain(`${stored[0]?.sha256}: the content has changed`);
  expect(restored.said).toContain(`${stored[1]?.sha256}: the file is missing`);
  expect(restored.said).toContain(`${stored[2]?.sha256}: the file cannot be read (EISDIR)`);
  expect(restored.said).toContain('Damaged files, left out and marked as missing: 3');
  expect(before.map(({ bytes }) => bytes.includes('send the image again to restore it'))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(before.map(({ status }) => status === 200)).toEqual([false, false, false, true]);
  expect([uploaded, healed.status]).toEqual([200, 200]);
  expect(healed.bytes.includes(orNotFound(images[0], 'image').bytes)).toBe(true);
});

test('a damaged table always prevents a restore, even on request', async () => {
  const { folder, manifest, pathOf } = await newBackup();
  const target = await emptyDatabase();
  await flipABit(tablePath(folder, manifest.id, 'reports'));
  await flipABit(pathOf(0));

  const refused = await runCommand('restore', target, folder, '--without-damaged');

  expect(refused).toMatchObject({ code: 2, complaint: expect.stringContaining('2 files, named above') });
  expect(refused.complaint).not.toContain('--without-damaged');
});

test('after a restore, files that the store lost before the backup are also marked as missing', async () => {
  const lossy = await world.signIn();
  await storeAs(lossy, image());
  const { value: lost } = await world.context.blobs.list(lossy.tenant.id)[Symbol.asyncIterator]().next();
  await world.context.blobs.remove(lossy.tenant.id, lost?.sha256 ?? '');
  const { folder } = await newBackup();
  const target = { ...(await emptyDatabase()), SECRET_KEY };

  const restored = await runCommand('restore', target, folder);

  const { rows: marked } = await asOwner(target.DATABASE_URL, (owner) =>
    world.sql`select encode(sha256, 'hex') as sha256 from instances where missing_since is not null`.execute(owner),
  );
  expect(restored.code).toBe(0);
  expect(marked).toEqual([{ sha256: lost?.sha256 }]);
});
