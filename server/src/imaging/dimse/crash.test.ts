import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newUid } from '@radwork/dicom/uid';
import { expect, onTestFinished, test } from 'vitest';
import { hasDcmtk, runDcmtk } from '#test/dcmtk.ts';
import { addDevice } from '#test/dimse-device.ts';
import { lineStarting, startServer } from '#test/server-process.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();

/** Starts a whole server on the test's database and store, and reads its DIMSE port. */
const start = async () => {
  // The setting must contain a host, even if the database uses a Unix socket.
  const DATABASE_URL = world.url.replace('@/', '@localhost/');
  const server = startServer({ DATABASE_URL, DATA_DIR: world.dataDir, DIMSE_PORT: '0' });
  const port = (await lineStarting(server, 'DIMSE is on ')).replace(/.*:/, '');
  return { ...server, port };
};

test.skipIf(!hasDcmtk)(
  'after the server is killed, acknowledged images are complete, and other images leave nothing (needs dcmtk)',
  async () => {
    const tenant = await world.newTenant();
    const { called, calling } = await addDevice(world, tenant);
    const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), PatientID: newUid() };
    const files = Array.from({ length: 300 }, (_, index) =>
      image({ ...uids, SOPInstanceUID: newUid(), InstanceNumber: index }),
    );
    const folder = await mkdtemp(join(tmpdir(), 'radwork-crash-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const paths = files.map((_, index) => join(folder, `${index}.dcm`));
    await Promise.all(files.map(({ bytes }, index) => writeFile(paths[index] ?? '', bytes)));
    const rowsOf = () =>
      world.inTenant(tenant, ({ db }) => db.selectFrom('instances').select(['sha256', 'size']).execute());
    const { child, ended, port } = await start();

    const sending = runDcmtk('storescu', '-v', '-aet', calling, '-aec', called, '127.0.0.1', port, ...paths);
    await expect.poll(async () => (await rowsOf()).length, { interval: 5, timeout: 20_000 }).toBeGreaterThan(5);
    child.kill('SIGKILL');
    const { output } = await sending;
    const acknowledged = output.split('Received Store Response (Success)').length - 1;

    await ended;
    const rows = await rowsOf();
    const again = await start();
    const echo = await runDcmtk('echoscu', '-aet', calling, '-aec', called, '127.0.0.1', again.port);

    expect(rows.length).toBeGreaterThanOrEqual(acknowledged);
    expect(rows.length).toBeLessThanOrEqual(acknowledged + 1);
    for (const { sha256, size } of rows) {
      const hash = createHash('sha256');
      for await (const chunk of world.context.blobs.stream(tenant.id, sha256.toString('hex'))) hash.update(chunk);
      expect({ size, sha256: hash.digest('hex') }).toEqual({ size, sha256: sha256.toString('hex') });
    }
    expect(await readdir(join(world.dataDir, 'archive', 'incoming'))).toEqual([]);
    expect(echo.status).toBe(0);
  },
  90_000,
);
