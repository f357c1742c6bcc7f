import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { studies } from '@radwork/contract/imaging/studies';
import { newUid } from '@radwork/dicom/uid';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startS3Server } from '#test/s3-server.ts';
import { addressOf, type ServerProcess, startServer } from '#test/server-process.ts';
import { image, related } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

// Several server processes on one database and one store are one archive.

const SECRET_KEY = 'the same secret for all the servers';
const s3 = await startS3Server();
const folder = await mkdtemp(join(tmpdir(), 'radwork-shared-'));
afterAll(async () => {
  await s3.remove();
  await rm(folder, { recursive: true });
});

/** Creates a database and a store for the servers of a test. */
const createArchive = async (STORAGE_URL: string) => {
  const world = await createWorld({ STORAGE_URL, SECRET_KEY });
  // The setting must contain a host, even if a socket is used instead.
  const DATABASE_URL = world.url.replace('@/', '@localhost/');
  return { world, settings: { DATABASE_URL, STORAGE_URL, SECRET_KEY } };
};

type Archive = Awaited<ReturnType<typeof createArchive>>;
type RunningServer = { address: string; process: ServerProcess };

const onObjectStore = { kind: 'an object store', archive: await createArchive(s3.url()) };
const sharedFolder = pathToFileURL(join(folder, 'archive')).href;
const onSharedFolder = { kind: 'a shared folder', archive: await createArchive(sharedFolder) };

const start = async ({ settings }: Archive): Promise<RunningServer> => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'radwork-server-'));
  const process = startServer({ DATA_DIR, ...settings });
  onTestFinished(async () => {
    process.child.kill('SIGKILL');
    await process.ended;
    await rm(DATA_DIR, { recursive: true, force: true });
  });
  return { address: await addressOf(process), process };
};

const startTwo = (archive: Archive) => Promise.all([start(archive), start(archive)]);

/** Calls one of the servers as a user. */
const ask = (server: RunningServer, person: Person, path: string, more: RequestInit = {}) =>
  fetch(`${server.address}${path}`, {
    ...more,
    headers: { authorization: `Bearer ${person.token}`, ...Object.fromEntries(new Headers(more.headers)) },
  });

const newStudy = (instances: number) => {
  const study = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), PatientID: 'P-1' };
  return Array.from({ length: instances }, (_, index) => {
    const SOPInstanceUID = newUid();
    const path = `/studies/${study.StudyInstanceUID}/series/${study.SeriesInstanceUID}/instances/${SOPInstanceUID}`;
    return { ...image({ ...study, SOPInstanceUID, InstanceNumber: index + 1 }), path };
  });
};

type File = ReturnType<typeof newStudy>[number];

const upload = async (server: RunningServer, person: Person, ...files: File[]): Promise<number> => {
  const { payload, headers } = related(...files.map(({ bytes }) => bytes));
  const answer = await ask(server, person, '/dicom-web/studies', {
    method: 'POST',
    headers,
    body: new Uint8Array(payload),
  });
  await answer.arrayBuffer();
  return answer.status;
};

const statusOf = async (server: RunningServer, person: Person, path: string): Promise<number> => {
  const answer = await ask(server, person, `/dicom-web${path}`);
  await answer.arrayBuffer();
  return answer.status;
};

const retrieved = async (server: RunningServer, person: Person, { path }: File): Promise<Buffer> => {
  const answer = await ask(server, person, `/dicom-web${path}`, { headers: { accept: 'application/dicom' } });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer());
};

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Returns those of the files that a server returns exactly as they were sent. */
const intact = async (server: RunningServer, person: Person, files: readonly File[]) => {
  const intactFiles: File[] = [];
  for (const file of files) if ((await retrieved(server, person, file)).equals(file.bytes)) intactFiles.push(file);
  return intactFiles;
};

/** Returns the hashes in the database, and those in the object store. */
const bothSides = async ({ world }: Archive, person: Person) => {
  const rows = await person.inScope(({ db }) => db.selectFrom('instances').select('sha256').execute());
  const objects: string[] = [];
  for await (const { sha256 } of world.context.blobs.list(person.tenant.id)) objects.push(sha256);
  return { rows: rows.map(({ sha256 }) => sha256.toString('hex')).toSorted(), objects };
};

test('an image acknowledged by one server is returned by another server immediately, byte for byte', async () => {
  const { archive } = onObjectStore;
  const [one, other] = await startTwo(archive);
  const person = await archive.world.signIn();
  const files = newStudy(20);

  for (const file of files) {
    expect(await upload(one, person, file)).toBe(200);
    expect(await intact(other, person, [file])).toEqual([file]);
  }
});

test('an image deleted on one server is no longer returned by another that has just shown it', async () => {
  const { archive } = onObjectStore;
  const [one, other] = await startTwo(archive);
  const admin = await archive.world.signIn('ADMIN');
  const [file] = newStudy(1);
  if (!file) throw new Error('There is no file');
  await upload(one, admin, file);
  const frameStatus = await statusOf(other, admin, `${file.path}/frames/1`);
  const [study] = await admin.inScope(({ db }) => db.selectFrom('studies').select('id').execute());

  const path = studies.remove.path.replace(':id', study?.id ?? '');
  const deleted = await ask(one, admin, `/api${path}`, { method: 'DELETE' });

  expect([frameStatus, deleted.status]).toEqual([200, 200]);
  await expect.poll(() => statusOf(other, admin, `${file.path}/frames/1`)).toBe(404);
});

test.for([onObjectStore, onSharedFolder])(
  'killing a server on $kind during uploads loses no acknowledged image, and another server continues',
  async ({ archive }) => {
    const [one, other] = await startTwo(archive);
    const person = await archive.world.signIn();
    const files = newStudy(60);
    const acknowledged: File[] = [];

    const lanes = [0, 1, 2].map(async (lane) => {
      for (const file of files.filter((_, index) => index % 3 === lane)) {
        if ((await upload(one, person, file)) === 200) acknowledged.push(file);
        if (acknowledged.length === 20) one.process.child.kill('SIGKILL');
      }
    });
    await Promise.allSettled(lanes);
    const survived = await intact(other, person, acknowledged);
    const resent = await upload(other, person, ...files);

    expect(acknowledged.length).toBeLessThan(files.length);
    expect(survived).toEqual(acknowledged);
    expect(resent).toBe(200);
    expect(await intact(other, person, files)).toEqual(files);
    const all = files.map(({ bytes }) => hashOf(bytes)).toSorted();
    expect(await bothSides(archive, person)).toEqual({ rows: all, objects: all });
  },
);
