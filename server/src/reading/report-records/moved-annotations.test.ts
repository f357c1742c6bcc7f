import { keyImages } from '@radwork/contract/reading/key-images';
import { lesions } from '@radwork/contract/reading/lesions';
import { measurements, mostMeasurements } from '@radwork/contract/reading/measurements';
import { textOf } from '@radwork/dicom/dataset';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { jane, seriesMoveSteps, type StudyToMove } from '#test/series-move-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { plainLook } from '#test/plain-look.ts';

const world = await createWorld();
const { auditedActions, finalize, participate } = reportSteps(world);
const { addStudy, begin, undo, metadataOf, move, prepare } = seriesMoveSteps(world);

/** Draws a length on the first image of the moved series and marks this image, each with a text. */
const annotate = async (person: Person, { id, series, uids }: StudyToMove) => {
  const place = { seriesInstanceUID: series, sopInstanceUID: uids[0]?.SOPInstanceUID ?? '', frame: 1 };
  const [measurementId, keyImageId] = [newId(), newId()];
  const form = {
    ...place,
    tool: 'BIDIRECTIONAL' as const,
    frameOfReferenceUID: null,
    points: [0, 10, 5, 5].map((x, at): [number, number, number] => [x, at < 2 ? 0 : at, 0]),
    plane: null,
    label: 'Liver metastasis',
    values: [
      { quantity: 'LENGTH' as const, value: 10, unit: 'mm' },
      { quantity: 'SHORT_AXIS' as const, value: 5, unit: 'mm' },
    ],
    revision: 0,
  };
  await person.send(measurements.save, { params: { id, measurementId }, body: form });
  await person.send(keyImages.save, {
    params: { id, keyImageId },
    body: { ...place, note: 'Largest', look: plainLook, revision: 0 },
  });
  return { measurementId, keyImageId, form };
};

/** Counts the stored annotations and lesions of a study that no user removed. */
const leftIn = (person: Person, id: string) =>
  person.inScope(async ({ db }) => {
    const { rows } = await sql`
      select (select count(*)::int from measurements where study_id = ${id} and removed_at is null) as measurements,
        (select count(*)::int from key_images where study_id = ${id} and removed_at is null) as "keyImages",
        (select count(*)::int from lesions where study_id = ${id}) as lesions`.execute(db);
    return rows[0];
  });

const annotationsOf = async (person: Person, id: string) => ({
  measurements: (await person.send(measurements.ofStudy, { params: { id } })).data,
  keyImages: (await person.send(keyImages.ofStudy, { params: { id } })).data,
});

test('measurements, key images and lesions follow a moved series, and undo shows the originals as they were', async () => {
  const { admin, from, to } = await prepare();
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const { measurementId } = await annotate(reader, from);
  const facts = { label: 'Metastasis', organ: 'Liver', isNode: false, kind: 'TARGET' as const, measurementId };
  await reader.send(lesions.add, { params: { id: from.id }, body: facts });
  const before = await annotationsOf(reader, from.id);
  const lesionsOf = async (id: string) => (await reader.send(lesions.ofStudy, { params: { id } })).data.lesions;
  const lesionBefore = await lesionsOf(from.id);

  const { data } = await move(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });
  const [left, moved] = [await annotationsOf(reader, from.id), await annotationsOf(reader, to.id)];
  const movedLesions = [await lesionsOf(from.id), await lesionsOf(to.id)];
  await undo(admin, from.id, data.rejectionId);

  expect(before.measurements).toHaveLength(1);
  expect(before.keyImages).toHaveLength(1);
  expect(left).toEqual({ measurements: [], keyImages: [] });
  const shown = new Set((await metadataOf(admin, to.uid)).map((header) => textOf(header, 'SOPInstanceUID')));
  expect(moved.measurements).toMatchObject([{ label: 'Liver metastasis', isMine: true }]);
  expect(moved.keyImages).toMatchObject([{ note: 'Largest', isMine: true }]);
  expect(shown.size).toBe(3);
  expect(movedLesions).toMatchObject([[], [{ label: 'Metastasis', readings: [{ studyId: to.id, longMm: 10 }] }]]);
  expect(await annotationsOf(reader, from.id)).toEqual(before);
  expect(await lesionsOf(from.id)).toEqual(lesionBefore);
  expect(await annotationsOf(reader, to.id)).toEqual({ measurements: [], keyImages: [] });
  expect(await lesionsOf(to.id)).toEqual([]);
  // Nothing is left that could be shown if the list of copies were not seen.
  expect(await leftIn(admin, to.id)).toEqual({ measurements: 0, keyImages: 0, lesions: 0 });
  expect(await auditedActions(admin)).toContain('measurement.follow');
});

test('undo brings back a measurement that a reader linked to another lesion on the copy', async () => {
  const { admin, from } = await prepare();
  const own = await addStudy(admin, jane);
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const { measurementId } = await annotate(reader, from);
  const facts = { organ: 'Liver', isNode: false, kind: 'TARGET' as const };
  const body = { ...facts, label: 'First', measurementId };
  await reader.send(lesions.add, { params: { id: from.id }, body });
  const { data } = await move(admin, from.id, { seriesInstanceUID: from.series, toStudyId: own.id });
  const [copy] = (await annotationsOf(reader, own.id)).measurements;
  const other = { ...facts, label: 'Other', measurementId: copy?.id ?? '' };
  const added = await reader.send(lesions.add, { params: { id: own.id }, body: other });

  await undo(admin, from.id, data.rejectionId);

  const { lesions: left } = (await reader.send(lesions.ofStudy, { params: { id: from.id } })).data;
  const readings = Object.fromEntries(left.map((lesion) => [lesion.label, lesion.readings]));
  expect(added.data).toMatchObject({ label: 'Other' });
  expect(readings).toMatchObject({ First: [], Other: [{ studyId: from.id, measurementId }] });
});

test('refuses a move at once when the target would have too many measurements, and counts none of hidden images', async () => {
  const { admin, from, to } = await prepare();
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const { measurementId } = await annotate(reader, from);
  const fill = (sopInstanceUid: string) =>
    world.inTenant(admin.tenant, ({ db }) =>
      sql`
        insert into measurements (id, study_id, series_instance_uid, sop_instance_uid, tool, frame, points, label, measured,
          author_id, author_username, author_name)
        select gen_random_uuid(), ${to.id}, ${to.series}, ${sopInstanceUid}, tool, frame, points, label, measured,
          author_id, author_username, author_name
        from measurements, generate_series(1, ${mostMeasurements}) where id = ${measurementId}`.execute(db),
    );
  const target = { seriesInstanceUID: from.series, toStudyId: to.id };

  await fill('2.25.1');
  const moved = await move(admin, from.id, target);
  await undo(admin, from.id, moved.data.rejectionId);
  await fill(to.uids[0]?.SOPInstanceUID ?? '');
  const refused = await begin(admin, from.id, target);

  expect(moved.status).toBe(201);
  expect(refused).toMatchObject({ status: 409, error: 'series.annotations' });
});

test('undo brings back what readers changed, drew and deleted on the copies', async () => {
  const { admin, from, to } = await prepare();
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const { form } = await annotate(reader, from);
  const { data } = await move(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });
  const moved = await annotationsOf(reader, to.id);
  const [copy] = moved.measurements;
  const place = { seriesInstanceUID: copy?.seriesInstanceUID ?? '', sopInstanceUID: copy?.sopInstanceUID ?? '' };
  const params = { id: to.id };
  await reader.send(measurements.save, {
    params: { ...params, measurementId: copy?.id ?? '' },
    body: { ...form, ...place, label: 'Cyst', revision: copy?.revision ?? 0 },
  });
  await reader.send(measurements.save, {
    params: { ...params, measurementId: newId() },
    body: { ...form, ...place, label: 'Second' },
  });
  const keyImageId = moved.keyImages[0]?.id ?? '';
  await reader.send(keyImages.remove, { params: { ...params, keyImageId }, query: { revision: 1 } });

  await undo(admin, from.id, data.rejectionId);

  const { measurements: drawn, keyImages: marked } = await annotationsOf(reader, from.id);
  expect(drawn.map(({ label, seriesInstanceUID }) => [label, seriesInstanceUID])).toEqual([
    ['Cyst', from.series],
    ['Second', from.series],
  ]);
  expect(marked).toEqual([]);
});

test('the label of a moved measurement is hidden from a referrer until a report of the target is signed', async () => {
  const { admin, from, to } = await prepare();
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const referrer = await world.signIn('REFERRING_PHYSICIAN', admin.tenant);
  await participate(referrer, to.id, 'REFERRER');
  await annotate(reader, from);
  await finalize(reader, (await beginReport(reader, to.id)).data.id);

  await move(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });

  expect((await annotationsOf(reader, to.id)).measurements).toMatchObject([{ label: 'Liver metastasis' }]);
  expect((await annotationsOf(referrer, to.id)).measurements).toMatchObject([{ label: '' }]);
});
