import { type KeyImageForm, keyImages } from '@radwork/contract/reading/key-images';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { storeAs } from '#test/archive-calls.ts';
import { listeningTo } from '#test/listen-live.ts';
import { beginReport, reportSteps, sortedStatuses } from '#test/report-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const listen = listeningTo(world);
const { auditedActions, finalize, participate } = reportSteps(world);

/** Creates a study with an image, and an unsaved key image of it. */
const withImage = async () => {
  const author = await world.signIn();
  await storeAs(author, image({ Modality: 'CT' }));
  const stored = await author.inScope(({ db }) =>
    db
      .selectFrom('instances as i')
      .innerJoin('series as s', 's.id', 'i.series_id')
      .select(['s.study_id', 's.series_instance_uid', 'i.sop_instance_uid'])
      .executeTakeFirstOrThrow(),
  );
  const seen: KeyImageForm = {
    seriesInstanceUID: stored.series_instance_uid,
    sopInstanceUID: stored.sop_instance_uid,
    frame: 1,
    note: 'Nodule',
    look: {
      window: { lower: -1350.5, upper: 150 },
      isInverted: true,
      rotation: 90,
      isMirroredAcross: true,
      isMirroredDown: false,
      zoom: 2.75,
      pan: [0.125, -0.25],
    },
    revision: 0,
  };
  return { author, studyId: stored.study_id, keyImageId: newId(), seen };
};

const save = (person: Person, id: string, keyImageId: string, body: KeyImageForm) =>
  person.send(keyImages.save, { params: { id, keyImageId }, body });
const remove = (person: Person, id: string, keyImageId: string, revision: number) =>
  person.send(keyImages.remove, { params: { id, keyImageId }, query: { revision } });
const keyImagesOf = async (person: Person, id: string) =>
  (await person.send(keyImages.ofStudy, { params: { id } })).data;

test('the next reader sees a key image with its author and the exact view', async () => {
  const { author, studyId, keyImageId, seen } = await withImage();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);

  const saved = await save(author, studyId, keyImageId, seen);

  const { revision: _, ...marked } = seen;
  expect(saved).toMatchObject({ status: 200, data: { id: keyImageId, ...marked, revision: 1, isMine: true } });
  expect(await keyImagesOf(colleague, studyId)).toEqual([{ ...saved.data, isMine: false }]);
  expect(saved.data.author).toEqual({ username: author.username, name: `Dr ${author.username}` });
});

test('only the author can change a key image, and only if the change is based on the current revision', async () => {
  const { author, studyId, keyImageId, seen } = await withImage();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  await save(author, studyId, keyImageId, seen);

  const changes = await Promise.all(
    ['one', 'other'].map((note) => save(author, studyId, keyImageId, { ...seen, note, revision: 1 })),
  );

  expect(sortedStatuses(changes)).toEqual([200, 409]);
  expect(changes.find(({ status }) => status === 409)?.error).toBe('keyImage.changed');
  const othersSave = await save(colleague, studyId, keyImageId, { ...seen, note: 'Mine', revision: 2 });
  expect(othersSave).toMatchObject({ status: 403, message: 'Only the user who marked a key image can change it' });
  expect((await remove(colleague, studyId, keyImageId, 2)).status).toBe(403);
  const [saved] = await keyImagesOf(author, studyId);
  expect(saved).toMatchObject({ revision: 2, note: changes.find(({ status }) => status === 200)?.data.note });
});

test('a repeated save, even in parallel, creates only one key image and one audit entry', async () => {
  const { author, studyId, keyImageId, seen } = await withImage();

  const saves = await Promise.all([1, 2, 3].map(() => save(author, studyId, keyImageId, seen)));
  const again = await save(author, studyId, keyImageId, seen);

  expect([...saves, again].map(({ data }) => data.revision)).toEqual([1, 1, 1, 1]);
  expect(await keyImagesOf(author, studyId)).toHaveLength(1);
  expect((await auditedActions(author)).filter((action) => action === 'keyImage.save')).toHaveLength(1);
});

test('a removed key image returns when its author saves it again', async () => {
  const { author, studyId, keyImageId, seen } = await withImage();
  await save(author, studyId, keyImageId, seen);

  const removed = await remove(author, studyId, keyImageId, 1);
  const removedAgain = await remove(author, studyId, keyImageId, 1);
  expect(await keyImagesOf(author, studyId)).toEqual([]);
  const outdated = await save(author, studyId, keyImageId, { ...seen, revision: 1 });
  const back = await save(author, studyId, keyImageId, { ...seen, revision: removed.data.revision });

  expect(removedAgain.data).toEqual(removed.data);
  expect(outdated.status).toBe(409);
  expect(back).toMatchObject({ status: 200, data: { revision: 3, look: seen.look } });
  expect(await keyImagesOf(author, studyId)).toEqual([back.data]);
  expect((await remove(author, studyId, newId(), 1)).status).toBe(404);
  const actions = (await auditedActions(author)).filter((action) => /^keyImage\.(save|remove)$/.test(action));
  expect(actions).toEqual(['keyImage.save', 'keyImage.remove', 'keyImage.save']);
});

test('refuses to mark an image or frame that is not in the study', async () => {
  const { author, studyId, keyImageId, seen } = await withImage();
  const other = await withImage();
  const marked = await save(author, studyId, keyImageId, seen);

  const strangeImage = await save(author, studyId, newId(), { ...seen, sopInstanceUID: '2.25.404' });
  const otherSeries = await save(author, studyId, newId(), { ...other.seen });
  const missingFrame = await save(author, studyId, newId(), { ...seen, frame: 2 });

  expect(strangeImage).toMatchObject({ status: 422, message: 'This image is not in the study' });
  expect(otherSeries).toMatchObject({ status: 422, message: 'This image is not in the study' });
  expect(missingFrame).toMatchObject({ status: 422, message: 'The image has no such frame' });
  expect((await save(author, other.studyId, newId(), seen)).status).toBe(404);
  expect(await keyImagesOf(author, studyId)).toEqual([marked.data]);
});

test.each([
  ['a window without width', { window: { lower: 40, upper: 40 } }],
  ['a zoom of 0', { zoom: 0 }],
  ['a rotation by 360 degrees', { rotation: 360 }],
  ['a position that is not a number', { pan: [0, Number.NaN] }],
])('refuses %s and saves nothing', async (_, part) => {
  const { author, studyId, keyImageId, seen } = await withImage();

  const refused = await save(author, studyId, keyImageId, {
    ...seen,
    look: { ...seen.look, ...part } as KeyImageForm['look'],
  });

  expect(refused.status).toBe(422);
  expect(await keyImagesOf(author, studyId)).toEqual([]);
});

test('a referring physician sees key images of their own studies but cannot mark any', async () => {
  const { author, studyId, keyImageId, seen } = await withImage();
  await save(author, studyId, keyImageId, seen);
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);

  expect((await referrer.send(keyImages.ofStudy, { params: { id: studyId } })).status).toBe(404);
  await participate(referrer, studyId, 'REFERRER');

  expect(await keyImagesOf(referrer, studyId)).toMatchObject([{ id: keyImageId, isMine: false }]);
  expect((await save(referrer, studyId, newId(), seen)).status).toBe(403);
});

test('readers who see no drafts see the note of a key image only after the report is signed', async () => {
  const { author, studyId, keyImageId, seen } = await withImage();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  await participate(referrer, studyId, 'REFERRER');
  await save(author, studyId, keyImageId, seen);
  const created = await beginReport(author, studyId);

  expect(await keyImagesOf(referrer, studyId)).toMatchObject([{ id: keyImageId, note: '' }]);
  expect((await finalize(author, created.data.id)).status).toBe(200);
  expect(await keyImagesOf(referrer, studyId)).toMatchObject([{ id: keyImageId, note: 'Nodule' }]);
  await save(author, studyId, keyImageId, { ...seen, note: 'Cyst', revision: 1 });
  expect(await keyImagesOf(referrer, studyId)).toMatchObject([{ id: keyImageId, note: '' }]);
  expect(await keyImagesOf(author, studyId)).toMatchObject([{ id: keyImageId, note: 'Cyst' }]);
});

test('open pages show when a key image is added or removed', async () => {
  const { author, studyId, keyImageId, seen } = await withImage();
  const listening = await listen(await world.signIn('RADIOLOGIST', author.tenant));
  // Events about stored images may also arrive, and are ignored.
  const receivedEvents = () => listening.events.filter(({ kind }) => kind === 'measurements');
  const event = { kind: 'measurements', studyId };

  await save(author, studyId, keyImageId, seen);
  await expect.poll(receivedEvents).toEqual([event]);
  await remove(author, studyId, keyImageId, 1);
  await expect.poll(receivedEvents).toEqual([event, event]);
});
