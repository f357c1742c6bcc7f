import { request } from 'node:http';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import type { BlobStore } from './core/blobs/blob-store.ts';
import { createApp } from './app.ts';
import { storeAs } from '#test/archive-calls.ts';
import { eventually } from '#test/eventually.ts';
import { incomingFiles } from '#test/incoming-files.ts';
import { form, image, type Multipart, related } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { storeInstances } from './imaging/archive/store/store-instances.ts';
import { verifyArchive } from './imaging/archive/upkeep/verify-archive.ts';

const world = await createWorld({ UPLOADS_PER_TENANT: '2' });
const { context } = world;
const address = await world.app.listen({ port: 0, host: '127.0.0.1' });

const store = (person: Person, upload: Multipart) =>
  person.request({ method: 'POST', url: '/api/stow-rs/studies', ...upload });

const instancesOf = (person: Person) =>
  person.inScope(({ db }) => db.selectFrom('instances').select(['sop_instance_uid', 'size']).execute());

const differencesOf = async ({ tenant }: Person): Promise<number> =>
  (await verifyArchive(context, { tenant: tenant.subdomain }, () => {})).differences;

const setQuota = (person: Person, bytes: number) =>
  world.sql`update tenants set storage_quota_bytes = ${bytes} where id = ${person.tenant.id}`.execute(world.owner);

test('a tenant can store files up to its quota, and the response names the files that exceed it', async () => {
  const person = await world.signIn();
  const [first, second] = [image(), { ...image(), name: 'second.dcm' }];
  await setQuota(person, first.bytes.length + 1000);

  const both = await store(person, form(first, second));
  const alone = await store(person, related(second.bytes));
  const again = await store(person, form(first));

  expect(both.statusCode).toBe(202);
  expect(both.body).toContain('second.dcm: The storage of your organization is full.\n');
  expect(alone.statusCode).toBe(507);
  expect(alone.json()['00081198'].Value[0]['00081197'].Value).toEqual([0xa700]);
  expect(again.statusCode).toBe(200);
  expect(await instancesOf(person)).toHaveLength(1);
  expect(await differencesOf(person)).toBe(0);
});

test('purging a study frees space in the quota', async () => {
  const person = await world.signIn();
  const [first, second] = [image(), image()];
  await setQuota(person, first.bytes.length + 1000);
  await storeAs(person, first);
  const { rows } = await world.sql<{ id: string }>`
    update studies set deleted_at = now() - interval '31 days' where tenant_id = ${person.tenant.id} returning id`.execute(
    world.owner,
  );
  await person.inScope(({ db }) => world.sql`select purge_study(${rows[0]?.id})`.execute(db));

  const answer = await store(person, form(second));

  expect(answer.statusCode).toBe(200);
});

test('stores nothing when the disk has less free space than configured', async () => {
  const person = await world.signIn();
  const config = { ...context.config, freeDiskBytes: Number.MAX_SAFE_INTEGER };
  const app = await createApp({ ...context, config }, join(world.dataDir, 'no-web'));

  const answer = await app.inject({
    method: 'POST',
    url: '/dicom-web/studies',
    ...form(image()),
    headers: { ...form(image()).headers, authorization: `Bearer ${person.token}` },
  });
  await app.close();

  expect(answer.statusCode).toBe(507);
  expect(answer.body).toContain('image.dcm: The server is out of storage space.\n');
  expect(await instancesOf(person)).toEqual([]);
});

test('refuses too many concurrent uploads, and accepts a further upload once another has ended', async () => {
  const person = await world.signIn();
  // Size in bytes above which the store writes a file to disk at once. The test can then see that the upload has begun.
  const sentBytes = 1_200_000;
  const begin = () => {
    const { payload, headers } = form(image({ TextValue: 'x'.repeat(2 * sentBytes) }));
    const body = new PassThrough();
    body.write(payload.subarray(0, sentBytes));
    const answer = new Promise<number | undefined>((resolve, reject) => {
      const upload = request(`${address}/dicom-web/studies`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${person.token}` },
      });
      upload.on('response', ({ statusCode }) => resolve(statusCode));
      upload.on('error', reject);
      body.pipe(upload);
    });
    return { answer, end: () => body.end(payload.subarray(sentBytes)) };
  };
  const [first, second] = [begin(), begin()];
  await expect.poll(() => incomingFiles(world)).toHaveLength(2);

  const third = await store(person, form(image()));
  first.end();
  expect(await first.answer).toBe(200);
  const fourth = await store(person, form(image()));
  second.end();

  expect(third.headers['retry-after']).toBe('5');
  expect(third.json().message).toBe('Too many uploads at once. Try again in a few seconds.');
  expect(fourth.statusCode).toBe(200);
  expect(await second.answer).toBe(200);
});

test('a database connection lost while rows are written is reported, and no files remain', async () => {
  const person = await world.signIn();
  const losing = {
    ...context,
    blobs: {
      ...context.blobs,
      keep: async (...args: Parameters<typeof context.blobs.keep>) => {
        await context.blobs.keep(...args);
        await world.sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`.execute(world.owner);
      },
    },
  };
  const app = await createApp(losing, join(world.dataDir, 'no-web'));
  const upload = form(image());

  const lost = await app.inject({
    method: 'POST',
    url: '/dicom-web/studies',
    payload: upload.payload,
    headers: { ...upload.headers, authorization: `Bearer ${person.token}` },
  });
  await app.close();
  const next = await store(person, upload);

  expect(lost.statusCode).toBe(503);
  expect(lost.headers['retry-after']).toBe('2');
  expect(lost.json().message).toBe('The database cannot be reached. Try again in a moment.');
  expect(next.statusCode).toBe(200);
  expect(await differencesOf(person)).toBe(0);
});

test('removes stored files when writing their rows fails', async () => {
  const person = await world.signIn();
  const { bytes } = image();
  const failing = {
    ...context,
    blobs: {
      ...context.blobs,
      keep: async (...args: Parameters<typeof context.blobs.keep>) => {
        await context.blobs.keep(...args);
        throw new Error('the folder cannot be synced');
      },
    },
  };

  const upload = storeInstances(failing, person.session, [{ name: 'a', body: Readable.from([bytes]) }]);

  await expect(upload).rejects.toThrow('the folder cannot be synced');
  expect(await differencesOf(person)).toBe(0);
  expect(await instancesOf(person)).toEqual([]);
});

test('the used space is exact after concurrent uploads', async () => {
  const person = await world.signIn();
  const uploads = Array.from({ length: 6 }, () => Array.from({ length: 3 }, () => image({ PatientID: newUid() })));

  await Promise.all(
    uploads.map((files) =>
      storeInstances(
        context,
        person.session,
        files.map(({ name, bytes }) => ({ name, body: Readable.from([bytes]) })),
      ),
    ),
  );

  const { rows } = await person.inScope(({ db }) =>
    world.sql<{ bytes: number }>`select sum(bytes)::bigint as bytes from storage_use`.execute(db),
  );
  expect(rows[0]?.bytes).toBe(uploads.flat().reduce((sum, { bytes }) => sum + bytes.length, 0));
});

/**
 * Starts uploads of ten images each. Holds every sync until `expected` files wait for it. Returns the largest number of
 * files that waited at the same time.
 */
const waitingOf = async (person: Person, uploads: number, expected: number): Promise<number> => {
  const waiting = { now: 0, most: 0 };
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const blobs: BlobStore = {
    ...context.blobs,
    receive: async (...file) => {
      const blob = await context.blobs.receive(...file);
      waiting.now += 1;
      waiting.most = Math.max(waiting.most, waiting.now);
      const synced = Promise.all([blob.sync(), opened]).then(() => {
        waiting.now -= 1;
      });
      return Object.assign(blob, { sync: () => synced });
    },
  };
  const upload = () => {
    const files = Array.from({ length: 10 }, () => image({ PatientID: newUid() }));
    return storeInstances(
      { ...context, blobs },
      person.session,
      files.map(({ name, bytes }) => ({ name, body: Readable.from([bytes]) })),
    );
  };
  const uploaded = Promise.all(Array.from({ length: uploads }, upload));
  await eventually(() => expect(waiting.now).toBe(expected));
  // Waits for one more file, which must not arrive.
  await wait(50);
  open();
  await uploaded;
  return waiting.most;
};

test('one upload writes at most 8 files at once, and all uploads together write at most 48', async () => {
  const person = await world.signIn();

  expect(await waitingOf(person, 1, 8)).toBe(8);
  expect(await waitingOf(person, 24, 48)).toBe(48);
});
