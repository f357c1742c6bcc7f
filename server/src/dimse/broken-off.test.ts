import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { newUid } from '@radwork/dicom/uid';
import { afterAll, expect, test } from 'vitest';
import { storeInstances } from '#archive/store.ts';
import { systemSession } from '#core/scope.ts';
import { letIn, listenForDevices, type Titles } from '#test/device.ts';
import { image } from '#test/upload.ts';
import { createWorld, type Tenant } from '#test/world.ts';
import { createDimseSource } from './dimse-source.ts';

const world = await createWorld();
const gateway = await listenForDevices(world);
afterAll(gateway.close);

/** Of such an image the archive has announced a part before it can see that the rest is not there. */
const largerThanReadAhead = 1000;

const square = (size = 0) => ({ Rows: size, Columns: size });

/** A study of square images of these sizes, and the files they are kept in. */
const archived = async (tenant: Tenant, sizes: number[]) => {
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), PatientID: newUid() };
  const names = sizes.map(() => newUid());
  const uploads = names.map((SOPInstanceUID, index) => {
    const { name, bytes } = image({ ...uids, ...square(sizes[index]), SOPInstanceUID, InstanceNumber: index + 1 });
    return { name, body: Readable.from([bytes]) };
  });
  const { refused } = await storeInstances(world.context, systemSession(tenant.id), uploads);
  expect(refused).toEqual([]);
  const rows = await world.inTenant(tenant, ({ db }) =>
    db.selectFrom('instances').select('sha256').orderBy('instance_number').execute(),
  );
  const stored = await readdir(join(world.dataDir, 'archive'), { recursive: true });
  const files = rows.map(({ sha256 }) => {
    const path = stored.find((one) => one.endsWith(sha256.toString('hex'))) ?? '';
    return join(world.dataDir, 'archive', path);
  });
  return { studyUid: uids.StudyInstanceUID, uids: names, files };
};

const sourceOf = ({ called, calling }: Titles, mostInstanceBytes: number) =>
  createDimseSource({
    peer: { host: '127.0.0.1', port: gateway.port, calledAeTitle: called, callingAeTitle: calling },
    locate: async (address) => ({ address }),
    mostInstanceBytes,
    arrivals: undefined,
  });

/** As an import stores: a file that broke off is not the end. */
const isWhole = async (body: AsyncIterable<Buffer>): Promise<boolean> => {
  try {
    for await (const piece of body) expect(piece.length).toBeGreaterThan(0);
    return true;
  } catch {
    return false;
  }
};

test('an image at which an archive breaks C-GET off keeps none of those behind it away', async () => {
  const there = await world.newTenant();
  const { called, calling } = await letIn(world, there);
  const { studyUid, uids, files } = await archived(there, Array(6).fill(largerThanReadAhead));
  for (const damaged of [files[1], files[3]]) await truncate(damaged ?? '', 1_500_000);
  const source = sourceOf({ called, calling }, 1 << 30);
  const { signal } = new AbortController();
  const { instances: listed } = await source.listInstances(studyUid, signal);

  const arrived: string[] = [];
  const retrieving = (async () => {
    for await (const { name, body } of source.retrieve(studyUid, listed, signal)) {
      if (await isWhole(body)) arrived.push(name);
    }
  })();

  await expect(retrieving).rejects.toMatchObject({
    name: 'RemoteError',
    message: expect.stringContaining('broke the association off'),
  });
  expect(arrived).toEqual([0, 2, 4, 5].map((index) => uids[index]));
});

test('an image that is larger than this server takes keeps none of those behind it away, and is told of', async () => {
  const there = await world.newTenant();
  const titles = await letIn(world, there);
  const { studyUid, uids } = await archived(there, [100, 2000, 100]);
  const most = 1 << 20;
  const source = sourceOf(titles, most);
  const { signal } = new AbortController();
  const { instances: listed } = await source.listInstances(studyUid, signal);

  const arrived: string[] = [];
  const retrieving = (async () => {
    for await (const { name, body } of source.retrieve(studyUid, listed, signal)) {
      let length = 0;
      for await (const piece of body) {
        length += piece.length;
        if (length > most) break;
      }
      if (length <= most) arrived.push(name);
    }
  })();

  await expect(retrieving).rejects.toMatchObject({ message: expect.stringContaining('larger than this server takes') });
  expect(arrived).toEqual([uids[0], uids[2]]);
});
