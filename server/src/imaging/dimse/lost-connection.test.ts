import { truncate } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { archivedImages } from '#test/archived-images.ts';
import { addDevice, listenForDevices, type Titles } from '#test/dimse-device.ts';
import { createWorld } from '#test/world.ts';
import { createDimseSource } from '#imaging/remote-archives/dimse-source.ts';

const world = await createWorld();
const gateway = await listenForDevices(world);
afterAll(gateway.close);

/**
 * Number of rows and columns of an image that is larger than `readAhead`. The archive has sent a part of it before it
 * notices that the rest is missing.
 */
const largerThanReadAhead = 1000;

const sourceOf = ({ called, calling }: Titles, mostInstanceBytes: number) =>
  createDimseSource({
    peer: { host: '127.0.0.1', port: gateway.port, calledAeTitle: called, callingAeTitle: calling },
    locate: async (address) => ({ address }),
    mostInstanceBytes,
    arrivals: undefined,
  });

/** Reads a file like an import does: a broken file does not end the import. */
const isWhole = async (body: AsyncIterable<Buffer>): Promise<boolean> => {
  try {
    for await (const chunk of body) expect(chunk.length).toBeGreaterThan(0);
    return true;
  } catch {
    return false;
  }
};

test('when an archive aborts C-GET at a damaged image, the images after it still arrive', async () => {
  const otherTenant = await world.newTenant();
  const { called, calling } = await addDevice(world, otherTenant);
  const { studyUid, uids, files } = await archivedImages(world, otherTenant, Array(6).fill(largerThanReadAhead));
  for (const damaged of [files[1], files[3]]) await truncate(damaged ?? '', 1_500_000);
  const source = sourceOf({ called, calling }, 1 << 30);
  const { signal } = new AbortController();
  const { instances } = await source.listInstances(studyUid, signal);

  const arrived: string[] = [];
  const retrieving = (async () => {
    for await (const { name, body } of source.retrieve(studyUid, instances, signal)) {
      if (await isWhole(body)) arrived.push(name);
    }
  })();

  await expect(retrieving).rejects.toMatchObject({
    name: 'RemoteError',
    message: expect.stringContaining('closed the association'),
  });
  expect(arrived).toEqual([0, 2, 4, 5].map((index) => uids[index]));
});

test('an image above the size limit is reported, and the images after it still arrive', async () => {
  const otherTenant = await world.newTenant();
  const titles = await addDevice(world, otherTenant);
  const { studyUid, uids } = await archivedImages(world, otherTenant, [100, 2000, 100]);
  const most = 1 << 20;
  const source = sourceOf(titles, most);
  const { signal } = new AbortController();
  const { instances } = await source.listInstances(studyUid, signal);

  const arrived: string[] = [];
  const retrieving = (async () => {
    for await (const { name, body } of source.retrieve(studyUid, instances, signal)) {
      let length = 0;
      for await (const chunk of body) {
        length += chunk.length;
        if (length > most) break;
      }
      if (length <= most) arrived.push(name);
    }
  })();

  await expect(retrieving).rejects.toMatchObject({
    message: expect.stringContaining('larger than the limit of this server'),
  });
  expect(arrived).toEqual([uids[0], uids[2]]);
});
