import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { newUid } from '@radwork/dicom/uid';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { storeInstances } from '#imaging/archive/store/store-instances.ts';
import { systemSession } from '#core/access/scope.ts';
import { storeAs } from '#test/archive-calls.ts';
import { hasDcmtk, runDcmtk } from '#test/dcmtk.ts';
import { type OtherArchive, startDcmqrscp } from '#test/dcmqrscp.ts';
import { addDevice, listenForDevices } from '#test/dimse-device.ts';
import { image, type TestFile } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { arrivedInstancesOf } from '#imaging/dimse/arrived-instances.ts';
import { createDimseSource } from './dimse-source.ts';
import { readRemoteAddress } from '#imaging/dimse/remote-address.ts';

const world = await createWorld();
const gateway = await listenForDevices(world);
afterAll(gateway.close);

const noKeys = {
  patientName: '',
  patientId: '',
  accessionNumber: '',
  modality: '',
  studyInstanceUID: '',
  studyDate: '',
};
const noSignal = new AbortController().signal;
const locate = async (address: string) => ({ address });

const sourceOf = ({ port, title }: Pick<OtherArchive, 'port' | 'title'>, differences: object = {}) =>
  createDimseSource({
    peer: readRemoteAddress({ baseUrl: `dicom://127.0.0.1:${port}/RADWORK`, aeTitle: title }),
    locate,
    mostInstanceBytes: 1 << 30,
    arrivals: undefined,
    ...differences,
  });

const onDisk = async (files: readonly TestFile[]): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-dimse-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const paths = files.map((_, index) => join(folder, `${index}.dcm`));
  await Promise.all(files.map(({ bytes }, index) => writeFile(paths[index] ?? '', bytes)));
  return paths;
};

const jpegLossless = '1.2.840.10008.1.2.4.70';

/** A study of two series. `second` is the transfer syntax of the second series if it is compressed. */
const study = (count: number, second?: string) => {
  const uids = { StudyInstanceUID: newUid(), PatientID: newUid().slice(-12), PatientName: 'Müller^Zoë' };
  const series = [newUid(), newUid()];
  const instances = Array.from({ length: count }, (_, index) => {
    const names = { SeriesInstanceUID: series[index % 2] ?? '', SOPInstanceUID: newUid() };
    const form = second && index % 2 === 1 ? { transferSyntaxUID: second, pixelData: [Buffer.alloc(600, index)] } : {};
    return { ...names, file: image({ ...uids, ...names }, form) };
  });
  return { ...uids, instances };
};

/** The data set of a file, without preamble and meta information (PS3.10 §7.1). */
const dataSetOf = (file: Buffer): string => file.subarray(144 + file.readUInt32LE(140)).toString('base64');

const readAll = async (
  files: AsyncIterable<{ name: string; body: AsyncIterable<Buffer> }>,
  read = new Map<string, string>(),
) => {
  for await (const { name, body } of files) {
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(Buffer.from(chunk));
    read.set(name, dataSetOf(Buffer.concat(chunks)));
  }
  return read;
};

test.skipIf(!hasDcmtk)(
  'tests, searches and lists a remote archive and retrieves from it by C-GET (needs dcmtk)',
  async () => {
    const other = await startDcmqrscp({ title: 'RADWORK', port: gateway.port });
    const { StudyInstanceUID, PatientID, instances } = study(6, jpegLossless);
    await other.send(...(await onDisk([...instances, ...study(1).instances].map(({ file }) => file))));
    const source = sourceOf(other);

    const says = await source.test(noSignal);
    const all = await source.searchStudies(noKeys, 100, noSignal);
    const first = await source.searchStudies(noKeys, 1, noSignal);
    const searched = await source.searchStudies(
      { ...noKeys, patientName: 'Müller', patientId: PatientID },
      100,
      noSignal,
    );
    const { instances: listedInstances } = await source.listInstances(StudyInstanceUID, noSignal);
    const allFiles = await readAll(source.retrieve(StudyInstanceUID, listedInstances, noSignal));
    const some = await readAll(source.retrieve(StudyInstanceUID, listedInstances.slice(0, 2), noSignal));

    expect(says).toMatch(/^OFFIS_DCMTK_/);
    expect([all.studies.length, all.hasMore, first.studies.length, first.hasMore]).toEqual([2, false, 1, true]);
    expect(searched.studies).toMatchObject([
      { studyInstanceUID: StudyInstanceUID, patientId: PatientID, patientName: 'Müller, Zoë', studyDate: '2026-11-02' },
    ]);
    const expected = instances.map(({ SOPInstanceUID, file }) => [SOPInstanceUID, dataSetOf(file.bytes)] as const);
    expect(new Set(listedInstances.map(({ sopInstanceUID }) => sopInstanceUID))).toEqual(
      new Set(expected.map(([uid]) => uid)),
    );
    expect(allFiles).toEqual(new Map(expected));
    expect([...some.keys()].toSorted()).toEqual(
      listedInstances
        .slice(0, 2)
        .map(({ sopInstanceUID }) => sopInstanceUID)
        .toSorted(),
    );
  },
);

test.skipIf(!hasDcmtk)(
  'an import by C-GET stores nothing new for an image that a device already sent (needs dcmtk)',
  async () => {
    const tenant = await world.newTenant();
    const { called, calling } = await addDevice(world, tenant);
    const other = await startDcmqrscp({ title: 'RADWORK', port: gateway.port });
    const { StudyInstanceUID, instances } = study(1);
    const paths = await onDisk(instances.map(({ file }) => file));
    await other.send(...paths);
    await runDcmtk('storescu', '-aet', calling, '-aec', called, '127.0.0.1', String(gateway.port), ...paths);
    const source = sourceOf(other);
    const { instances: listedInstances } = await source.listInstances(StudyInstanceUID, noSignal);

    const { stored, refused } = await storeInstances(
      world.context,
      systemSession(tenant.id),
      source.retrieve(StudyInstanceUID, listedInstances, noSignal),
    );

    expect({ stored: stored.length, refused }).toEqual({ stored: 1, refused: [] });
  },
);

test.skipIf(!hasDcmtk)('an archive without C-GET sends the images to our gateway by C-MOVE (needs dcmtk)', async () => {
  const tenant = await world.newTenant();
  const titles = await addDevice(world, tenant, { calling_ae_title: 'OTHER' });
  const other = await startDcmqrscp({ title: titles.called, port: gateway.port }, '--disable-get');
  const { StudyInstanceUID, instances } = study(4);
  await other.send(...(await onDisk(instances.map(({ file }) => file))));
  const peer = readRemoteAddress({
    baseUrl: `dicom://OTHER@127.0.0.1:${other.port}/${titles.called}`,
    aeTitle: 'Archive',
  });
  const source = sourceOf(other, { peer, arrivals: arrivedInstancesOf(world.context, tenant.id) });
  const { instances: listedInstances } = await source.listInstances(StudyInstanceUID, noSignal);

  const arrived = await readAll(source.retrieve(StudyInstanceUID, listedInstances, noSignal));
  const alone = readAll(sourceOf(other).retrieve(StudyInstanceUID, listedInstances, noSignal));

  const expected = instances.map(({ SOPInstanceUID, file }) => [SOPInstanceUID, dataSetOf(file.bytes)] as const);
  expect(arrived).toEqual(new Map(expected));
  await expect(alone).rejects.toMatchObject({
    remoteCause: 'WRONG_SERVICE',
    message: expect.stringContaining('C-MOVE needs the setting DIMSE_PORT on this server'),
  });
});

test.skipIf(!hasDcmtk)(
  'when C-MOVE sends nothing of one series, the import still receives the other series (needs dcmtk)',
  async () => {
    const tenant = await world.newTenant();
    const titles = await addDevice(world, tenant, { calling_ae_title: 'OTHER' });
    const other = await startDcmqrscp({ title: titles.called, port: gateway.port }, '--disable-get');
    const { StudyInstanceUID, PatientID } = study(0);
    const instances = Array.from({ length: 3 }, () => {
      const names = { StudyInstanceUID, PatientID, SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
      return { ...names, file: image(names) };
    });
    await other.send(...(await onDisk(instances.map(({ file }) => file))));
    const peer = readRemoteAddress({
      baseUrl: `dicom://OTHER@127.0.0.1:${other.port}/${titles.called}`,
      aeTitle: 'Archive',
    });
    const source = sourceOf(other, { peer, arrivals: arrivedInstancesOf(world.context, tenant.id) });
    const { instances: listedInstances } = await source.listInstances(StudyInstanceUID, noSignal);
    const [first, ...others] = listedInstances.map(({ sopInstanceUID }) => sopInstanceUID);
    // Stores the same instance in another study first, so that our gateway refuses it.
    const { stored } = await storeInstances(world.context, systemSession(tenant.id), [
      { name: '', body: Readable.from([image({ SOPInstanceUID: first ?? '' }).bytes]) },
    ]);

    const arrived = new Map<string, string>();
    const retrieving = readAll(source.retrieve(StudyInstanceUID, listedInstances, noSignal), arrived);

    await expect(retrieving).rejects.toMatchObject({
      remoteCause: 'OTHER',
      message: expect.stringContaining('(status B000)'),
    });
    expect(stored).toHaveLength(1);
    expect(others).toHaveLength(2);
    expect([...arrived.keys()]).toEqual(expect.arrayContaining(others));
  },
);

test.skipIf(!hasDcmtk)('never asks an archive to send to an AE title of another tenant (needs dcmtk)', async () => {
  const [theirs, ours] = [await world.newTenant(), await world.newTenant()];
  const titles = await addDevice(world, theirs, { calling_ae_title: 'OTHER' });
  const own = { may_store: false, called_ae_title: `${titles.called.slice(0, -1)}X` };
  await addDevice(world, ours, { calling_ae_title: 'OTHER', ...own });
  const other = await startDcmqrscp({ title: titles.called, port: gateway.port }, '--disable-get');
  const { StudyInstanceUID, instances } = study(1);
  await other.send(...(await onDisk(instances.map(({ file }) => file))));
  const retrieveAs = async (title: string) => {
    const peer = readRemoteAddress({ baseUrl: `dicom://OTHER@127.0.0.1:${other.port}/${title}`, aeTitle: 'Archive' });
    const source = sourceOf(other, { peer, arrivals: arrivedInstancesOf(world.context, ours.id) });
    const { instances: listedInstances } = await source.listInstances(StudyInstanceUID, noSignal);
    return readAll(source.retrieve(StudyInstanceUID, listedInstances, noSignal));
  };

  const outcomes = await Promise.allSettled([retrieveAs(titles.called), retrieveAs(own.called_ae_title)]);

  const message = expect.stringContaining('Ask an administrator to create a DICOM device');
  const refused = { status: 'rejected', reason: { name: 'RemoteError', message } };
  expect(outcomes).toMatchObject([refused, refused]);
  const stored = await world.inTenant(theirs, ({ db }) => db.selectFrom('instances').select('id').execute());
  expect(stored).toEqual([]);
});

test('an instance whose file is missing in our store does not count as received', async () => {
  const person = await world.signIn();
  const { instances } = study(2);
  await storeAs(person, ...instances.map(({ file }) => file));
  const uids = instances.map(({ SOPInstanceUID }) => SOPInstanceUID);
  await person.inScope(({ db }) =>
    db
      .updateTable('instances')
      .set({ missing_since: '2026-11-20T09:30:00Z' })
      .where('sop_instance_uid', '=', uids[0] ?? '')
      .execute(),
  );

  const arrived = await readAll(arrivedInstancesOf(world.context, person.tenant.id).stored(uids));

  expect([...arrived.keys()]).toEqual(uids.slice(1));
});
