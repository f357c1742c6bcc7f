import { createHash } from 'node:crypto';
import { studies } from '@radwork/contract/imaging/studies';
import { newUid } from '@radwork/dicom/uid';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { getFrom, partsOf, storeAs } from '#test/archive-calls.ts';
import { startS3Server } from '#test/s3-server.ts';
import { form, image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

// The archive works on an object store. Other tests show the same for local files.

const s3 = await startS3Server();
afterAll(() => s3.remove());
const world = await createWorld({ STORAGE_URL: s3.url('clinics'), SECRET_KEY: 'the same secret for all the servers' });

const newImage = (elements: Parameters<typeof image>[0] = {}) => {
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
  const series = `/studies/${uids.StudyInstanceUID}/series/${uids.SeriesInstanceUID}`;
  return { ...image({ ...uids, ...elements }), series, path: `${series}/instances/${uids.SOPInstanceUID}` };
};

const upload = (person: Person, ...files: Parameters<typeof form>) =>
  person.request({ method: 'POST', url: '/api/stow-rs/studies', ...form(...files) });

const hashesOf = (all: readonly Buffer[]): string[] =>
  all.map((bytes) => createHash('sha256').update(bytes).digest('hex')).toSorted();

/** Returns the hashes of the files of a user's tenant in the bucket. */
const objectsOf = async ({ tenant }: Person): Promise<string[]> => {
  const hashes: string[] = [];
  for await (const { sha256 } of world.context.blobs.list(tenant.id)) hashes.push(sha256);
  return hashes;
};

test('returns a stored file with its metadata, frame and rendered image', async () => {
  const person = await world.signIn();
  const { path, ...file } = newImage();
  await storeAs(person, file);

  const fileResponse = await getFrom(person, path, { accept: 'application/dicom' });
  const metadata = await getFrom(person, `${path}/metadata`);
  const [frame] = await partsOf(await getFrom(person, `${path}/frames/1`));
  const picture = await getFrom(person, `${path}/rendered`);

  expect(fileResponse.rawPayload.equals(file.bytes)).toBe(true);
  expect(metadata.json()).toMatchObject([{ '00100020': { vr: 'LO' } }]);
  expect(file.bytes.includes(frame?.body ?? 'none')).toBe(true);
  expect(await sharp(picture.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 16, height: 16 });
});

test('returns a study of several files completely', async () => {
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  const files = [1, 2, 3].map((InstanceNumber) => newImage({ StudyInstanceUID, PatientID: 'P-1', InstanceNumber }));
  await storeAs(person, ...files);

  const parts = await partsOf(await getFrom(person, `/studies/${StudyInstanceUID}`));

  expect(hashesOf(parts.map(({ body }) => body))).toEqual(hashesOf(files.map(({ bytes }) => bytes)));
});

test('a refused file never reaches the object store', async () => {
  const person = await world.signIn();
  const stored = newImage();
  await storeAs(person, stored);
  const uids = { SOPInstanceUID: stored.path.split('/').at(-1), StudyInstanceUID: stored.path.split('/')[2] };
  const [before] = await objectsOf(person);

  const answer = await upload(person, newImage({ ...uids, PatientID: 'somebody else' }));

  expect(answer.statusCode).toBe(409);
  expect(await objectsOf(person)).toEqual([before]);
});

test('tenants share no file in the bucket, even if the content is the same', async () => {
  const [north, south] = [await world.signIn(), await world.signIn()];
  const file = newImage();
  await storeAs(north, file);
  await storeAs(south, file);

  await world.context.blobs.remove(north.tenant.id, (await objectsOf(north))[0] ?? '');

  expect(await objectsOf(north)).toEqual([]);
  expect(await objectsOf(south)).toHaveLength(1);
});

test('does not serve a deleted study', async () => {
  const admin = await world.signIn('ADMIN');
  const file = newImage();
  await storeAs(admin, file);
  const [study] = await admin.inScope(({ db }) => db.selectFrom('studies').select('id').execute());

  await admin.send(studies.remove, { params: { id: study?.id ?? '' } });

  expect((await getFrom(admin, `${file.path}/frames/1`)).statusCode).toBe(404);
});

test('uploads fail with 503 while the object store is down, and succeed afterward', async () => {
  const person = await world.signIn();
  const file = newImage();
  await s3.stop();

  const refused = await upload(person, file);
  const rows = await person.inScope(({ db }) => db.selectFrom('instances').select('id').execute());
  await s3.start();
  const accepted = await upload(person, file);

  expect(refused.statusCode).toBe(503);
  expect(refused.headers['retry-after']).toBe('5');
  expect(refused.json()).toMatchObject({ error: 'storage.away', message: expect.stringContaining('Try again') });
  expect(rows).toEqual([]);
  expect(accepted.statusCode).toBe(200);
  expect(await objectsOf(person)).toHaveLength(1);
});

test('an upload continues when the object store restarts during the upload', async () => {
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  const files = Array.from({ length: 60 }, () => newImage({ StudyInstanceUID, PatientID: 'P-1' }));
  s3.requests.length = 0;

  const uploading = upload(person, ...files);
  await expect.poll(() => s3.requests.length, { interval: 5, timeout: 20_000 }).toBeGreaterThan(10);
  await s3.stop();
  await s3.start();

  expect((await uploading).statusCode).toBe(200);
  const parts = await partsOf(await getFrom(person, `/studies/${StudyInstanceUID}`));
  expect(hashesOf(parts.map(({ body }) => body))).toEqual(hashesOf(files.map(({ bytes }) => bytes)));
  expect(await objectsOf(person)).toEqual(hashesOf(files.map(({ bytes }) => bytes)));
});
