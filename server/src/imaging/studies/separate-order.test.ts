import { notifications } from '@radwork/contract/identity/notifications';
import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { rejections } from '@radwork/contract/imaging/rejections';
import { studies } from '@radwork/contract/imaging/studies';
import { reports } from '@radwork/contract/reading/reports';
import { workflow } from '@radwork/contract/reading/workflow';
import type { Elements } from '@radwork/dicom/part10';
import { newUid } from '@radwork/dicom/uid';
import { afterAll, expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { addDevice, listenForDevices } from '#test/dimse-device.ts';
import { findingSteps } from '#test/finding-steps.ts';
import { detailsOf, janet } from '#test/merge-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { beginReport, reportSteps, reportText } from '#test/report-steps.ts';
import { addStudy } from '#test/stored-study.ts';
import { worklistSteps } from '#test/worklist-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const gateway = await listenForDevices(world);
afterAll(gateway.close);
const { order, ask, everything, accessionNumbers } = worklistSteps(world, gateway);
const reporting = reportSteps(world);
const findings = findingSteps(world);

const jane = { PatientID: 'P-1', PatientName: 'Doe^Jane', PatientSex: 'F', PatientBirthDate: '19500101' };
const janesRecord = { patient_id: 'P-1', patient_name: 'Doe^Jane', gender: 'F' as const, date_of_birth: '1950-01-01' };

/** Values that an order does not have, so that the images fill them. */
const filling = {
  StudyDate: '20261125',
  StudyTime: '101500',
  StudyDescription: 'CT HEAD',
  ReferringPhysicianName: 'House^Gregory',
  StationName: 'CT2',
};

const studyRow = (person: Person, id: string) =>
  person.inScope(({ db }) => db.selectFrom('studies').selectAll().where('id', '=', id).executeTakeFirstOrThrow());

const idOf = async (person: Person, uid: string) => {
  const { id } = await person.inScope(({ db }) =>
    db.selectFrom('studies').select('id').where('study_instance_uid', '=', uid).executeTakeFirstOrThrow(),
  );
  return id;
};

/** Creates an administrator, and an order of Jane without images. */
const withOrder = async (differences: Parameters<typeof order>[1] = {}) => {
  const person = await world.signIn('ADMIN');
  const { id } = await order(person.tenant, { accession_number: 'A-1', patient: janesRecord, ...differences });
  return { person, id, before: await studyRow(person, id) };
};

type Ordered = Awaited<ReturnType<typeof withOrder>>;

/** Lets images join the order. */
const join = async (ordered: Ordered, elements: Elements = {}) => {
  const StudyInstanceUID = newUid();
  const another = () => image({ ...jane, AccessionNumber: 'A-1', StudyInstanceUID, ...filling, ...elements });
  const file = another();
  await storeAs(ordered.person, file);
  const { data } = await ordered.person.send(studies.get, { params: { id: ordered.id } });
  return { StudyInstanceUID, file, another, joinId: data.orderJoin?.id ?? '', study: data };
};

const separate = async ({ person, id }: Pick<Ordered, 'person' | 'id'>, joinId: string) =>
  person.send(studies.separateOrder, { params: { id }, body: { joinId } });

/** Returns an order whose images have joined it and were separated again. */
const separated = async (differences: Parameters<typeof order>[1] = {}, elements: Elements = {}) => {
  const ordered = await withOrder(differences);
  const joined = await join(ordered, elements);
  const { data } = await separate(ordered, joined.joinId);
  return { ...ordered, ...joined, imagesId: data.imagesStudyId };
};

test('separated images get their own study, and the order is what it was before', async () => {
  const ordered = await withOrder();
  const { person, id, before } = ordered;
  const titles = await addDevice(world, person.tenant);
  const { joinId, study, StudyInstanceUID, file } = await join(ordered);
  expect(study.orderJoin).toMatchObject({ joinedDate: expect.stringMatching(/^20/) });
  expect(study).toMatchObject({ instanceCount: 1, studyDescription: 'CT HEAD' });

  const { status, data } = await separate(ordered, joinId);

  expect(status).toBe(200);
  const { revision, content_revision, updated_at, ...after } = await studyRow(person, id);
  expect({ ...before, ...after }).toEqual({ ...before });
  expect([revision, content_revision]).toEqual([before.revision + 1, before.content_revision + 1]);
  expect(updated_at >= before.updated_at).toBe(true);
  expect((await ask(titles, everything)).items.length).toBe(1);
  expect(accessionNumbers((await ask(titles, everything)).items)).toEqual(['A-1']);
  const { data: images } = await person.send(studies.get, { params: { id: data.imagesStudyId } });
  expect(images).toMatchObject({
    studyInstanceUID: StudyInstanceUID,
    studyDescription: 'CT HEAD',
    studyDate: '2026-11-25T10:15:00',
    accessionNumber: 'A-1',
    referringPhysicianName: 'House, Gregory',
    status: 'PENDING',
    priority: 'ROUTINE',
    seriesCount: 1,
    instanceCount: 1,
    orderJoin: null,
    patient: { id: before.patient_id },
  });
  const [series] = images.series;
  const path = `/studies/${StudyInstanceUID}/series/${series?.seriesInstanceUID}/instances/${series?.instances[0]?.sopInstanceUID}`;
  const served = await getFrom(person, path, { accept: 'application/dicom' });
  expect(served.rawPayload.equals(file.bytes)).toBe(true);
  const entries = await person.inScope(({ db }) =>
    db.selectFrom('audit_entries').select('study_id').where('action', '=', 'study.separateOrder').execute(),
  );
  expect(new Set(entries.map(({ study_id }) => study_id))).toEqual(new Set([id, data.imagesStudyId]));
  expect(entries).toHaveLength(2);
});

test('the separated study equals that of the same images without an order', async () => {
  const { person, imagesId, file } = await separated(
    {},
    { Modality: 'CT', ScheduledProcedureStepStartDate: '20261124' },
  );
  const other = await world.signIn('ADMIN');
  await storeAs(other, file);
  const [alone] = await other.inScope(({ db }) => db.selectFrom('studies').selectAll().execute());

  const images = await studyRow(person, imagesId);

  const own = ['tenant_id', 'id', 'patient_id', 'created_at', 'updated_at', 'content_revision', 'revision'];
  const comparable = (row: object) => Object.fromEntries(Object.entries(row).filter(([key]) => !own.includes(key)));
  expect(comparable(images)).toEqual(comparable(alone ?? {}));
});

test('later images of a separated study join their study and not the order', async () => {
  const { person, id, imagesId, another } = await separated();

  await storeAs(person, another());

  expect(await studyRow(person, imagesId)).toMatchObject({ instance_count: 2 });
  expect(await studyRow(person, id)).toMatchObject({ instance_count: 0 });
});

test('separated images do not join the order again after their study was purged, but other images do', async () => {
  const ordered = await separated();
  const { person, id, imagesId, file } = ordered;
  await person.send(studies.remove, { params: { id: imagesId } });
  const reason = { reason: 'Sent again' };
  await person.send(studies.requestPurge, { params: { id: imagesId }, body: reason });
  const second = await world.signIn('ADMIN', person.tenant);
  const purged = await second.send(studies.confirmPurge, { params: { id: imagesId } });

  await storeAs(person, file);

  expect(purged.status).toBe(200);
  expect(await studyRow(person, id)).toMatchObject({ instance_count: 0 });
  const { study } = await join(ordered);
  expect(study).toMatchObject({ id, instanceCount: 1 });
});

test('the order keeps values that a user entered after the join', async () => {
  const ordered = await withOrder();
  const { person, id } = ordered;
  const { joinId, study } = await join(ordered);
  const edits = { description: 'Stroke protocol', referringPhysicianName: 'Wilson^James', priority: 'STAT' as const };
  await person.send(studies.update, { params: { id }, body: { revision: study.revision, ...edits } });

  const { data } = await separate(ordered, joinId);

  expect(await studyRow(person, id)).toMatchObject({
    description: 'Stroke protocol',
    referring_physician_name: 'Wilson^James',
    priority: 'STAT',
    study_description: '',
  });
  expect(await studyRow(person, data.imagesStudyId)).toMatchObject({
    description: '',
    referring_physician_name: 'House^Gregory',
    priority: 'ROUTINE',
  });
});

test('the order gets its assignment and due time back, and later assignments follow the images', async () => {
  const ordered = await withOrder();
  const { person, id } = ordered;
  const [first, second] = await Promise.all([
    world.signIn('RADIOLOGIST', person.tenant),
    world.signIn('RADIOLOGIST', person.tenant),
  ]);
  const assign = (userId: string, dueDate: string) =>
    person.send(workflow.assign, { params: { id }, body: { userIds: [userId], dueDate, notes: '' } });
  await assign(first.userId, '2126-12-01T08:00:00.000Z');
  const before = await studyRow(person, id);
  const { joinId } = await join(ordered);
  await assign(second.userId, '2126-11-30T08:00:00.000Z');

  const { data } = await separate(ordered, joinId);

  const { data: ofOrder } = await person.send(studies.get, { params: { id } });
  expect(ofOrder).toMatchObject({ status: 'ASSIGNED', assignees: [{ id: first.userId }] });
  expect(ofOrder.dueDate).toEqual(before.due_at);
  const { data: images } = await person.send(studies.get, { params: { id: data.imagesStudyId } });
  expect(images).toMatchObject({ status: 'ASSIGNED', assignees: [{ id: second.userId }] });
  expect(new Date(images.dueDate ?? '')).toEqual(new Date('2126-11-30T08:00:00.000Z'));
});

test('an assignment that ended since the join is active again', async () => {
  const ordered = await withOrder();
  const { person, id } = ordered;
  const reader = await world.signIn('RADIOLOGIST', person.tenant);
  await person.send(workflow.assign, { params: { id }, body: { userIds: [reader.userId], notes: '' } });
  const { joinId } = await join(ordered);
  await person.inScope(({ db }) =>
    db.updateTable('study_assignments').set({ status: 'CANCELLED', ended_at: new Date().toISOString() }).execute(),
  );

  await separate(ordered, joinId);

  const { data } = await person.send(studies.get, { params: { id } });
  expect(data).toMatchObject({ status: 'ASSIGNED', assignees: [{ id: reader.userId }] });
});

test('a draft that was begun since the join follows the images, and an earlier one stays with the order', async () => {
  const ordered = await withOrder();
  const reader = await world.signIn('RADIOLOGIST', ordered.person.tenant);
  const { joinId } = await join(ordered);
  const { data: draft } = await beginReport(reader, ordered.id);
  const another = await withOrder();
  const otherReader = await world.signIn('RADIOLOGIST', another.person.tenant);
  const { data: earlier } = await beginReport(otherReader, another.id);
  const joinedLater = await join(another);
  const studyOf = (person: Person, reportId: string) =>
    person.inScope(({ db }) =>
      db.selectFrom('reports').select(['study_id', 'revision']).where('id', '=', reportId).executeTakeFirstOrThrow(),
    );
  const { revision } = await studyOf(reader, draft.id);

  const { data } = await separate(ordered, joinId);
  await separate(another, joinedLater.joinId);

  expect(await studyOf(reader, draft.id)).toEqual({ study_id: data.imagesStudyId, revision: revision + 1 });
  expect(await studyOf(otherReader, earlier.id)).toMatchObject({ study_id: another.id });
  expect(await studyRow(reader, data.imagesStudyId)).toMatchObject({ status: 'IN_PROGRESS' });
  expect(await studyRow(reader, ordered.id)).toMatchObject({ status: 'PENDING' });
  expect(await studyRow(otherReader, another.id)).toMatchObject({ status: 'IN_PROGRESS' });
});

test('measurements, key images and unsaved texts since the join follow the images', async () => {
  const ordered = await withOrder();
  const { person, id } = ordered;
  const { joinId, study } = await join(ordered);
  const [series] = study.series;
  const author = { author_id: person.userId, author_username: person.username, author_name: person.username };
  const image = {
    ...author,
    study_id: id,
    series_instance_uid: series?.seriesInstanceUID ?? '',
    sop_instance_uid: series?.instances[0]?.sopInstanceUID ?? '',
    frame: 1,
  };
  const text = {
    study_id: id,
    writer_id: person.userId,
    content: '<p>Infarct</p>',
    has_critical_findings: false,
    critical_findings_details: '',
    patient_id: study.patient.id,
  };
  await person.inScope(async ({ db }) => {
    await db
      .insertInto('measurements')
      .values({ ...image, id: newId(), tool: 'PROBE', points: '[]' })
      .execute();
    await db
      .insertInto('key_images')
      .values({ ...image, id: newId(), look: '{}' })
      .execute();
    await db
      .insertInto('report_autosaves')
      .values({ ...text, id: newId() })
      .execute();
  });

  const { data } = await separate(ordered, joinId);

  await person.inScope(async ({ db }) => {
    for (const table of ['measurements', 'key_images', 'report_autosaves'] as const)
      expect(await db.selectFrom(table).select('study_id').execute()).toEqual([{ study_id: data.imagesStudyId }]);
  });
});

test('a preliminary report is not shown under another patient to whom the images are separated', async () => {
  const ordered = await withOrder({ patient: { ...janesRecord, issuer: 'HOSPITAL' } });
  const { person, id } = ordered;
  const reader = await world.signIn('RADIOLOGIST', person.tenant);
  const { joinId } = await join(ordered);
  const { data: draft } = await beginReport(reader, id);
  await reader.send(reports.issuePreliminary, { params: { id: draft.id }, body: { revision: 1 } });

  const { data } = await separate(ordered, joinId);

  const { data: report } = await reader.send(reports.get, { params: { id: draft.id } });
  expect(report).toMatchObject({ studyId: data.imagesStudyId, refiledAt: expect.any(String), preliminary: null });
  const { data: told } = await reader.send(notifications.list);
  expect(told.content.map(({ title }) => title)).toContain(
    'A study with an unsigned report was moved to another patient',
  );
});

test('a preliminary report follows images that stay with the same patient', async () => {
  const ordered = await withOrder();
  const { person, id } = ordered;
  const reader = await world.signIn('RADIOLOGIST', person.tenant);
  const { joinId } = await join(ordered);
  const { data: draft } = await beginReport(reader, id);
  await reader.send(reports.issuePreliminary, { params: { id: draft.id }, body: { revision: 1 } });

  await separate(ordered, joinId);

  const { data: report } = await reader.send(reports.get, { params: { id: draft.id } });
  expect(report).toMatchObject({ refiledAt: null, preliminary: { number: 1 } });
});

test('lesions and their states since the join follow the images, and are split from those of another patient', async () => {
  const ordered = await withOrder({ patient: { ...janesRecord, issuer: 'HOSPITAL' } });
  const { person, id, before } = ordered;
  const earlier = await person.inScope((scope) => addStudy(scope, { patient: { id: before.patient_id } }));
  const { joinId } = await join(ordered);
  const [shared, own] = [newId(), newId()];
  const facts = { label: 'Nodule', kind: 'NON_TARGET' as const };
  await person.inScope(async ({ db }) => {
    await db
      .insertInto('lesions')
      .values([
        { ...facts, id: shared, study_id: earlier.id },
        { ...facts, id: own, study_id: id },
      ])
      .execute();
    await db
      .insertInto('lesion_assessments')
      .values([
        { lesion_id: shared, study_id: earlier.id, state: 'PRESENT' },
        { lesion_id: shared, study_id: id, state: 'ABSENT' },
        { lesion_id: own, study_id: id, state: 'PRESENT' },
      ])
      .execute();
  });

  const { data } = await separate(ordered, joinId);

  const stored = await person.inScope(({ db }) =>
    db
      .selectFrom('lesion_assessments as a')
      .innerJoin('lesions as l', 'l.id', 'a.lesion_id')
      .select(['l.id', 'l.study_id', 'a.study_id as assessed_in', 'a.state'])
      .execute(),
  );
  const imagesId = data.imagesStudyId;
  expect(stored).toHaveLength(3);
  expect(stored).toEqual(
    expect.arrayContaining([
      { id: shared, study_id: earlier.id, assessed_in: earlier.id, state: 'PRESENT' },
      { id: own, study_id: imagesId, assessed_in: imagesId, state: 'PRESENT' },
      { id: expect.any(String), study_id: imagesId, assessed_in: imagesId, state: 'ABSENT' },
    ]),
  );
});

test('refuses to separate images whose report was signed since the join', async () => {
  const ordered = await withOrder();
  const reader = await world.signIn('RADIOLOGIST', ordered.person.tenant);
  const { joinId, StudyInstanceUID } = await join(ordered);
  const { data: draft } = await beginReport(reader, ordered.id);
  const signed = await reporting.finalize(reader, draft.id, { content: reportText });

  const answer = await separate(ordered, joinId);

  expect(signed.status).toBe(200);
  expect(answer).toMatchObject({
    status: 409,
    error: 'order.has_report',
    message: 'A report of these images was signed. The images stay with the order.',
  });
  expect(await studyRow(ordered.person, ordered.id)).toMatchObject({ study_instance_uid: StudyInstanceUID });
});

test('refuses to separate images with a critical finding', async () => {
  const ordered = await withOrder();
  const { joinId } = await join(ordered);
  const reader = await world.signIn('RADIOLOGIST', ordered.person.tenant);
  const { data: draft } = await beginReport(reader, ordered.id);
  await findings.add(reader, draft.id);

  const answer = await separate(ordered, joinId);

  expect(answer).toMatchObject({ status: 409, error: 'order.has_finding' });
});

test('refuses to separate images of a study that was moved to another patient since', async () => {
  const ordered = await withOrder();
  const { person, id } = ordered;
  const { joinId, study } = await join(ordered);
  await storeAs(person, image(janet));
  const to = await detailsOf(person, 'JANET-1');
  const moved = await person.send(patientMerges.move, {
    params: { id: to.id },
    body: { studyId: id, studyRevision: study.revision, fromId: study.patient.id, toRevision: to.revision },
  });

  const answer = await separate(ordered, joinId);

  expect(moved.status).toBe(200);
  expect(answer).toMatchObject({ status: 409, error: 'order.moved' });
});

test('gives the order a new UID when images under its UID have become a study of their own', async () => {
  const ordered = await withOrder();
  const { person, id, before } = ordered;
  const { joinId } = await join(ordered);
  await storeAs(person, image({ ...jane, AccessionNumber: 'A-1', StudyInstanceUID: before.study_instance_uid }));
  const own = await idOf(person, before.study_instance_uid);

  const { status } = await separate(ordered, joinId);

  expect(status).toBe(200);
  const { study_instance_uid } = await studyRow(person, id);
  expect(study_instance_uid).not.toBe(before.study_instance_uid);
  expect(await studyRow(person, own)).toMatchObject({ instance_count: 1 });
});

test('images of a source without the issuer of the order get the record that their files name', async () => {
  const { person, id, imagesId, before } = await separated({ patient: { ...janesRecord, issuer: 'HOSPITAL' } });

  expect(await studyRow(person, imagesId)).toMatchObject({ patient_identifier: 'P-1', patient_issuer: '' });
  expect(await studyRow(person, id)).toMatchObject({ patient_id: before.patient_id, patient_issuer: 'HOSPITAL' });
});

test('an undone merge since the join moves the separated study back too', async () => {
  const ordered = await withOrder();
  const { person, id, before } = ordered;
  const { joinId } = await join(ordered);
  await storeAs(person, image(janet));
  const [survivor, source] = [await detailsOf(person, 'JANET-1'), await detailsOf(person, 'P-1')];
  const { data: merge } = await person.send(patientMerges.merge, {
    params: { id: survivor.id },
    body: { sourceId: source.id, revision: survivor.revision, sourceRevision: source.revision, isOnePerson: true },
  });
  const { data } = await separate(ordered, joinId);
  const merged = await studyRow(person, data.imagesStudyId);

  await person.send(patientMerges.undo, { params: { id: survivor.id, mergeId: merge.id } });

  expect(merged).toMatchObject({ patient_id: survivor.id });
  for (const study of [id, data.imagesStudyId])
    expect(await studyRow(person, study)).toMatchObject({ patient_id: before.patient_id });
});

test('refuses to separate images of another tenant, and for users who see only their own studies', async () => {
  const ordered = await withOrder();
  const { person, id } = ordered;
  const { joinId } = await join(ordered);
  const elsewhere = await world.signIn('ADMIN');
  const referrer = await world.signIn('REFERRING_PHYSICIAN', person.tenant);
  await reporting.participate(referrer, id, 'REFERRER');
  await world.owner
    .updateTable('user_roles')
    .set({
      role_id: world.sql`(select id from roles where tenant_id = ${person.tenant.id} and built_in_for = 'ADMIN')`,
    })
    .where('user_id', '=', referrer.userId)
    .execute();

  expect(await separate({ person: elsewhere, id }, joinId)).toMatchObject({ status: 404 });
  const { data: seen } = await referrer.send(studies.get, { params: { id } });
  expect(seen.orderJoin).toBeNull();
  expect(await separate({ person: referrer, id }, joinId)).toMatchObject({ status: 404, error: 'join.not_found' });
});

test('of two users who separate the same images at once, one is refused with the reason', async () => {
  const ordered = await withOrder();
  const { joinId } = await join(ordered);

  const answers = await Promise.all([separate(ordered, joinId), separate(ordered, joinId)]);

  expect(answers).toContainEqual(expect.objectContaining({ status: 200 }));
  expect(answers).toContainEqual(expect.objectContaining({ error: 'order.separated' }));
});

test('images can be separated from their order after all of them were rejected', async () => {
  const ordered = await withOrder();
  const { person, id, before } = ordered;
  const { joinId, study } = await join(ordered, { Modality: 'CT' });
  const body = { seriesInstanceUID: study.series[0]?.seriesInstanceUID ?? '', title: '113038' } as const;
  await person.send(rejections.reject, { params: { id }, body });

  const { status, data } = await separate(ordered, joinId);

  expect(status).toBe(200);
  expect((await studyRow(person, id)).study_description).toBe(before.study_description);
  const { data: images } = await person.send(studies.get, { params: { id: data.imagesStudyId } });
  expect(images).toMatchObject({ instanceCount: 0, modality: 'CT', studyDescription: 'CT HEAD' });
});

test('rejected images follow the separated images, and can be restored there', async () => {
  const ordered = await withOrder();
  const { person, id } = ordered;
  const { joinId, another, study } = await join(ordered);
  await storeAs(person, another());
  const body = { seriesInstanceUID: study.series[0]?.seriesInstanceUID ?? '', title: '113001' } as const;
  await person.send(rejections.reject, { params: { id }, body });

  const { data } = await separate(ordered, joinId);

  const params = { id: data.imagesStudyId };
  const [rejection] = (await person.send(rejections.list, { params })).data;
  expect((await person.send(rejections.list, { params: { id } })).data).toEqual([]);
  await person.send(rejections.restore, { params: { ...params, rejectionId: rejection?.id ?? '' } });
  expect((await person.send(studies.get, { params })).data).toMatchObject({ instanceCount: 2, seriesCount: 2 });
  expect((await person.send(studies.get, { params: { id } })).data).toMatchObject({ instanceCount: 0, seriesCount: 0 });
});
