import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applicationEntities } from '@radwork/contract/identity/application-entities';
import { importJobs } from '@radwork/contract/imaging/import-jobs';
import { remoteConfigurations } from '@radwork/contract/imaging/remote-archives';
import { ownOrganization } from '@radwork/contract/identity/tenants';
import { newUid } from '@radwork/dicom/uid';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startImports } from './imaging/import-jobs/jobs.ts';
import { newId } from './core/values/ids.ts';
import { storeAs } from '#test/archive-calls.ts';
import { hasDcmtk, runDcmtk } from '#test/dcmtk.ts';
import { startDcmqrscp } from '#test/dcmqrscp.ts';
import { addDevice, listenForDevices } from '#test/dimse-device.ts';
import { maria, openQuestions, piotr } from '#test/identity-steps.ts';
import { importSteps, reachingThisMachine } from '#test/import-steps.ts';
import { image, related, type TestFile } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld({
  ...reachingThisMachine,
  REMOTE_ALLOW: 'net=127.0.0.0/8 ports=1-65535 protocols=http,dicom',
});
const gateway = await listenForDevices(world);
afterAll(gateway.close);
const { start, ended } = importSteps(world);

/** Returns the patients of a tenant, each with issuer and ID. */
const filed = (person: Person) =>
  person.inScope(async ({ db }) => {
    const rows = await db.selectFrom('patients').select(['patient_id', 'issuer', 'patient_name']).execute();
    return rows.map(({ patient_id, issuer, patient_name }) => `${issuer}/${patient_id}: ${patient_name}`).toSorted();
  });

const onDisk = async ({ bytes }: TestFile): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-issuers-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'image.dcm');
  await writeFile(path, bytes);
  return path;
};

test.skipIf(!hasDcmtk)(
  'the issuer of each device separates patients with the same ID of two hospitals (needs dcmtk)',
  async () => {
    const admin = await world.signIn('ADMIN');
    const called = `R${newId().slice(-12)}`;
    const device = async (issuer: string) => {
      const callingAeTitle = `D${newId().slice(-12)}`;
      const created = await admin.send(applicationEntities.create, {
        body: { calledAeTitle: called, callingAeTitle, issuer },
      });
      expect(created).toMatchObject({ status: 200, data: { issuer } });
      return callingAeTitle;
    };
    const [north, south] = [await device('NORTH'), await device('SOUTH')];

    const sent = [];
    for (const [calling, patient] of [
      [north, maria],
      [south, piotr],
      [south, { ...piotr, IssuerOfPatientID: 'EAST' }],
    ] as const) {
      const path = await onDisk(image(patient));
      sent.push(await runDcmtk('storescu', '-aet', calling, '-aec', called, '127.0.0.1', String(gateway.port), path));
    }

    expect(sent.map(({ status }) => status)).toEqual([0, 0, 0]);
    expect(await filed(admin)).toEqual([
      'EAST/P-1: Kowalski^Piotr',
      'NORTH/P-1: Alpha^Maria',
      'SOUTH/P-1: Kowalski^Piotr',
    ]);
    expect(await openQuestions(admin)).toEqual([]);
  },
);

test('files from uploads and STOW-RS get the issuer that an administrator set for uploads', async () => {
  const admin = await world.signIn('ADMIN');
  const { data: settings } = await admin.send(ownOrganization.read);
  const saved = await admin.send(ownOrganization.save, { body: { ...settings, uploadIssuer: 'WEST' } });

  await storeAs(admin, image(maria));
  const { payload, headers } = related(image({ ...maria, PatientID: 'P-2' }).bytes);
  const stowed = await admin.request({ method: 'POST', url: '/dicom-web/studies', payload, headers });

  expect([saved.status, stowed.statusCode]).toEqual([200, 200]);
  expect(await filed(admin)).toEqual(['WEST/P-1: Alpha^Maria', 'WEST/P-2: Alpha^Maria']);
});

const work = () => onTestFinished(startImports(world.context, world.url, { onError: () => {} }));

test('files imported by DICOMweb get the issuer of the remote archive', async () => {
  const [sender, receiver] = [await world.signIn('ADMIN'), await world.signIn('ADMIN')];
  const StudyInstanceUID = newUid();
  await storeAs(sender, image({ ...maria, StudyInstanceUID }));
  await storeAs(receiver, image(piotr));
  const address = await world.app.listen({ port: 0, host: '127.0.0.1' });
  const { data: remote } = await receiver.send(remoteConfigurations.create, {
    body: {
      aeTitle: 'RADWORK',
      protocol: 'DICOMWEB',
      baseUrl: `${address}/dicom-web`,
      authType: 'BEARER',
      token: sender.token,
      issuer: 'ELSEWHERE',
    },
  });
  work();

  const done = await ended(receiver, await start(receiver, remote.id, StudyInstanceUID));

  expect(done).toMatchObject({ state: 'DONE', received: 1 });
  expect(await filed(receiver)).toEqual(['/P-1: Kowalski^Piotr', 'ELSEWHERE/P-1: Alpha^Maria']);
});

test.skipIf(!hasDcmtk)(
  'files imported by C-GET and C-MOVE get the issuer of the remote archive (needs dcmtk)',
  async () => {
    const admin = await world.signIn('ADMIN');
    const { called } = await addDevice(world, admin.tenant, { calling_ae_title: 'OTHER' });
    const other = await startDcmqrscp({ title: called, port: gateway.port });
    const StudyInstanceUID = newUid();
    await other.send(await onDisk(image({ ...maria, StudyInstanceUID })));
    await storeAs(admin, image(piotr));
    const { data: remote } = await admin.send(remoteConfigurations.create, {
      body: {
        aeTitle: called,
        protocol: 'DIMSE',
        baseUrl: `dicom://OTHER@127.0.0.1:${other.port}`,
        authType: 'NONE',
        issuer: 'ELSEWHERE',
      },
    });
    work();

    const { data: job } = await admin.send(importJobs.create, {
      body: {
        jobId: StudyInstanceUID,
        remoteConfigId: remote.id,
        targetPath: '',
        types: 'IMPORT',
        protocol: 'DIMSE',
        parameters: 'None',
      },
    });
    const done = await ended(admin, job);

    expect(done).toMatchObject({ state: 'DONE', received: 1 });
    expect(await filed(admin)).toEqual(['/P-1: Kowalski^Piotr', 'ELSEWHERE/P-1: Alpha^Maria']);
  },
);
