import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { truncate, writeFile } from 'node:fs/promises';
import { existsSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { StorageUnavailable } from '#core/blobs/blob-store.ts';
import { storeAs } from '#test/archive-calls.ts';
import { claimStore } from '#test/claim-store.ts';
import { leaveBytes } from '#test/store-unused-bytes.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { type Difference, verifyArchive } from './verify-archive.ts';

const world = await createWorld();
const { context } = world;
await claimStore(world);

const newClinic = async () => {
  const person = await world.signIn();
  await storeAs(person, image());
  const instance = await person.inScope(({ db }) =>
    db
      .selectFrom('instances')
      .select(['id', 'study_id', 'sop_instance_uid', 'sha256', 'size'])
      .executeTakeFirstOrThrow(),
  );
  const sha256 = instance.sha256.toString('hex');
  const place = { tenant: person.tenant.subdomain, sha256, studyId: instance.study_id };
  return {
    person,
    instance,
    sha256,
    size: instance.size,
    path: join(world.dataDir, 'archive', String(person.tenant.id), sha256.slice(0, 2), sha256),
    named: { ...place, sopInstanceUid: instance.sop_instance_uid },
  };
};

const verify = async ({ tenant }: Person, isFast = false) => {
  const differences: Difference[] = [];
  const done = await verifyArchive(context, { tenant: tenant.subdomain, isFast }, (difference) =>
    differences.push(difference),
  );
  return { found: differences, done };
};

test('the check reads every byte of an intact archive and reports no difference', async () => {
  const { person, size } = await newClinic();

  const { found: differences, done } = await verify(person);

  expect(differences).toEqual([]);
  expect(done).toEqual({ tenants: 1, files: 1, bytes: size, differences: 0 });
});

test('the check names a missing file by its study and instance', async () => {
  const { person, sha256, named } = await newClinic();
  await context.blobs.remove(person.tenant.id, sha256);

  const { found: differences } = await verify(person, true);

  expect(differences).toEqual([{ ...named, what: 'the file is missing from the store' }]);
});

test('the check finds one changed byte unless it compares only sizes', async () => {
  const { person, path, size, named } = await newClinic();
  const bytes = await context.blobs.read(person.tenant.id, named.sha256, 0, size);
  bytes.writeUInt8(bytes.readUInt8(size - 1) ^ 1, size - 1);
  await writeFile(path, bytes);

  const [full, fast] = [await verify(person), await verify(person, true)];

  expect(full.found).toEqual([{ ...named, what: 'the content of the file has changed' }]);
  expect(fast.found).toEqual([]);
});

test('the check finds a truncated file by its size', async () => {
  const { person, path, size, named } = await newClinic();
  await truncate(path, size - 10);

  const { found: differences } = await verify(person, true);

  expect(differences).toEqual([{ ...named, what: `the file has ${size - 10} bytes, the database records ${size}` }]);
});

test('the check names a file without an instance', async () => {
  const { person } = await newClinic();
  const sha256 = await leaveBytes(context, person.tenant.id, Buffer.from('left behind'));

  const { found: differences } = await verify(person);

  const tenant = person.tenant.subdomain;
  expect(differences).toEqual([{ tenant, sha256, what: 'no database record uses this file' }]);
});

test('the check finds a wrong count of stored bytes', async () => {
  const { person, size } = await newClinic();
  await world.sql`update storage_use set bytes = bytes + 7 where tenant_id = ${person.tenant.id}`.execute(world.owner);

  const { found: differences } = await verify(person);

  const what = `the files have ${size} bytes, the storage count says ${size + 7}`;
  expect(differences).toEqual([{ tenant: person.tenant.subdomain, what }]);
});

test('a disk that disappears during the check is an error and marks no file as missing', async () => {
  const { person } = await newClinic();
  await storeAs(person, image(), image());
  const hashes: string[] = [];
  for await (const { sha256 } of context.blobs.list(person.tenant.id)) hashes.push(sha256);
  await context.blobs.remove(person.tenant.id, hashes[0] ?? '');
  const [disk, elsewhere] = [join(world.dataDir, 'archive'), join(world.dataDir, 'not mounted')];
  const differences: Difference[] = [];

  const verifying = verifyArchive(context, { tenant: person.tenant.subdomain }, (difference) => {
    differences.push(difference);
    if (existsSync(disk)) renameSync(disk, elsewhere);
  }).finally(() => renameSync(elsewhere, disk));

  await expect(verifying).rejects.toThrow(StorageUnavailable);
  expect(differences.map(({ sha256 }) => sha256)).toEqual([hashes[0]]);
});

test('a short outage of the store causes no difference; a lasting outage is an error', async () => {
  const { person } = await newClinic();
  const verifyWhile = (isAway: (attempt: number) => boolean) => {
    let attempt = 0;
    const stream: typeof context.blobs.stream = (...file) => {
      attempt += 1;
      return isAway(attempt) ? Readable.from(away()) : context.blobs.stream(...file);
    };
    const archive = { ...context, blobs: { ...context.blobs, stream } };
    return verifyArchive(archive, { tenant: person.tenant.subdomain }, () => {});
  };
  async function* away(): AsyncGenerator<Buffer> {
    yield Buffer.from('a beginning');
    throw new StorageUnavailable('the connection breaks repeatedly');
  }

  expect(await verifyWhile((attempt) => attempt === 1)).toMatchObject({ files: 1, differences: 0 });
  await expect(verifyWhile(() => true)).rejects.toThrow(StorageUnavailable);
});

test('a tenant created during the check is not reported as unknown', async () => {
  const differences: Difference[] = [];
  const list: typeof context.blobs.list = async function* (tenantId) {
    // Without a tenant, the store is listed only after all other tenants have been checked.
    if (tenantId === undefined) await newClinic();
    yield* context.blobs.list(tenantId);
  };

  await verifyArchive({ ...context, blobs: { ...context.blobs, list } }, { isFast: true }, (one) =>
    differences.push(one),
  );

  expect(differences.filter(({ what }) => what === 'the tenant does not exist in the database')).toEqual([]);
});

const besideTheServer = { DATA_DIR: world.dataDir, DATABASE_URL: world.url.replace('@/', '@localhost/') };

/** Runs the command as an operator does. */
const runCommandIn = async (env: Record<string, string>, ...args: string[]) => {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../../../commands/verify.ts'), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, said: output, complaint };
};

const runCommand = (...args: string[]) => runCommandIn(besideTheServer, ...args);

test('the command names each difference and sets its exit code', async () => {
  const [intact, broken] = [await newClinic(), await newClinic()];
  await context.blobs.remove(broken.person.tenant.id, broken.sha256);

  const [good, bad, unknown] = await Promise.all([
    runCommand('--tenant', intact.person.tenant.subdomain),
    runCommand('--tenant', broken.person.tenant.subdomain, '--fast'),
    runCommand('--tenant', 'nobody'),
  ]);

  expect(good).toEqual({ code: 0, said: 'Tenants: 1, files: 1, MB read: 0, differences: 0\n', complaint: '' });
  expect(bad.code).toBe(1);
  expect(bad.said).toContain(
    `tenant ${broken.named.tenant}, study ${broken.named.studyId}, instance ${broken.named.sopInstanceUid}, ` +
      `file ${broken.sha256}, the file is missing from the store\n`,
  );
  expect(unknown).toMatchObject({ code: 2, complaint: expect.stringContaining('Tenant "nobody" not found') });
});

test('names files of an unknown tenant and does not remove them', async () => {
  const sha256 = await leaveBytes(context, 987_654, Buffer.from('a stranger'));

  const { code, said: output } = await runCommand('--fast');

  expect(code).toBe(1);
  expect(output).toContain(`tenant number 987654, file ${sha256}, the tenant does not exist in the database\n`);
  expect(await context.blobs.stat(987_654, sha256)).toBeDefined();
});

test('if the archive is missing, the command does not create one and explains how to configure its folder', async () => {
  const nowhere = join(world.dataDir, 'nowhere');

  const { code, complaint } = await runCommandIn({ DATA_DIR: nowhere });

  expect(code).toBe(2);
  expect(complaint).toContain(`${nowhere} contains no archive. Set DATA_DIR`);
  expect(existsSync(nowhere)).toBe(false);
});
