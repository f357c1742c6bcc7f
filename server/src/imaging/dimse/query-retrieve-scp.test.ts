import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { newUid } from '@radwork/dicom/uid';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { storeInstances } from '#imaging/archive/store/store-instances.ts';
import { systemSession } from '#core/access/scope.ts';
import { freePort, untilListening } from '#test/ports.ts';
import { hasDcmtk, runDcmtk } from '#test/dcmtk.ts';
import { addDevice, listenForDevices, type Titles } from '#test/dimse-device.ts';
import { image, type TestFile } from '#test/multipart-upload.ts';
import { createWorld, type Tenant } from '#test/world.ts';
import { createDimseSource } from '#imaging/remote-archives/dimse-source.ts';

const world = await createWorld({ REMOTE_ALLOW: 'net=127.0.0.1 ports=1024-65535 protocols=dicom' });
const gateway = await listenForDevices(world);
afterAll(gateway.close);

const to = ({ called, calling }: Titles) => ['-aet', calling, '-aec', called, '127.0.0.1', String(gateway.port)];

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-query-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

const store = async (tenant: Tenant, files: readonly TestFile[]) => {
  const uploads = files.map(({ name, bytes }) => ({ name, body: Readable.from([bytes]) }));
  const { refused } = await storeInstances(world.context, systemSession(tenant.id), uploads);
  expect(refused).toEqual([]);
};

/** Stores a study of two series in a tenant's archive. */
const archived = async (tenant: Tenant, differences: Parameters<typeof image>[0] = {}) => {
  const StudyInstanceUID = newUid();
  const [one, other] = [newUid(), newUid()];
  const names = [one, one, other].map((SeriesInstanceUID) => ({ SeriesInstanceUID, SOPInstanceUID: newUid() }));
  const patient = { PatientID: newUid().slice(-12), PatientName: 'Yamada^Tarou=山田^太郎' };
  const files = names.map((uids) => image({ StudyInstanceUID, ...patient, ...uids, ...differences }));
  await store(tenant, files);
  return { StudyInstanceUID, series: [one, other] as const, files, uids: names.map((uids) => uids.SOPInstanceUID) };
};

const dataSetOf = (file: Buffer): Buffer => file.subarray(144 + file.readUInt32LE(140));
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const digests = (files: readonly Buffer[]) => new Set(files.map((file) => digest(dataSetOf(file))));

const filesIn = async (folder: string): Promise<Buffer[]> =>
  Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))));

test.skipIf(!hasDcmtk)('a workstation finds studies, series and images (needs dcmtk)', async () => {
  const tenant = await world.newTenant();
  const titles = await addDevice(world, tenant);
  const { StudyInstanceUID, series, uids } = await archived(tenant);
  await archived(await world.newTenant());
  const levels = [
    [['QueryRetrieveLevel=STUDY', 'PatientName=yamada*', 'StudyInstanceUID', 'NumberOfStudyRelatedInstances'], 1],
    [['QueryRetrieveLevel=SERIES', `StudyInstanceUID=${StudyInstanceUID}`, 'SeriesInstanceUID', 'Modality=CT'], 2],
    [
      [
        'QueryRetrieveLevel=IMAGE',
        `StudyInstanceUID=${StudyInstanceUID}`,
        `SeriesInstanceUID=${series[0]}`,
        'SOPInstanceUID',
        'SOPClassUID',
      ],
      2,
    ],
  ] as const;

  const answers: string[] = [];
  for (const [keys, count] of levels) {
    const folder = await newFolder();
    const { status } = await runDcmtk(
      'findscu',
      '-S',
      '-X',
      '-od',
      folder,
      ...keys.flatMap((key) => ['-k', key]),
      ...to(titles),
    );
    expect({ status, count: (await readdir(folder)).length }).toEqual({ status: 0, count });
    const dumped = await Promise.all(
      (await readdir(folder)).map((name) => runDcmtk('dcmdump', '+U8', join(folder, name))),
    );
    answers.push(dumped.map(({ output }) => output).join('\n'));
  }

  expect(answers[0]).toContain('Yamada^Tarou=山田^太郎');
  expect(answers[0]).toMatch(/IS \[3\s*\]/);
  for (const uid of series) expect(answers[1]).toContain(uid);
  for (const uid of uids.slice(0, 2)) expect(answers[2]).toContain(uid);
  expect(answers[2]).not.toContain(uids[2]);
});

test.skipIf(!hasDcmtk)('a workstation finds only the series of a request (needs dcmtk)', async () => {
  const tenant = await world.newTenant();
  const titles = await addDevice(world, tenant);
  const uids = { StudyInstanceUID: newUid(), PatientID: 'P' };
  const [seriesUid, other] = [newUid(), newUid()];
  await store(tenant, [
    image({ ...uids, SeriesInstanceUID: seriesUid, RequestAttributesSequence: [{ RequestedProcedureID: 'RP-1' }] }),
    image({ ...uids, SeriesInstanceUID: other, RequestAttributesSequence: [{ RequestedProcedureID: 'RP-2' }] }),
  ]);
  const folder = await newFolder();

  const keys = [
    'QueryRetrieveLevel=SERIES',
    `StudyInstanceUID=${uids.StudyInstanceUID}`,
    'SeriesInstanceUID',
    'RequestAttributesSequence[0].RequestedProcedureID=RP-1',
    'RequestAttributesSequence[0].ScheduledProcedureStepID',
  ].flatMap((key) => ['-k', key]);
  const { status } = await runDcmtk('findscu', '-S', '-X', '-od', folder, ...keys, ...to(titles));

  const responses = (await filesIn(folder)).map((file) => file.toString('latin1'));
  expect({ status, count: responses.length }).toEqual({ status: 0, count: 1 });
  expect(responses[0]).toContain(seriesUid);
  expect(responses[0]).toContain('RP-1');
});

test.skipIf(!hasDcmtk)('a workstation gets a study over its own association (needs dcmtk)', async () => {
  const tenant = await world.newTenant();
  const titles = await addDevice(world, tenant, { may_store: false });
  const { StudyInstanceUID, files } = await archived(tenant);
  await archived(tenant);
  const folder = await newFolder();

  const keys = ['-k', 'QueryRetrieveLevel=STUDY', '-k', `StudyInstanceUID=${StudyInstanceUID}`];
  const { status, output } = await runDcmtk('getscu', '-v', '-S', '-B', '-od', folder, ...keys, ...to(titles));

  expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('Success') });
  expect(digests(await filesIn(folder))).toEqual(digests(files.map(({ bytes }) => bytes)));
});

test.skipIf(!hasDcmtk)(
  'a workstation sends a series to another device of the tenant by C-MOVE (needs dcmtk)',
  async () => {
    const tenant = await world.newTenant();
    const titles = await addDevice(world, tenant);
    const port = await freePort();
    const target = await addDevice(world, tenant, { called_ae_title: titles.called, host: '127.0.0.1', port });
    const { StudyInstanceUID, series, files } = await archived(tenant);
    const folder = await newFolder();
    const listener = spawn('storescp', ['+B', '-od', folder, String(port)], { stdio: 'ignore' });
    onTestFinished(() => void listener.kill('SIGKILL'));
    await untilListening(port);

    const keys = [
      'QueryRetrieveLevel=SERIES',
      `StudyInstanceUID=${StudyInstanceUID}`,
      `SeriesInstanceUID=${series[0]}`,
    ].flatMap((key) => ['-k', key]);
    const sent = await runDcmtk('movescu', '-v', '-S', '-aem', target.calling, ...keys, ...to(titles));
    const unknown = await runDcmtk('movescu', '-v', '-S', '-aem', 'NOBODY', ...keys, ...to(titles));

    expect(sent).toMatchObject({ status: 0, output: expect.stringContaining('Success') });
    expect(digests(await filesIn(folder))).toEqual(digests(files.slice(0, 2).map(({ bytes }) => bytes)));
    expect(unknown.output).toMatch(/MoveDestinationUnknown|0xa801/i);
  },
);

test.skipIf(!hasDcmtk)(
  'sends images to a device that knows only the default transfer syntax (needs dcmtk)',
  async () => {
    const tenant = await world.newTenant();
    const titles = await addDevice(world, tenant);
    const port = await freePort();
    const target = await addDevice(world, tenant, { called_ae_title: titles.called, host: '127.0.0.1', port });
    const differences = { RequestAttributesSequence: [{ RequestedProcedureID: 'RP-1' }] };
    const { StudyInstanceUID, files } = await archived(tenant, differences);
    const [folder, sourceFolder] = [await newFolder(), await newFolder()];
    const listener = spawn('storescp', ['+xi', '+B', '-od', folder, String(port)], { stdio: 'ignore' });
    onTestFinished(() => void listener.kill('SIGKILL'));
    await untilListening(port);
    const paths = files.map((_, index) => join(sourceFolder, `${index}.dcm`));
    await Promise.all(files.map(({ bytes }, index) => writeFile(paths[index] ?? '', bytes)));
    for (const path of paths) await runDcmtk('dcmconv', '+ti', '+e', path, path);

    const keys = ['-k', 'QueryRetrieveLevel=STUDY', '-k', `StudyInstanceUID=${StudyInstanceUID}`];
    const sent = await runDcmtk('movescu', '-v', '-S', '-aem', target.calling, ...keys, ...to(titles));

    expect(sent).toMatchObject({ status: 0, output: expect.stringContaining('Success') });
    expect(digests(await filesIn(folder))).toEqual(digests(await filesIn(sourceFolder)));
  },
);

test('another Radwork imports from us by DIMSE and receives compressed images unchanged', async () => {
  const tenant = await world.newTenant();
  const { called, calling } = await addDevice(world, tenant);
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), PatientID: 'P-1' };
  const jpeg = { transferSyntaxUID: '1.2.840.10008.1.2.4.90', pixelData: [Buffer.alloc(700_000, 5)] };
  const files = [image({ ...uids, SOPInstanceUID: newUid() }), image({ ...uids, SOPInstanceUID: newUid() }, jpeg)];
  await store(tenant, files);
  const source = createDimseSource({
    peer: { host: '127.0.0.1', port: gateway.port, calledAeTitle: called, callingAeTitle: calling },
    locate: async (address) => ({ address }),
    mostInstanceBytes: 1 << 30,
    arrivals: undefined,
  });
  const { signal } = new AbortController();

  const { instances } = await source.listInstances(uids.StudyInstanceUID, signal);
  const received: Buffer[] = [];
  for await (const { body } of source.retrieve(uids.StudyInstanceUID, instances, signal)) {
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk);
    received.push(Buffer.concat(chunks));
  }

  expect(await source.test(signal)).toBe('RADWORK');
  expect(digests(received)).toEqual(digests(files.map(({ bytes }) => bytes)));
});

test.skipIf(!hasDcmtk)(
  'a device finds nothing of another tenant, and cannot search without permission (needs dcmtk)',
  async () => {
    const [tenant, other] = [await world.newTenant(), await world.newTenant()];
    const [stranger, mute] = [await addDevice(world, other), await addDevice(world, tenant, { may_query: false })];
    const { StudyInstanceUID } = await archived(tenant);
    const folder = await newFolder();
    const keys = ['-k', 'QueryRetrieveLevel=STUDY', '-k', `StudyInstanceUID=${StudyInstanceUID}`];

    const queried = await runDcmtk('findscu', '-S', '-X', '-od', folder, ...keys, ...to(stranger));
    const retrieved = await runDcmtk('getscu', '-S', '-od', folder, ...keys, ...to(stranger));
    const refused = await runDcmtk('findscu', '-S', '-X', '-od', folder, ...keys, ...to(mute));

    expect([queried.status, retrieved.status]).toEqual([0, 0]);
    expect(refused.output).toContain('No Acceptable Presentation Contexts');
    expect(await readdir(folder)).toEqual([]);
  },
);

test.skipIf(!hasDcmtk)('audits queries and retrievals under the AE title of the device (needs dcmtk)', async () => {
  const tenant = await world.newTenant();
  const titles = await addDevice(world, tenant);
  const { StudyInstanceUID } = await archived(tenant);
  const folder = await newFolder();
  const keys = ['-k', 'QueryRetrieveLevel=STUDY', '-k', `StudyInstanceUID=${StudyInstanceUID}`];

  await runDcmtk('findscu', '-S', ...keys, ...to(titles));
  await runDcmtk('getscu', '-S', '-od', folder, ...keys, ...to(titles));

  const entries = await world.inTenant(tenant, ({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['action', 'username'])
      .where('username', '=', titles.calling)
      .orderBy('id')
      .execute(),
  );
  expect(entries.map(({ action }) => action)).toEqual(['archive.query', 'study.retrieve']);
});
