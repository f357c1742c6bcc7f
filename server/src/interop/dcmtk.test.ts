import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newUid } from '@radwork/dicom/uid';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, untilListening } from '#test/ports.ts';
import { hasDcmtk, runDcmtk } from '#test/dcmtk.ts';
import { addDevice } from '#test/dimse-device.ts';
import { lineStarting } from '#test/server-process.ts';
import { serve } from '#test/served-world.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';

// Tests the tools of dcmtk with a server in a separate process. Tests in #imaging/dimse cover the details of each
// service.

const world = await createWorld();

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-dcmtk-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** A study of two series, as files. */
const writeStudy = async (folder: string): Promise<{ studyInstanceUID: string; paths: string[] }> => {
  const study = { StudyInstanceUID: newUid(), PatientID: newUid().slice(-12), PatientName: 'Müller^Zoë' };
  const series = [newUid(), newUid()];
  const paths = Array.from({ length: 6 }, (_, index) => join(folder, `${index}.dcm`));
  for (const [index, path] of paths.entries()) {
    const uids = { SeriesInstanceUID: series[index % 2] ?? '', SOPInstanceUID: newUid() };
    await writeFile(path, image({ ...study, ...uids, InstanceNumber: index }).bytes);
  }
  return { studyInstanceUID: study.StudyInstanceUID, paths };
};

/**
 * Returns hashes of the data sets in a folder. Leaves out the meta information, because every program rewrites it
 * (PS3.10 §7.1).
 */
const dataSetsIn = async (folder: string): Promise<string[]> => {
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))));
  const digest = (file: Buffer) => createHash('sha256').update(file.subarray(144 + file.readUInt32LE(140)));
  return files.map((file) => digest(file).digest('hex')).toSorted();
};

test.skipIf(!hasDcmtk)(
  'dcmtk verifies the connection, and stores, finds, gets and moves a study (skipped without dcmtk)',
  async () => {
    const tenant = await world.newTenant();
    const { called, calling } = await addDevice(world, tenant);
    const another = { called_ae_title: called, host: '127.0.0.1', port: await freePort() };
    const { calling: destination } = await addDevice(world, tenant, another);
    const REMOTE_ALLOW = `net=127.0.0.1 ports=${another.port} protocols=dicom`;
    const server = serve(world, { DIMSE_PORT: '0', REMOTE_ALLOW });
    const port = (await lineStarting(server, 'DIMSE is on ')).replace(/.*:/, '');
    const us = ['-aet', calling, '-aec', called, '127.0.0.1', port];
    const folders = {
      sent: await newFolder(),
      found: await newFolder(),
      got: await newFolder(),
      moved: await newFolder(),
    };
    const { studyInstanceUID, paths } = await writeStudy(folders.sent);
    const study = ['-S', '-k', 'QueryRetrieveLevel=STUDY', '-k', `StudyInstanceUID=${studyInstanceUID}`];
    const listener = spawn('storescp', ['+B', '-od', folders.moved, String(another.port)], { stdio: 'ignore' });
    onTestFinished(() => void listener.kill('SIGKILL'));
    await untilListening(another.port);

    const verified = await runDcmtk('echoscu', ...us);
    const stored = await runDcmtk('storescu', ...us, ...paths);
    const queried = await runDcmtk('findscu', '-X', '-od', folders.found, ...study, ...us);
    const retrieved = await runDcmtk('getscu', '-B', '-od', folders.got, ...study, ...us);
    const moved = await runDcmtk('movescu', '-aem', destination, ...study, ...us);

    expect([verified, stored, queried, retrieved, moved].map(({ status }) => status)).toEqual([0, 0, 0, 0, 0]);
    expect((await readdir(folders.found)).length).toBe(1);
    const sent = await dataSetsIn(folders.sent);
    expect(await dataSetsIn(folders.got)).toEqual(sent);
    expect(await dataSetsIn(folders.moved)).toEqual(sent);
  },
  120_000,
);
