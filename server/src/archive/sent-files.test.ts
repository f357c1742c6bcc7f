import { once } from 'node:events';
import { connect } from 'node:net';
import { newUid } from '@radwork/dicom/uid';
import { expect, onTestFinished, test } from 'vitest';
import { getFrom, partsOf, storeAs } from '#test/archive.ts';
import { image } from '#test/upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const address = await world.app.listen({ port: 0, host: '127.0.0.1' });

/** Stores a series of images with so many bytes of pixels. */
const withSeries = async (sizes: readonly number[]) => {
  const person = await world.signIn();
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), PatientID: 'P' };
  const stored = sizes.map((size, index) =>
    image(
      { ...uids, InstanceNumber: index + 1, Rows: size / 2000, Columns: 1000 },
      { pixelData: Buffer.alloc(size, index + 1) },
    ),
  );
  await storeAs(person, ...stored);
  return { person, path: `/studies/${uids.StudyInstanceUID}/series/${uids.SeriesInstanceUID}`, stored };
};

const filesFrom = async (person: Person, path: string) =>
  (await partsOf(await getFrom(person, path))).map(({ body }) => body);

/** Begins to download over a connection of its own, and reads no more than the first bytes. */
const downloadSlowly = async ({ token }: Person, path: string) => {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`GET /api/wado-rs${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
};

/** How many files are read at once from now on. */
const watchReading = () => {
  const { blobs } = world.context;
  const { readFiles } = blobs;
  const counts: number[] = [];
  blobs.readFiles = (tenantId, target, files) => {
    counts.push(files.length);
    return readFiles(tenantId, target, files);
  };
  onTestFinished(() => {
    blobs.readFiles = readFiles;
  });
  return counts;
};

test('small and large files of a series come whole and in order, to several at once', async () => {
  const { person, path, stored } = await withSeries([
    2000, 900_000, 900_000, 4_300_000, 2000, 2000, 2_000_000, 900_000,
  ]);

  const answers = await Promise.all(Array.from({ length: 5 }, () => filesFrom(person, path)));

  for (const files of answers) {
    expect(files).toHaveLength(stored.length);
    expect(files.every((file, index) => stored[index]?.bytes.equals(file))).toBe(true);
  }
});

test('files are read several at a time, and one at a time while many download slowly', async () => {
  const { person, path } = await withSeries(Array.from({ length: 20 }, () => 900_000));
  const counts = watchReading();

  await filesFrom(person, path);
  const alone = counts.splice(0);
  const sockets = [];
  for (let number = 0; number < 40; number += 1) sockets.push(await downloadSlowly(person, path));
  counts.splice(0);
  await filesFrom(person, path);
  const amongMany = counts.splice(0);
  for (const socket of sockets) socket.destroy();

  expect(alone).toEqual(Array.from({ length: 10 }, () => 2));
  // Those who are slow may go on reading meanwhile.
  expect(amongMany.length).toBeGreaterThanOrEqual(20);
  expect(new Set(amongMany)).toEqual(new Set([1]));
  await expect
    .poll(
      async () => {
        await filesFrom(person, path);
        return counts.splice(0).length;
      },
      { timeout: 20_000 },
    )
    .toBe(10);
});

test('a download breaks off when a file has gone, and is not taken for whole', async () => {
  const { person, path, stored } = await withSeries([2000, 900_000, 900_000, 1_000_000]);
  const { sha256 } = await person.inScope(({ db }) =>
    db
      .selectFrom('instances')
      .select('sha256')
      .where('size', '=', stored[3]?.bytes.length ?? 0)
      .executeTakeFirstOrThrow(),
  );
  await world.context.blobs.remove(person.tenant.id, sha256.toString('hex'));

  const answer = await fetch(`${address}/api/wado-rs${path}`, { headers: { authorization: `Bearer ${person.token}` } });

  expect(answer.status).toBe(200);
  await expect(answer.arrayBuffer()).rejects.toThrow('terminated');
});
