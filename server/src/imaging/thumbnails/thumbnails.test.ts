import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { archive, thumbnailSize } from '@radwork/contract/imaging/archive';
import { newUid } from '@radwork/dicom/uid';
import { expect, onTestFinished, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { createWado } from '#imaging/archive/dicomweb/wado-context.ts';
import { startThumbnails } from './jobs.ts';
import { renderThumbnails } from './render-thumbnails.ts';

const world = await createWorld();
const { config } = world.context;

/** Accept header of browsers for an image (web/src/ui/media/auth-image.tsx). */
const accept = 'image/jpeg, image/png;q=0.9, image/*;q=0.8';

const unexpected = (error: unknown) => {
  throw error;
};

/** Stores a study with two series of three images, each with its own pixels. */
const storedStudy = async (person: Person) => {
  const series = [newUid(), newUid()];
  const [study, PatientID] = [newUid(), newUid()];
  const files = series.flatMap((SeriesInstanceUID, place) =>
    [1, 2, 3].map((InstanceNumber) =>
      image(
        { StudyInstanceUID: study, PatientID, SeriesInstanceUID, SeriesNumber: place + 1, InstanceNumber },
        { pixelData: Buffer.alloc(512, 16 * (3 * place + InstanceNumber)) },
      ),
    ),
  );
  await storeAs(person, ...files);
  const { id } = await world.inTenant(person.tenant, ({ db }) =>
    db.selectFrom('studies').select('id').where('study_instance_uid', '=', study).executeTakeFirstOrThrow(),
  );
  return { id, study, series };
};

/** Returns the rendered images of a tenant on disk. */
const cachedBy = async ({ tenant }: Person): Promise<string[]> => {
  const folder = join(config.dataDir, 'cache', 'rendered', String(tenant.id));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
};

const renderAll = async ({ tenant }: Person, studyId: string, mayContinue = async () => true) => {
  const wado = createWado(world.context, { isBackground: true });
  await renderThumbnails(wado, { tenantId: tenant.id, studyId }, mayContinue);
  await wado.renderer.close();
};

const pathsOf = ({ study, series }: { study: string; series: readonly string[] }) => [
  `${archive.studyRendered.path.replace(':studyUid', study)}?viewport=${thumbnailSize.study},${thumbnailSize.study}`,
  ...series.map(
    (uid) => `/studies/${study}/series/${uid}/rendered?viewport=${thumbnailSize.series},${thumbnailSize.series}`,
  ),
];

test('readers get the thumbnails of a study and its series from the cache', async () => {
  const person = await world.signIn();
  const stored = await storedStudy(person);

  await renderAll(person, stored.id);
  const cached = await cachedBy(person);
  expect(cached).toHaveLength(3);

  // A marked file shows that an answer comes from the cache.
  await Promise.all(cached.map((path) => writeFile(path, 'cached')));
  const answers = await Promise.all(pathsOf(stored).map((path) => getFrom(person, path, { accept })));
  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual(answers.map(() => [200, 'cached']));
});

test('thumbnails in the background are the same as those on demand', async () => {
  const person = await world.signIn();
  const stored = await storedStudy(person);
  const [path = ''] = pathsOf(stored);
  const onDemand = await getFrom(person, path, { accept });
  const other = await world.signIn();
  const again = await storedStudy(other);

  await renderAll(other, again.id);

  const inAdvance = await getFrom(other, pathsOf(again)[0] ?? '', { accept });
  expect(inAdvance.rawPayload.equals(onDemand.rawPayload)).toBe(true);
});

test('leaves the rest of a study out when the server is no longer quiet', async () => {
  const person = await world.signIn();
  const { id } = await storedStudy(person);
  let times = 0;

  await renderAll(person, id, async () => {
    times += 1;
    return times <= 1;
  });

  expect(await cachedBy(person)).toHaveLength(1);
});

test('renders nothing of a study in the recycle bin, of a missing study or for another tenant', async () => {
  const person = await world.signIn();
  const { id } = await storedStudy(person);
  const other = await world.signIn();
  await world.inTenant(person.tenant, ({ db }) =>
    db.updateTable('studies').set({ deleted_at: new Date().toISOString() }).where('id', '=', id).execute(),
  );

  await renderAll(person, id);
  await renderAll(other, id);

  expect([await cachedBy(person), await cachedBy(other)]).toEqual([[], []]);
});

test('an image that cannot be rendered does not prevent the other thumbnails', async () => {
  const person = await world.signIn();
  const [StudyInstanceUID, PatientID] = [newUid(), newUid()];
  const jpegXl = '1.2.840.10008.1.2.4.110';
  await storeAs(
    person,
    image(
      { StudyInstanceUID, PatientID, SeriesNumber: 1 },
      { transferSyntaxUID: jpegXl, pixelData: [Buffer.from('an image')] },
    ),
    image({ StudyInstanceUID, PatientID, SeriesNumber: 2, SeriesInstanceUID: newUid() }),
  );
  const { id } = await world.inTenant(person.tenant, ({ db }) =>
    db.selectFrom('studies').select('id').where('study_instance_uid', '=', StudyInstanceUID).executeTakeFirstOrThrow(),
  );

  await renderAll(person, id);

  expect(await cachedBy(person)).toHaveLength(1);
});

const start = (isQuiet: () => Promise<boolean>) => {
  const stop = startThumbnails(world.context, unexpected, { everyMs: 5, quiet: 0, isQuiet });
  onTestFinished(stop);
  return stop;
};

test('renders the thumbnails of a study that arrives', async () => {
  start(async () => true);
  const person = await world.signIn();

  await storedStudy(person);

  await expect.poll(() => cachedBy(person), { timeout: 20_000 }).toHaveLength(3);
});

test('renders nothing while the server is busy', async () => {
  let looks = 0;
  const stop = start(async () => {
    looks += 1;
    await new Promise((done) => setImmediate(done));
    return false;
  });
  const person = await world.signIn();

  await storedStudy(person);
  await expect.poll(() => looks).toBeGreaterThan(3);
  await stop();

  expect(await cachedBy(person)).toEqual([]);
});
