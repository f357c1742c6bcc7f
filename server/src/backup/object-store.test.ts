import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { emptyDatabase, installed, newFolder, secretOf } from '#test/backup-folders.ts';
import { runCommand } from '#test/run-command.ts';
import { startS3Server } from '#test/s3-server.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';

const s3 = await startS3Server();
afterAll(() => s3.remove());

test('a backup moves the files of an object store to a folder, and then to another object store', async () => {
  const first = { STORAGE_URL: s3.url('first') };
  const world = await createWorld({ ...first, SECRET_KEY: 'the same secret for all the servers' });
  const SECRET_KEY = await secretOf(world);
  const source = { ...(await installed(world)), ...first, SECRET_KEY };
  await storeAs(await world.signIn(), image(), image(), image());
  const [ontoDisk, intoBucket] = [await emptyDatabase(), await emptyDatabase()];
  const [folder, again] = [await newFolder(), await newFolder()];

  const steps = [
    await runCommand('backup', source, folder),
    await runCommand('restore', { ...ontoDisk, SECRET_KEY }, folder),
    await runCommand('backup', { ...ontoDisk, SECRET_KEY }, again),
    await runCommand('restore', { ...intoBucket, STORAGE_URL: s3.url('second'), SECRET_KEY }, again),
  ];
  const onThisMachine = await readdir(join(intoBucket.DATA_DIR, 'object-store', 'incoming'));
  const verified = await runCommand('verify', { ...intoBucket, STORAGE_URL: s3.url('second'), SECRET_KEY });

  expect([...steps, verified].map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  expect(verified.said).toContain('files: 3');
  expect(onThisMachine).toEqual([]);
  // A restore into a bucket that contains files is refused.
  const refused = await runCommand('restore', { ...(await emptyDatabase()), ...first, SECRET_KEY }, again);
  expect(refused).toMatchObject({ code: 2, complaint: expect.stringContaining('The storage is not empty.') });
});
