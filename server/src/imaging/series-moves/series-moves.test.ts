import { patients } from '@radwork/contract/imaging/patients';
import { rejections } from '@radwork/contract/imaging/rejections';
import { studies } from '@radwork/contract/imaging/studies';
import { textOf } from '@radwork/dicom/dataset';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { findWorklistItems } from '#imaging/dimse/worklist.ts';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { jane, seriesMoveSteps } from '#test/series-move-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { auditedActions } = reportSteps(world);
const { addStudy, detailsOf, undo, metadataOf, move, prepare } = seriesMoveSteps(world);

const worklistOf = (person: Person) => person.inScope((scope) => findWorklistItems(scope, {}, 'SCANNER', 10));

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

test('undoing a move restores the presumed date that the target study had before', async () => {
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
