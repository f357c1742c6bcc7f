import { measurements, type MeasurementForm } from '@radwork/contract/reading/measurements';
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

/** Creates a study with an image, and an unsaved line of 10 mm on it. */
const withLine = async () => {
  const author = await world.signIn();
  await storeAs(author, image({ Modality: 'CT' }));
  const stored = await author.inScope(({ db }) =>
    db
      .selectFrom('instances as i')
      .innerJoin('series as s', 's.id', 'i.series_id')
      .select(['s.study_id', 's.series_instance_uid', 'i.sop_instance_uid'])
      .executeTakeFirstOrThrow(),
  );
  const line: MeasurementForm = {
    tool: 'LENGTH',
    seriesInstanceUID: stored.series_instance_uid,
    sopInstanceUID: stored.sop_instance_uid,
    frame: 1,
    frameOfReferenceUID: '2.25.77',
    points: [
      [-12.5, 30.25, 100],
      [-2.5, 30.25, 100],
    ],
    plane: null,
    label: 'Nodule',
    values: [{ quantity: 'LENGTH', value: 10, unit: 'mm' }],
    revision: 0,
  };
  return { author, studyId: stored.study_id, measurementId: newId(), line };
};

const save = (person: Person, id: string, measurementId: string, body: MeasurementForm) =>
  person.send(measurements.save, { params: { id, measurementId }, body });
const remove = (person: Person, id: string, measurementId: string, revision: number) =>
  person.send(measurements.remove, { params: { id, measurementId }, query: { revision } });
const measurementsOf = async (person: Person, id: string) =>
  (await person.send(measurements.ofStudy, { params: { id } })).data;

test('the next reader sees a measurement with its author, place and values', async () => {
  const { author, studyId, measurementId, line } = await withLine();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);

  const saved = await save(author, studyId, measurementId, line);

  const { revision: _, ...drawingFields } = line;
  expect(saved).toMatchObject({
    status: 200,
    data: { id: measurementId, ...drawingFields, revision: 1, isMine: true },
  });
  expect(await measurementsOf(colleague, studyId)).toEqual([{ ...saved.data, isMine: false }]);
  expect(saved.data.author).toEqual({ username: author.username, name: `Dr ${author.username}` });
});

test('a measurement on a plane through a volume refers to the plane and not to an image', async () => {
  const { author, studyId, line } = await withLine();
  const plane = { normal: [0, 1, 0] as [number, number, number], up: [0, 0, 1] as [number, number, number] };
  const onPlane = { ...line, sopInstanceUID: null, frame: null, plane };

  expect(await save(author, studyId, newId(), onPlane)).toMatchObject({ status: 200, data: { plane, frame: null } });
  expect((await save(author, studyId, newId(), { ...onPlane, plane: null })).status).toBe(422);
  expect((await save(author, studyId, newId(), { ...onPlane, frameOfReferenceUID: null })).status).toBe(422);
  expect((await save(author, studyId, newId(), { ...line, frame: null })).status).toBe(422);
});

test('a measurement saved before planes were validated does not hide other measurements', async () => {
  const { author, studyId, line } = await withLine();
  const crooked = { normal: [0, 2, 0], up: [0, 0, 1] };
  const onPlane: MeasurementForm = {
    ...line,
    sopInstanceUID: null,
    frame: null,
    plane: { normal: [0, 1, 0], up: [0, 0, 1] },
  };
  const [older, newer] = [newId(), newId()];
  await save(author, studyId, older, onPlane);
  await save(author, studyId, newer, onPlane);
  await author.inScope(({ db }) =>
    db
      .updateTable('measurements')
      .set({ plane: JSON.stringify(crooked) })
      .where('id', '=', older)
      .execute(),
  );

  expect(await measurementsOf(author, studyId)).toMatchObject([{ id: older, plane: crooked }, { id: newer }]);
});

test('only the author can change a measurement, and only if the change is based on the current revision', async () => {
  const { author, studyId, measurementId, line } = await withLine();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  await save(author, studyId, measurementId, line);

  const changes = await Promise.all(
    ['one', 'other'].map((label) => save(author, studyId, measurementId, { ...line, label, revision: 1 })),
  );

  expect(sortedStatuses(changes)).toEqual([200, 409]);
  expect(changes.find(({ status }) => status === 409)?.error).toBe('measurement.changed');
  const othersSave = await save(colleague, studyId, measurementId, { ...line, label: 'Mine', revision: 2 });
  expect(othersSave).toMatchObject({ status: 403, message: 'Only the user who drew a measurement can change it' });
  expect((await remove(colleague, studyId, measurementId, 2)).status).toBe(403);
  const [saved] = await measurementsOf(author, studyId);
  expect(saved).toMatchObject({ revision: 2, label: changes.find(({ status }) => status === 200)?.data.label });
});

test('a repeated save of a measurement returns the first response and is audited once', async () => {
  const { author, studyId, measurementId, line } = await withLine();

  const first = await save(author, studyId, measurementId, line);
  const again = await save(author, studyId, measurementId, line);

  expect(again.data).toEqual(first.data);
  expect((await auditedActions(author)).filter((action) => action === 'measurement.save')).toHaveLength(1);
});

test('parallel saves of the same measurement return the first response and are audited once', async () => {
  const { author, studyId, measurementId, line } = await withLine();

  const saves = await Promise.all([1, 2, 3].map(() => save(author, studyId, measurementId, line)));

  expect(saves.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(saves.map(({ data }) => data.revision)).toEqual([1, 1, 1]);
  expect((await auditedActions(author)).filter((action) => action === 'measurement.save')).toHaveLength(1);
});

test('a removed measurement returns when its author saves it again', async () => {
  const { author, studyId, measurementId, line } = await withLine();
  await save(author, studyId, measurementId, line);

  const removed = await remove(author, studyId, measurementId, 1);
  const removedAgain = await remove(author, studyId, measurementId, 1);
  expect(await measurementsOf(author, studyId)).toEqual([]);
  const outdated = await save(author, studyId, measurementId, { ...line, label: 'x', revision: 1 });
  const back = await save(author, studyId, measurementId, { ...line, revision: removed.data.revision });

  expect(removedAgain.data).toEqual(removed.data);
  expect(outdated.status).toBe(409);
  expect(back).toMatchObject({ status: 200, data: { revision: 3, label: 'Nodule' } });
  expect(await measurementsOf(author, studyId)).toEqual([back.data]);
  expect((await remove(author, studyId, newId(), 1)).status).toBe(404);
});

test('refuses a measurement on an image that is not in the study', async () => {
  const { author, studyId, line } = await withLine();
  const other = await withLine();

  const onStrangeImage = await save(author, studyId, newId(), { ...line, sopInstanceUID: '2.25.404' });
  const onOtherStudy = await save(author, studyId, newId(), {
    ...line,
    seriesInstanceUID: other.line.seriesInstanceUID,
  });
  const atOtherStudy = await save(author, other.studyId, newId(), line);

  expect(onStrangeImage).toMatchObject({ status: 422, message: 'This image is not in the study' });
  expect(onOtherStudy).toMatchObject({ status: 422, message: 'This series is not in the study' });
  expect(atOtherStudy.status).toBe(404);
});

test.each([
  ['a point that is not a number', { points: [[0, 0, Number.NaN]] }],
  ['a measurement without points', { points: [] }],
  ['an unknown tool', { tool: 'CROWBAR' }],
  ['an invalid UID', { seriesInstanceUID: "1.2'; drop table studies" }],
  ['a label that is too long', { label: 'x'.repeat(201) }],
])('refuses %s and saves nothing', async (_, part) => {
  const { author, studyId, measurementId, line } = await withLine();

  const refused = await save(author, studyId, measurementId, { ...line, ...part } as MeasurementForm);

  expect(refused.status).toBe(422);
  expect(await measurementsOf(author, studyId)).toEqual([]);
});

test('a referring physician sees measurements of their own studies but cannot draw any', async () => {
  const { author, studyId, measurementId, line } = await withLine();
  await save(author, studyId, measurementId, line);
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);

  expect((await referrer.send(measurements.ofStudy, { params: { id: studyId } })).status).toBe(404);
  await participate(referrer, studyId, 'REFERRER');

  expect(await measurementsOf(referrer, studyId)).toMatchObject([{ id: measurementId, isMine: false }]);
  expect((await save(referrer, studyId, newId(), line)).status).toBe(403);
});

test('readers who see no drafts see the label of a measurement only after the report is signed', async () => {
  const { author, studyId, measurementId, line } = await withLine();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  await participate(referrer, studyId, 'REFERRER');
  await save(author, studyId, measurementId, line);
  const created = await beginReport(author, studyId);

  expect(await measurementsOf(referrer, studyId)).toMatchObject([{ id: measurementId, label: '' }]);
  expect((await finalize(author, created.data.id)).status).toBe(200);
  expect(await measurementsOf(referrer, studyId)).toMatchObject([{ id: measurementId, label: 'Nodule' }]);
  await save(author, studyId, measurementId, { ...line, label: 'Cyst', revision: 1 });
  expect(await measurementsOf(referrer, studyId)).toMatchObject([{ id: measurementId, label: '' }]);
  expect(await measurementsOf(author, studyId)).toMatchObject([{ id: measurementId, label: 'Cyst' }]);
});

test('open pages show when a measurement is added or removed', async () => {
  const { author, studyId, measurementId, line } = await withLine();
  const listening = await listen(await world.signIn('RADIOLOGIST', author.tenant));
  // Events about stored images may also arrive, and are ignored.
  const receivedEvents = () => listening.events.filter(({ kind }) => kind === 'measurements');
  const event = { kind: 'measurements', studyId };

  await save(author, studyId, measurementId, line);
  await expect.poll(receivedEvents).toEqual([event]);
  await remove(author, studyId, measurementId, 1);
  await expect.poll(receivedEvents).toEqual([event, event]);
});
