import { patients } from '@radwork/contract/imaging/patients';
import { keyImages } from '@radwork/contract/reading/key-images';
import { lesions } from '@radwork/contract/reading/lesions';
import { measurements } from '@radwork/contract/reading/measurements';
import { rejections } from '@radwork/contract/imaging/rejections';
import { seriesMoves } from '@radwork/contract/imaging/series-moves';
import { studies } from '@radwork/contract/imaging/studies';
import { type DicomJson, textOf } from '@radwork/dicom/dataset';
import { newUid } from '@radwork/dicom/uid';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { orNotFound } from '#core/http/problem.ts';
import { newId } from '#core/values/ids.ts';
import { findWorklistItems } from '#imaging/dimse/worklist.ts';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { eventually } from '#test/eventually.ts';
import { image } from '#test/multipart-upload.ts';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { startMoves } from './jobs.ts';
import { runningMove } from './move-rows.ts';

const world = await createWorld();
const { auditedActions, finalize, participate } = reportSteps(world);

const jane = { PatientName: 'Doe^Jane', PatientID: 'P-1', PatientBirthDate: '19500101', PatientSex: 'F' };
const john = { PatientName: 'Roe^John', PatientID: 'P-2', PatientBirthDate: '19600101', PatientSex: 'M' };

type Patient = Record<string, string>;

/** Stores a study of a patient with two images in one series, and one image in another. */
const addStudy = async (person: Person, patient: Patient) => {
  const study = {
    ...patient,
    StudyInstanceUID: newUid(),
    StudyDate: '20261120',
    AccessionNumber: patient['PatientID'],
  };
  const [moved, other] = [newUid(), newUid()];
  const uids = [moved, moved, other].map((SeriesInstanceUID) => ({ SeriesInstanceUID, SOPInstanceUID: newUid() }));
  await storeAs(person, ...uids.map((one, index) => image({ ...study, ...one, InstanceNumber: index + 1 })));
  const { data } = await person.send(studies.getByUid, { params: { studyUid: study.StudyInstanceUID } });
  return { id: data.id, uid: study.StudyInstanceUID, patientId: data.patient.id, series: moved, uids };
};

const prepare = async () => {
  const admin = await world.signIn('ADMIN');
  return { admin, from: await addStudy(admin, jane), to: await addStudy(admin, john) };
};

const detailsOf = async (person: Person, id: string) => (await person.send(studies.get, { params: { id } })).data;

type Target = { seriesInstanceUID: string; toStudyId?: string; toPatientId?: string };

const begin = (person: Person, id: string, body: Target) => person.send(seriesMoves.move, { params: { id }, body });

const moveIn = async (person: Person, id: string, moveId: string) =>
  (await person.send(seriesMoves.ofStudy, { params: { id } })).data.find((one) => one.id === moveId);

/** Returns a move once it has ended. */
const ended = (person: Person, id: string, moveId: string) =>
  eventually(async () => {
    const found = await moveIn(person, id, moveId);
    if (!found || found.state === 'COPYING') throw new Error('The move is still running');
    return found;
  });

/** Runs the jobs of moves until the test ends. */
const work = () => {
  const errors: unknown[] = [];
  const stop = startMoves(world.context, world.url, { onError: (error) => errors.push(error) });
  onTestFinished(stop);
  return { stop, errors };
};

// A job that a test left would occupy the worker of the next test.
afterEach(() => world.owner.deleteFrom('jobs').execute());

/** Moves a series to its end. The status is 409 for a move that failed. */
const move = async (person: Person, id: string, body: Target) => {
  const { status, data, error } = await begin(person, id, body);
  if (status !== 201) return { status, error, data: { studyId: '', rejectionId: '', images: 0 }, cause: '' };
  const worker = work();
  const { state, studyId, rejectionId, images, cause } = await ended(person, id, data.id);
  await worker.stop();
  return {
    status: state === 'DONE' ? 201 : 409,
    error,
    data: { studyId: studyId ?? '', rejectionId: rejectionId ?? '', images },
    cause,
  };
};

const undo = (person: Person, id: string, rejectionId: string) =>
  person.send(rejections.restore, { params: { id, rejectionId } });

const worklistOf = (person: Person) => person.inScope((scope) => findWorklistItems(scope, {}, 'SCANNER', 10));

const metadataOf = async (person: Person, studyUid: string): Promise<DicomJson[]> =>
  (await getFrom(person, `/studies/${studyUid}/metadata`)).json();

test('a moved series names the patient and study of its target, has new UIDs, and has left its first study', async () => {
  const { admin, from, to } = await prepare();

  const moved = await move(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });

  expect(moved.status).toBe(201);
  expect(moved.data).toMatchObject({ studyId: to.id, images: 2 });
  expect(await detailsOf(admin, from.id)).toMatchObject({ instanceCount: 1, seriesCount: 1 });
  expect(await detailsOf(admin, to.id)).toMatchObject({ instanceCount: 5, seriesCount: 3 });
  const headers = await metadataOf(admin, to.uid);
  const keywords = ['PatientName', 'PatientID', 'PatientSex', 'StudyInstanceUID', 'AccessionNumber'];
  const differing = keywords.filter((keyword) => new Set(headers.map((header) => textOf(header, keyword))).size > 1);
  expect(differing).toEqual([]);
  const uids = headers.map((header) => textOf(header, 'SOPInstanceUID'));
  expect(uids.filter((uid) => from.uids.some(({ SOPInstanceUID }) => SOPInstanceUID === uid))).toEqual([]);
  expect(await auditedActions(admin)).toEqual(expect.arrayContaining(['study.moveSeries', 'study.receiveSeries']));
});

test('the pixels of a copy are those of the original, and the original keeps its bytes', async () => {
  const { admin, from, to } = await prepare();
  const [first] = from.uids;
  const path = `/studies/${from.uid}/series/${from.series}/instances/${first?.SOPInstanceUID}`;
  const before = await getFrom(admin, `${path}/frames/1`, { accept: 'application/octet-stream' });
  const file = await getFrom(admin, path, { accept: 'application/dicom' });
  const { data } = await move(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });

  const copy = (await metadataOf(admin, to.uid)).find(
    (header) => !to.uids.some(({ SOPInstanceUID }) => SOPInstanceUID === textOf(header, 'SOPInstanceUID')),
  );
  const copyPath = `/studies/${to.uid}/series/${copy && textOf(copy, 'SeriesInstanceUID')}/instances/${copy && textOf(copy, 'SOPInstanceUID')}`;
  const after = await getFrom(admin, `${copyPath}/frames/1`, { accept: 'application/octet-stream' });
  expect(after.rawPayload.equals(before.rawPayload)).toBe(true);
  await undo(admin, from.id, data.rejectionId);
  const restored = await getFrom(admin, path, { accept: 'application/dicom' });
  expect(restored.rawPayload.equals(file.rawPayload)).toBe(true);
});

test('a series can become a new study of another patient, which undo moves to the recycle bin', async () => {
  const { admin, from, to } = await prepare();

  const { data } = await move(admin, from.id, { seriesInstanceUID: from.series, toPatientId: to.patientId });
  const created = await detailsOf(admin, data.studyId);
  const list = (await admin.send(rejections.list, { params: { id: from.id } })).data;
  const undone = await undo(admin, from.id, data.rejectionId);

  expect(created).toMatchObject({ instanceCount: 2, patient: { id: to.patientId, patientId: 'P-2' } });
  expect(list).toMatchObject([
    { title: '113038', isMove: true, movedTo: { studyId: data.studyId, patient: { patientName: 'Roe, John' } } },
  ]);
  expect(undone.status).toBe(200);
  expect(await detailsOf(admin, from.id)).toMatchObject({ instanceCount: 3, seriesCount: 2 });
  expect((await admin.send(studies.get, { params: { id: data.studyId } })).status).toBe(404);
  const bin = (await admin.send(studies.deleted)).data;
  expect(bin.content.map(({ id }) => id)).toEqual([data.studyId]);
});

test('undo removes the copies from an existing study, and cannot be repeated', async () => {
  const { admin, from, to } = await prepare();
  const { data } = await move(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });

  expect((await undo(admin, from.id, data.rejectionId)).status).toBe(200);

  expect(await detailsOf(admin, to.id)).toMatchObject({ instanceCount: 3, seriesCount: 2 });
  expect(await detailsOf(admin, from.id)).toMatchObject({ instanceCount: 3, seriesCount: 2 });
  expect((await admin.send(rejections.list, { params: { id: to.id } })).data).toEqual([]);
  expect((await undo(admin, from.id, data.rejectionId)).status).toBe(404);
  const again = await move(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });
  expect(again.status).toBe(201);
  expect(await detailsOf(admin, to.id)).toMatchObject({ instanceCount: 5 });
});

test('refuses to undo a move after a report of the target was written', async () => {
  const { admin, from, to } = await prepare();
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const { data } = await move(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });
  await beginReport(reader, to.id);

  const refused = await undo(admin, from.id, data.rejectionId);

  expect(refused).toMatchObject({ status: 409, error: 'series.reported' });
  expect(await detailsOf(admin, to.id)).toMatchObject({ instanceCount: 5 });
});

test('after the target is deleted, undo restores the originals', async () => {
  const { admin, from, to } = await prepare();
  const { data } = await move(admin, from.id, { seriesInstanceUID: from.series, toPatientId: to.patientId });
  await admin.send(studies.remove, { params: { id: data.studyId } });

  expect((await undo(admin, from.id, data.rejectionId)).status).toBe(200);

  expect(await detailsOf(admin, from.id)).toMatchObject({ instanceCount: 3 });
});

test('undo while the target is in the recycle bin hides the copies, so that restoring it does not show them', async () => {
  const { admin, from, to } = await prepare();
  const { data } = await move(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });
  await admin.send(studies.remove, { params: { id: to.id } });

  expect((await undo(admin, from.id, data.rejectionId)).status).toBe(200);
  expect((await admin.send(studies.restore, { params: { id: to.id } })).status).toBe(200);

  expect(await detailsOf(admin, from.id)).toMatchObject({ instanceCount: 3 });
  expect(await detailsOf(admin, to.id)).toMatchObject({ instanceCount: 3 });
});

test('refuses to undo a move whose new study is on legal hold', async () => {
  const { admin, from, to } = await prepare();
  const { data } = await move(admin, from.id, { seriesInstanceUID: from.series, toPatientId: to.patientId });
  const body = { isOnLegalHold: true, reason: 'Court' };
  await admin.send(studies.setLegalHold, { params: { id: data.studyId }, body });

  const refused = await undo(admin, from.id, data.rejectionId);

  expect(refused).toMatchObject({ status: 409, error: 'study.on_hold' });
  expect(await detailsOf(admin, data.studyId)).toMatchObject({ instanceCount: 2 });
});

test('the dose follows a moved series, and undo restores the target as it was before', async () => {
  const { admin, from, to } = await prepare();
  const uids = { StudyInstanceUID: from.uid, SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
  await storeAs(admin, image({ ...jane, ...uids, Modality: 'CT', CTDIvol: 12.25, StationName: 'CT2' }));
  const body = { existingPatientId: to.patientId, modality: 'MR' } as const;
  const { data: order } = await admin.send(studies.create, { body });
  const doses = () =>
    admin.inScope(({ db }) =>
      db
        .selectFrom('studies')
        .select(['id', 'ctdi_vol', 'modality', 'modalities', 'equipment_name', 'created_at'])
        .where('id', 'in', [from.id, order.id])
        .execute()
        .then((rows) => rows.toSorted((one) => (one.id === from.id ? -1 : 1))),
    );
  const before = await doses();

  const { data } = await move(admin, from.id, { seriesInstanceUID: uids.SeriesInstanceUID, toStudyId: order.id });
  const moved = await doses();
  await undo(admin, from.id, data.rejectionId);

  expect(before.map(({ ctdi_vol }) => ctdi_vol)).toEqual([12.25, null]);
  expect(moved.map(({ ctdi_vol, modality }) => [ctdi_vol, modality])).toEqual([
    [null, expect.anything()],
    [12.25, 'CT'],
  ]);
  expect((await doses())[1]).toEqual(before[1]);
  expect((await doses())[0]).toMatchObject({ ctdi_vol: 12.25 });
});

test('an order is in the worklist again after a move into it has failed or was undone', async () => {
  const { admin, from } = await prepare();
  const { patientId } = from;
  const { data: order } = await admin.send(studies.create, { body: { existingPatientId: patientId, modality: 'CT' } });
  const { data } = await move(admin, from.id, { seriesInstanceUID: from.series, toStudyId: order.id });
  const during = await worklistOf(admin);
  await undo(admin, from.id, data.rejectionId);
  const undone = await worklistOf(admin);
  const deflated = { transferSyntaxUID: '1.2.840.10008.1.2.1.99' };
  await storeAs(admin, image({ ...jane, StudyInstanceUID: from.uid, SeriesInstanceUID: from.series }, deflated));
  const refused = await move(admin, from.id, { seriesInstanceUID: from.series, toStudyId: order.id });

  expect(refused.status).toBe(409);
  expect([during, undone, await worklistOf(admin)].map((items) => items.length)).toEqual([0, 1, 1]);
});

test('refuses to undo a move while its copies are in a third study', async () => {
  const { admin, from, to } = await prepare();
  const third = await addStudy(admin, jane);
  const { data } = await move(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });
  const { series } = await detailsOf(admin, to.id);
  const copied = series.find(
    ({ instanceCount, seriesInstanceUID }) => instanceCount === 2 && seriesInstanceUID !== to.series,
  );
  await move(admin, to.id, { seriesInstanceUID: copied?.seriesInstanceUID ?? '', toStudyId: third.id });

  const refused = await undo(admin, from.id, data.rejectionId);

  expect(refused).toMatchObject({ status: 409, error: 'series.moved_on' });
});

test('refuses studies of another tenant, the same study, an unknown series, and callers without the rights', async () => {
  const { admin, from, to } = await prepare();
  const stranger = await prepare();
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const seriesInstanceUID = from.series;
  const answers = [
    await move(admin, from.id, { seriesInstanceUID, toStudyId: stranger.to.id }),
    await move(admin, from.id, { seriesInstanceUID, toPatientId: stranger.to.patientId }),
    await move(stranger.admin, from.id, { seriesInstanceUID, toStudyId: stranger.to.id }),
    await move(admin, from.id, { seriesInstanceUID, toStudyId: from.id }),
    await move(admin, from.id, { seriesInstanceUID: '2.25.1', toStudyId: to.id }),
    await move(reader, from.id, { seriesInstanceUID, toStudyId: to.id }),
    await move(admin, from.id, { seriesInstanceUID }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 409, 404, 403, 422]);
  expect(await detailsOf(admin, to.id)).toMatchObject({ instanceCount: 3 });
});

test('moving to another patient needs the right to merge patients, and moving within a patient does not', async () => {
  const { admin, from, to } = await prepare();
  const own = await addStudy(admin, jane);
  await world.inTenant(admin.tenant, ({ db }) =>
    db
      .updateTable('roles')
      .set({ permissions: ['study.view', 'study.delete', 'patient.view'] })
      .where('built_in_for', '=', 'RADIOLOGIST')
      .execute(),
  );
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const seriesInstanceUID = from.series;

  const toOther = await move(reader, from.id, { seriesInstanceUID, toStudyId: to.id });
  const toNew = await move(reader, from.id, { seriesInstanceUID, toPatientId: to.patientId });
  const toOwn = await move(reader, from.id, { seriesInstanceUID, toStudyId: own.id });

  expect([toOther, toNew, toOwn].map(({ status }) => status)).toEqual([403, 403, 201]);
});

test('a move with a lost file changes nothing and leaves no study', async () => {
  const { admin, from, to } = await prepare();
  await world.inTenant(admin.tenant, ({ db }) =>
    db
      .updateTable('instances')
      .set({ missing_since: new Date().toISOString() })
      .where('sop_instance_uid', '=', from.uids[0]?.SOPInstanceUID ?? '')
      .execute(),
  );

  const refused = await move(admin, from.id, { seriesInstanceUID: from.series, toPatientId: to.patientId });

  expect(refused.status).toBe(409);
  expect(await detailsOf(admin, from.id)).toMatchObject({ instanceCount: 3 });
  const { data } = await admin.send(patients.get, { params: { id: to.patientId } });
  expect(data.studies).toHaveLength(1);
});

test('an image that cannot be copied stops the move: no reader sees copies, and the originals stay', async () => {
  const { admin, from, to } = await prepare();
  const { id: patientId } = (await detailsOf(admin, from.id)).patient;
  const deflated = { transferSyntaxUID: '1.2.840.10008.1.2.1.99' };
  await storeAs(
    admin,
    image({ ...jane, StudyInstanceUID: from.uid, SeriesInstanceUID: from.series, InstanceNumber: 9 }, deflated),
  );

  const refused = await move(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });
  const asNew = await move(admin, from.id, { seriesInstanceUID: from.series, toPatientId: patientId });

  expect([refused.status, asNew.status]).toEqual([409, 409]);
  expect(await detailsOf(admin, from.id)).toMatchObject({ instanceCount: 4 });
  expect(await detailsOf(admin, to.id)).toMatchObject({ instanceCount: 3, seriesCount: 2 });
  const { data } = await admin.send(patients.get, { params: { id: patientId } });
  expect(data.studies.map(({ id }) => id)).toEqual([from.id]);
});

/** Draws a length on the first image of the moved series and marks this image, each with a text. */
const annotate = async (person: Person, { id, series, uids }: Awaited<ReturnType<typeof addStudy>>) => {
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
  const look = {
    window: null,
    isInverted: false,
    rotation: 0,
    isMirroredAcross: false,
    isMirroredDown: false,
    zoom: 1,
    pan: [0, 0] as [number, number],
  };
  await person.send(keyImages.save, {
    params: { id, keyImageId },
    body: { ...place, note: 'Largest', look, revision: 0 },
  });
  return { measurementId, keyImageId, form };
};

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
  expect(await auditedActions(admin)).toContain('measurement.follow');
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

test('a presumed date of the target is presumed again after undo', async () => {
  const { admin, from, to } = await prepare();
  const body = { existingPatientId: to.patientId, modality: 'MR' } as const;
  const { data: order } = await admin.send(studies.create, { body });
  const dates = () =>
    admin.inScope(({ db }) =>
      db
        .selectFrom('studies')
        .select(['study_date', 'is_study_time_known', 'is_date_presumed'])
        .where('id', '=', order.id)
        .executeTakeFirst(),
    );
  const before = await dates();

  const { data } = await move(admin, from.id, { seriesInstanceUID: from.series, toStudyId: order.id });
  const during = await dates();
  await undo(admin, from.id, data.rejectionId);

  expect([before?.is_date_presumed, during?.is_date_presumed]).toEqual([true, false]);
  expect(await dates()).toEqual(before);
});

test('a move tells its progress, and a user can cancel it before it runs', async () => {
  const { admin, from, to } = await prepare();
  const target = { seriesInstanceUID: from.series, toPatientId: to.patientId };
  const { data: begun } = await begin(admin, from.id, target);
  const again = await begin(admin, from.id, target);
  const params = { id: from.id, moveId: begun.id };

  const canceled = await admin.send(seriesMoves.cancel, { params });
  const repeated = await admin.send(seriesMoves.cancel, { params });

  expect(begun).toMatchObject({ state: 'COPYING', images: 2, copied: 0, rejectionId: null });
  expect(again).toMatchObject({ status: 409, error: 'series.moving' });
  expect(canceled.data).toMatchObject({ state: 'CANCELED' });
  expect(repeated.status).toBe(409);
  expect(await detailsOf(admin, from.id)).toMatchObject({ instanceCount: 3 });
  expect((await admin.send(patients.get, { params: { id: to.patientId } })).data.studies).toHaveLength(1);
  expect(await auditedActions(admin)).toEqual(
    expect.arrayContaining(['study.beginSeriesMove', 'study.cancelSeriesMove']),
  );
});

test('a move continues after a restart of the server, and stores no copy twice', async () => {
  const { admin, from, to } = await prepare();
  const { data: begun } = await begin(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });
  // An earlier run stored the first copy before its server was killed.
  const stored = await admin.inScope(async (scope) => orNotFound(await runningMove(scope, begun.id), 'move'));
  const uids = stored.uids as Record<string, string>;
  await storeAs(
    admin,
    image({
      ...john,
      StudyInstanceUID: to.uid,
      SeriesInstanceUID: uids[from.series] ?? '',
      SOPInstanceUID: uids[from.uids[0]?.SOPInstanceUID ?? ''] ?? '',
      InstanceNumber: 77,
    }),
  );
  const hidden = await detailsOf(admin, to.id);
  const { errors } = work();

  const done = await ended(admin, from.id, begun.id);

  expect(done).toMatchObject({ state: 'DONE', images: 2, copied: 2 });
  expect(hidden).toMatchObject({ instanceCount: 3 });
  expect(await detailsOf(admin, to.id)).toMatchObject({ instanceCount: 5 });
  const numbers = (await metadataOf(admin, to.uid)).map((header) => textOf(header, 'InstanceNumber'));
  expect(numbers).toContain('77');
  expect(errors).toEqual([]);
});

test('a move fails with the reason when its user has lost the right', async () => {
  const { admin, from, to } = await prepare();
  const { data: begun } = await begin(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });
  await world.inTenant(admin.tenant, ({ db }) =>
    db.updateTable('users').set({ is_active: false }).where('id', '=', admin.userId).execute(),
  );
  work();
  const other = await world.signIn('ADMIN', admin.tenant);

  const failed = await ended(other, from.id, begun.id);

  expect(failed).toMatchObject({ state: 'FAILED', cause: expect.stringContaining('may no longer move images') });
  expect(await detailsOf(other, to.id)).toMatchObject({ instanceCount: 3 });
});

test('callers without the right, and those of another tenant, neither see nor cancel a move', async () => {
  const { admin, from, to } = await prepare();
  const stranger = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const { data: begun } = await begin(admin, from.id, { seriesInstanceUID: from.series, toStudyId: to.id });
  const params = { id: from.id, moveId: begun.id };

  const answers = [
    await stranger.send(seriesMoves.ofStudy, { params }),
    await stranger.send(seriesMoves.cancel, { params }),
    await reader.send(seriesMoves.ofStudy, { params }),
    await reader.send(seriesMoves.cancel, { params }),
    await admin.send(seriesMoves.cancel, { params: { ...params, id: to.id } }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 403, 403, 404]);
  expect(await moveIn(admin, from.id, begun.id)).toMatchObject({ state: 'COPYING' });
});
