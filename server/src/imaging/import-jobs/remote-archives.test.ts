import { createHash } from 'node:crypto';
import { remoteConfigurations } from '@radwork/contract/imaging/remote-archives';
import { newUid } from '@radwork/dicom/uid';
import { largeInstances } from '@radwork/phantom/instance';
import { expect, onTestFinished, test } from 'vitest';
import { getFrom, partsOf, storeAs } from '#test/archive-calls.ts';
import { newImages } from '#test/remote-images.ts';
import { importSteps, reachingThisMachine } from '#test/import-steps.ts';
import { hasOrthanc, startOrthanc } from '#test/orthanc.ts';
import { createWorld, type Person } from '#test/world.ts';
import { startImports } from './jobs.ts';

const world = await createWorld(reachingThisMachine);
const { configure, start, ended } = importSteps(world);

const work = () => onTestFinished(startImports(world.context, world.url, { onError: () => {} }));

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const hashesHere = async (person: Person, study: string): Promise<string[]> => {
  const parts = await partsOf(await getFrom(person, `/studies/${study}`));
  return parts.map(({ body }) => hashOf(body)).toSorted();
};

test('a study from another Radwork arrives byte for byte', async () => {
  const [sender, receiver] = [await world.signIn(), await world.signIn()];
  const admin = await world.signIn('ADMIN', receiver.tenant);
  const archiveFiles = newImages(2, 30);
  await storeAs(sender, ...archiveFiles.map(({ bytes }, index) => ({ name: `${index}.dcm`, bytes })));
  const address = await world.app.listen({ port: 0, host: '127.0.0.1' });
  const { data: configuration } = await admin.send(remoteConfigurations.create, {
    body: {
      aeTitle: 'RADWORK',
      protocol: 'DICOMWEB',
      baseUrl: `${address}/dicom-web`,
      authType: 'BEARER',
      token: sender.token,
    },
  });
  work();

  const study = archiveFiles[0]?.study ?? '';
  const done = await ended(receiver, await start(receiver, configuration.id, study));

  expect(done).toMatchObject({ state: 'DONE', expected: 60, received: 60, remoteName: 'RADWORK' });
  expect(await hashesHere(receiver, study)).toEqual(archiveFiles.map(({ bytes }) => hashOf(bytes)).toSorted());
});

test.skipIf(!hasOrthanc)('imports a study from Orthanc unchanged (skipped without Orthanc)', async () => {
  const orthanc = await startOrthanc();
  onTestFinished(() => orthanc.stop());
  const files = Array.from(largeInstances(80, 128), ({ bytes }) => bytes);
  await orthanc.upload(files.map((bytes) => Uint8Array.from(bytes)));
  const [study] = await studiesOf(orthanc);
  const person = await world.signIn();
  const configId = await configure(person, orthanc.url);
  work();

  const done = await ended(person, await start(person, configId, study ?? ''));

  expect(done).toMatchObject({ state: 'DONE', expected: 80, received: 80, failed: 0 });
  expect(await hashesHere(person, study ?? '')).toEqual(await hashesIn(orthanc));
});

test.skipIf(!hasOrthanc)('a second import fetches only what Orthanc has added (skipped without Orthanc)', async () => {
  const orthanc = await startOrthanc();
  onTestFinished(() => orthanc.stop());
  const archiveFiles = newImages(1, 40);
  const study = archiveFiles[0]?.study ?? '';
  await orthanc.upload(archiveFiles.slice(0, 35).map(({ bytes }) => Uint8Array.from(bytes)));
  const person = await world.signIn();
  const configId = await configure(person, orthanc.url);
  work();

  const first = await ended(person, await start(person, configId, study));
  await orthanc.upload(archiveFiles.slice(35).map(({ bytes }) => Uint8Array.from(bytes)));
  const second = await ended(person, await start(person, configId, study));

  expect(first).toMatchObject({ state: 'DONE', expected: 35, received: 35 });
  expect(second).toMatchObject({ state: 'DONE', expected: 40, received: 40 });
  expect(await hashesHere(person, study)).toEqual(archiveFiles.map(({ bytes }) => hashOf(bytes)).toSorted());
});

test.skipIf(!hasOrthanc)(
  'a study that Orthanc does not have fails with a readable cause (skipped without Orthanc)',
  async () => {
    const orthanc = await startOrthanc();
    onTestFinished(() => orthanc.stop());
    const person = await world.signIn();
    const configId = await configure(person, orthanc.url);
    work();

    const failed = await ended(person, await start(person, configId, newUid()));

    expect(failed).toMatchObject({ state: 'FAILED', received: 0 });
    expect(failed.cause).toMatch(/no images of this study|nothing at this address/);
  },
);

type Orthanc = Awaited<ReturnType<typeof startOrthanc>>;

const studiesOf = async ({ ask }: Orthanc): Promise<string[]> => {
  const studies: { MainDicomTags: { StudyInstanceUID: string } }[] = JSON.parse(
    await (await ask('/studies?expand')).text(),
  );
  return studies.map(({ MainDicomTags }) => MainDicomTags.StudyInstanceUID);
};

const hashesIn = async ({ ask }: Orthanc): Promise<string[]> => {
  const ids: string[] = JSON.parse(await (await ask('/instances')).text());
  const hashes = ids.map(async (id) => hashOf(Buffer.from(await (await ask(`/instances/${id}/file`)).arrayBuffer())));
  return (await Promise.all(hashes)).toSorted();
};
