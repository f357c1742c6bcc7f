import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { emptyDatabase, installed, newFolder, secretOf, type Settings } from '#test/backup-folders.ts';
import { runCommand, startCommand } from '#test/run-command.ts';
import { startServer } from '#test/server-process.ts';
import { image, type TestFile } from '#test/multipart-upload.ts';
import { createWorld, type Person, type World } from '#test/world.ts';

// Tests a deployment that encrypts stored images.

const STORAGE_KEY = 'the-storage-key-of-this-deployment-1';
const name = 'Perihelion^Rosa';

const world = await createWorld({ STORAGE_KEY });
const source = { ...(await installed(world)), STORAGE_KEY };

/** Returns all bytes below a folder, except those of the database. */
const bytesBelow = async (folder: string): Promise<Buffer> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Buffer.concat(await Promise.all(paths.map((path) => readFile(path))));
};

const namedImage = () => image({ PatientName: name });

/**
 * Returns two images of the same length. If exchanged files had different lengths, they would be refused without being
 * read.
 */
const twoOfOneLength = (): [TestFile, TestFile] => {
  const [one, other] = [namedImage(), namedImage()];
  return one.bytes.length === other.bytes.length ? [one, other] : twoOfOneLength();
};

/** True when bytes contain the name, or the pixels at the end of a file. */
const shows = (all: Buffer, { bytes }: TestFile) => all.includes(name) || all.includes(bytes.subarray(-64));

const hashesOf = async (person: Person): Promise<string[]> => {
  const rows = await person.inScope(({ db }) => db.selectFrom('instances').select('sha256').execute());
  return rows.map(({ sha256 }) => sha256.toString('hex'));
};

const pathOf = ({ dataDir }: World, { tenant }: Person, hash: string, part = 'encrypted') =>
  join(dataDir, 'archive', part, String(tenant.id), hash.slice(0, 2), hash);

const pathsOf = async (person: Person) => {
  const rows = await person.inScope(({ db }) =>
    db
      .selectFrom('instances')
      .innerJoin('series', 'series.id', 'instances.series_id')
      .innerJoin('studies', 'studies.id', 'instances.study_id')
      .select(['study_instance_uid', 'series_instance_uid', 'sop_instance_uid'])
      .execute(),
  );
  return rows.map(
    (row) =>
      `/api/wado-rs/studies/${row.study_instance_uid}/series/${row.series_instance_uid}/instances/${row.sop_instance_uid}`,
  );
};

const get = (person: Person, url: string, accept: string) =>
  person.request({ method: 'GET', url, headers: { accept } });

test('an upload is returned unchanged, and no file in the data folder contains its name or pixels', async () => {
  const person = await world.signIn();
  const file = namedImage();
  await storeAs(person, file);
  const [path = ''] = await pathsOf(person);

  const instanceResponse = await get(person, path, 'multipart/related; type="application/dicom"');
  const frame = await get(person, `${path}/frames/1`, 'multipart/related; type="application/octet-stream"');
  const picture = await get(person, `${path}/rendered`, 'image/png');

  expect([instanceResponse.statusCode, frame.statusCode, picture.statusCode]).toEqual([200, 200, 200]);
  expect(instanceResponse.rawPayload.includes(file.bytes)).toBe(true);
  expect(file.bytes.includes(frame.rawPayload.subarray(-200, -100))).toBe(true);
  const below = () => bytesBelow(world.dataDir);
  await expect.poll(async () => (await below()).length).toBeGreaterThan(file.bytes.length + picture.rawPayload.length);
  const all = await below();
  expect(shows(all, file)).toBe(false);
  expect(all.includes(picture.rawPayload.subarray(0, 64))).toBe(false);
  expect(shows(file.bytes, file)).toBe(true);
});

test('the verify command names a changed or moved file, and its image is never shown', async () => {
  const person = await world.signIn();
  await storeAs(person, ...twoOfOneLength());
  const [first = '', second = ''] = await hashesOf(person);
  const [one, other] = [pathOf(world, person, first), pathOf(world, person, second)];
  const [original, bytes] = [await readFile(one), await readFile(other)];
  await writeFile(one, bytes);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 100) ^ 1, bytes.length - 100);
  await writeFile(other, bytes);

  const verified = await runCommand('verify', source, '--tenant', person.tenant.subdomain);
  const answers = await Promise.all(
    (await pathsOf(person)).map((path) => get(person, path, 'multipart/related; type="application/dicom"')),
  );

  expect(verified.code).toBe(1);
  for (const hash of [first, second]) expect(verified.said).toContain(`file ${hash}, the file cannot be read`);
  expect(answers.every(({ statusCode }) => statusCode >= 500)).toBe(true);
  await writeFile(one, original);
});

test('no server or command starts without the correct key, and the doctor gives the reason', async () => {
  const person = await world.signIn();
  await storeAs(person, namedImage());
  const words = /encrypted with another STORAGE_KEY[^]*Set\s+that key/;

  for (const STORAGE_KEY of ['', 'another-storage-key-than-that-of-the-store']) {
    const settings = { ...source, STORAGE_KEY };
    const [server, upkeep, doctor] = await Promise.all([
      startServer(settings).ended,
      runCommand('upkeep', settings),
      runCommand('doctor', settings),
    ]);
    expect(server).toMatchObject({ code: 1, complaint: expect.stringMatching(words) });
    expect(upkeep).toMatchObject({ code: 2, complaint: expect.stringMatching(words) });
    expect(doctor).toMatchObject({ code: 1, said: expect.stringMatching(/wrong +STORAGE_KEY: .+encrypted/) });
    expect(doctor.said).not.toContain(source.STORAGE_KEY);
  }
  const well = await runCommand('doctor', source);
  expect(well.said).toMatch(/ok +STORAGE_KEY: /);
});

test(
  'the backup of an encrypted store is not encrypted and restores into a store with or without encryption',
  { timeout: 120_000 },
  async () => {
    const person = await world.signIn();
    const file = namedImage();
    await storeAs(person, file);
    for (const hash of await hashesOf(person)) expect(existsSync(pathOf(world, person, hash))).toBe(true);
    const SECRET_KEY = await secretOf(world);
    const [folder, again] = [await newFolder(), await newFolder()];
    const [plain, encrypted] = [await emptyDatabase(), await emptyDatabase()];
    const withKey = { ...encrypted, SECRET_KEY, STORAGE_KEY: 'the-storage-key-of-another-deployment' };

    // Another test has damaged files. The backup reports them and continues.
    const backedUp = await runCommand('backup', source, folder);
    const steps = [
      await runCommand('restore', { ...plain, SECRET_KEY }, folder),
      await runCommand('backup', { ...plain, SECRET_KEY }, again),
      await runCommand('restore', withKey, again),
      await runCommand('verify', withKey),
    ];

    expect(backedUp.said).toContain('The images are encrypted in the store but not in the backup');
    expect(steps[1]?.said).not.toContain('encrypted');
    expect(steps.map(({ code }) => code).slice(0, 1)).toEqual([0]);
    expect(steps[3]?.said).toMatch(/files: [1-9]/);
    expect(shows(await bytesBelow(join(folder, 'files')), file)).toBe(true);
    expect(shows(await bytesBelow(join(plain.DATA_DIR, 'archive')), file)).toBe(true);
    const restored = await bytesBelow(join(withKey.DATA_DIR, 'archive'));
    expect(restored.length).toBeGreaterThan(file.bytes.length);
    expect(shows(restored, file)).toBe(false);
  },
);

test(
  'encrypt-store encrypts existing files, changes the key and decrypts, even after interruptions',
  { timeout: 120_000 },
  async () => {
    const before = await createWorld();
    const settings = await installed(before);
    const person = await before.signIn();
    const files = Array.from({ length: 40 }, namedImage);
    await storeAs(person, ...files);
    const hashes = await hashesOf(person);
    const [first, second] = ['the-first-key-to-encrypt-with-0123456', 'the-second-key-to-encrypt-with-012345'];
    const archive = join(before.dataDir, 'archive');
    const convert = async (keys: Settings, ...args: string[]) => {
      const broken = startCommand('encrypt-store', { ...settings, ...keys }, ...args);
      await expect.poll(() => existsSync(join(archive, 'encrypted', String(person.tenant.id)))).toBe(true);
      broken.child.kill('SIGKILL');
      await broken.ended;
      return runCommand('encrypt-store', { ...settings, ...keys }, ...args);
    };

    const unmeant = await runCommand('encrypt-store', settings);
    const encrypted = await convert({ STORAGE_KEY: first });
    const afterFirst = await bytesBelow(archive);
    const changed = await convert({ STORAGE_KEY: second, STORAGE_KEY_PREVIOUS: first });
    const withSecond = await runCommand('verify', { ...settings, STORAGE_KEY: second });
    const withFirst = await runCommand('verify', { ...settings, STORAGE_KEY: first });
    const decrypted = await convert({ STORAGE_KEY_PREVIOUS: second }, '--decrypt');
    const without = await runCommand('verify', settings);

    expect(unmeant).toMatchObject({ code: 2, complaint: expect.stringContaining('STORAGE_KEY is not set') });
    for (const done of [encrypted, changed, decrypted]) {
      expect(done).toMatchObject({ code: 0, said: expect.stringContaining('Earlier keys are no longer needed.') });
    }
    expect(files.some((file) => shows(afterFirst, file))).toBe(false);
    expect(withFirst.code).toBe(2);
    for (const verified of [withSecond, without]) {
      expect(verified).toMatchObject({ code: 0, said: expect.stringContaining(`files: ${hashes.length}`) });
    }
    for (const hash of hashes) {
      expect(existsSync(pathOf(before, person, hash))).toBe(false);
      expect(existsSync(pathOf(before, person, hash, '.'))).toBe(true);
    }
  },
);
