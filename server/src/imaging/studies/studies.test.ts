import { prefetchHeader } from '@radwork/contract/core/endpoint';
import { studies } from '@radwork/contract/imaging/studies';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { listenTo } from '#test/announcements.ts';
import { storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const store = (person: Person, overrides: Parameters<typeof addStudy>[1] = {}) =>
  world.inTenant(person.tenant, (scope) => addStudy(scope, overrides));

const auditOf = (person: Person) =>
  world.inTenant(person.tenant, ({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['action', 'username', 'study_id', 'patient_id', 'detail'])
      .orderBy('id')
      .execute(),
  );

const viewed = (person: Person, studyId: string, entry: { address: string; created_at?: string }) =>
  world.owner
    .insertInto('audit_entries')
    .values({
      tenant_id: person.tenant.id,
      user_id: person.userId,
      username: person.username,
      action: 'study.view',
      entity: 'study',
      entity_id: studyId,
      outcome: 'SUCCESS',
      study_id: studyId,
      ...entry,
    })
    .execute();
const viewedHoursAgo = (person: Person, studyId: string) =>
  viewed(person, studyId, { address: '127.0.0.1', created_at: new Date(Date.now() - 2 * 3_600_000).toISOString() });
const viewedElsewhere = (person: Person, studyId: string) => viewed(person, studyId, { address: '192.0.2.7' });

test('the study page shows the data of its files, with series and instances', async () => {
  const person = await world.signIn();
  const { id } = await store(person, {
    seriesModalities: ['CT', 'SR'],
    clinical_history: 'Cough for three weeks',
    equipment_manufacturer: 'Acme',
    equipment_room: 'CT 1',
    total_dlp: 412.5,
    ordering_physician_name: 'Moreau^Claire',
    scheduled_at: '2026-11-20T09:15:00',
  });

  const { data } = await person.send(studies.get, { params: { id } });

  expect(data).toMatchObject({
    id,
    revision: 1,
    clinicalHistory: 'Cough for three weeks',
    equipment: { manufacturer: 'Acme', room: { name: 'CT 1' } },
    radiation: { totalDLP: 412.5, ctdiVol: null },
    order: { orderingPhysician: { username: 'Moreau, Claire' }, scheduledDateTime: '2026-11-20T09:15:00' },
  });
  expect(data.series.map(({ modality, seriesNumber }) => [modality, seriesNumber])).toEqual([
    ['CT', 1],
    ['SR', 2],
  ]);
  expect(data.series[0]?.instances).toMatchObject([{ instanceNumber: 1, numberOfFrames: 1 }]);
});

test('finds a study by its UID, only for users who may see it', async () => {
  const person = await world.signIn();
  const stranger = await world.signIn();
  const { id, uid: studyUid } = await store(person);

  const { data } = await person.send(studies.getByUid, { params: { studyUid } });
  const elsewhere = await stranger.send(studies.getByUid, { params: { studyUid } });

  expect(data.id).toBe(id);
  expect(elsewhere).toMatchObject({ code: 404, error: 'study.not_found' });
});

test('audits each view of a study', async () => {
  const person = await world.signIn();
  const { id, patientId } = await store(person);

  await person.send(studies.get, { params: { id } });

  expect(await auditOf(person)).toEqual([
    { action: 'study.view', username: person.username, study_id: id, patient_id: patientId, detail: null },
  ]);
});

test('audits a study that the page of a reader loads in advance in its own words, and opening it as a view', async () => {
  const reader = await world.signIn();
  const { id } = await store(reader);
  const headers = { [prefetchHeader]: '1' };

  await reader.send(studies.get, { params: { id }, headers });
  await reader.send(studies.priors, { params: { id }, query: {}, headers });
  await reader.send(studies.get, { params: { id }, headers: { 'x-poll': '1' } });
  await world.context.auditReads.flush();

  expect((await auditOf(reader)).map(({ action }) => action)).toEqual([
    'study.prefetch',
    'study.view',
    'study.prefetch',
  ]);
});

test('audits a view of a user who writes no reports as a view, whatever the call says', async () => {
  const admin = await world.signIn('ADMIN');
  await world.inTenant(admin.tenant, ({ db }) =>
    db
      .updateTable('roles')
      .set({ permissions: ['study.view'] })
      .where('built_in_for', '=', 'ADMIN')
      .execute(),
  );
  world.context.sessions.forget();
  const { id } = await store(admin);

  await admin.send(studies.get, { params: { id }, headers: { [prefetchHeader]: '1' } });

  expect((await auditOf(admin)).map(({ action }) => action)).toEqual(['study.view']);
});

test('audits the reloads of an open study page once, and each later opening again', async () => {
  const person = await world.signIn();
  const { id } = await store(person);
  const again = { params: { id }, headers: { 'x-poll': '1' } };
  await person.send(studies.get, { params: { id } });

  await person.send(studies.get, again);
  await person.send(studies.tags, again);
  const whileOpen = await auditOf(person);
  await person.send(studies.get, { params: { id } });

  expect(whileOpen).toHaveLength(1);
  expect(await auditOf(person)).toHaveLength(2);
});

test('a caller cannot avoid the audit by declaring a first view as a reload', async () => {
  const person = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', person.tenant);
  const [{ id }, other, old] = [await store(person), await store(person), await store(person)];
  const again = (study: string) => ({ params: { id: study }, headers: { 'x-poll': '1' } });
  await colleague.send(studies.get, { params: { id } });
  await person.send(studies.get, { params: { id: other.id } });
  await viewedHoursAgo(person, old.id);
  await viewedElsewhere(person, id);
  const before = await auditOf(person);

  await person.send(studies.get, again(id));
  await person.send(studies.tags, again(old.id));

  expect((await auditOf(person)).slice(before.length)).toMatchObject([
    { action: 'study.view', username: person.username, study_id: id },
    { action: 'study.view', username: person.username, study_id: old.id },
  ]);
});

test('audits a new view when the study of an open page moves to another patient', async () => {
  const person = await world.signIn();
  const [{ id, patientId }, other] = [await store(person), await store(person)];
  const again = () => person.send(studies.get, { params: { id }, headers: { 'x-poll': '1' } });
  await person.send(studies.get, { params: { id } });
  await world.inTenant(person.tenant, ({ db }) =>
    db.updateTable('studies').set({ patient_id: other.patientId }).where('id', '=', id).execute(),
  );

  await again();
  await again();

  expect((await auditOf(person)).map((entry) => entry.patient_id)).toEqual([patientId, other.patientId]);
});

test('a series has the plane of its images without its localizers, if all have the same', async () => {
  const person = await world.signIn('ADMIN');
  const StudyInstanceUID = newUid();
  const [axial, coronal] = [
    [1, 0, 0, 0, 1, 0],
    [1, 0, 0, 0, 0, -1],
  ];
  const localizer = { ImageType: ['ORIGINAL', 'PRIMARY', 'LOCALIZER'] };
  const inSeries = (SeriesNumber: number) => {
    const SeriesInstanceUID = newUid();
    return (ImageOrientationPatient: number[] | undefined, elements = {}) =>
      image({
        StudyInstanceUID,
        SeriesInstanceUID,
        SeriesNumber,
        ImageOrientationPatient,
        Modality: 'CT',
        PatientID: 'P-1',
        ...elements,
      });
  };
  const [withLocalizer, mixed, unknown] = [inSeries(1), inSeries(2), inSeries(3)];
  await storeAs(person, withLocalizer(coronal, localizer), withLocalizer(axial), withLocalizer(axial));
  await storeAs(person, mixed(axial), mixed(coronal), unknown(undefined));
  const { data } = await person.send(studies.getByUid, { params: { studyUid: StudyInstanceUID } });

  expect(data.series.map(({ plane }) => plane)).toEqual(['axial', null, null]);
});

test('lists the series of a study by number', async () => {
  const person = await world.signIn();
  const { id } = await store(person, { seriesModalities: ['CT', 'PT'] });

  const { data } = await person.send(studies.series, { params: { id } });

  expect(data).toMatchObject([
    { seriesNumber: 1, modality: 'CT', instanceCount: 1, bodyPartExamined: 'CHEST' },
    { seriesNumber: 2, modality: 'PT' },
  ]);
});

test('the tags are the elements of the first instance, including those in sequences', async () => {
  const person = await world.signIn();
  const { id } = await store(person, {
    header: {
      '00080060': { vr: 'CS', Value: ['CT'] },
      '00081140': {
        vr: 'SQ',
        Value: [{ '00081155': { vr: 'UI', Value: ['1.2.3'] } }, { '00081155': { vr: 'UI', Value: ['1.2.4'] } }],
      },
      '00091001': { vr: 'LO', Value: ['<b>vendor</b>'] },
      '00100010': { vr: 'PN', Value: [{ Alphabetic: 'Yamada^Tarō', Ideographic: '山田^太郎' }] },
      '00180050': { vr: 'DS' },
      '00200032': { vr: 'DS', Value: [-125.5, 0, 3] },
      '00282000': { vr: 'OB', InlineBinary: Buffer.alloc(1500).toString('base64') },
      '00287FE0': { vr: 'OW', BulkDataURI: 'bulkdata/00287FE0' },
      '00400512': { vr: 'UT', BulkDataURI: 'bulkdata/00400512' },
    },
  });

  const { data } = await person.send(studies.tags, { params: { id } });

  expect(data.map((tag) => [tag.id, tag.tagId, tag.keyword, tag.valueRepresentation, tag.value])).toEqual([
    ['00080060', '(0008,0060)', 'Modality', 'CS', 'CT'],
    ['00081140', '(0008,1140)', 'ReferencedImageSequence', 'SQ', '(2 items)'],
    ['00081140[1].00081155', '(0008,1155)', 'ReferencedSOPInstanceUID', 'UI', '1.2.3'],
    ['00081140[2].00081155', '(0008,1155)', 'ReferencedSOPInstanceUID', 'UI', '1.2.4'],
    ['00091001', '(0009,1001)', '', 'LO', '<b>vendor</b>'],
    ['00100010', '(0010,0010)', 'PatientName', 'PN', 'Yamada^Tarō=山田^太郎'],
    ['00180050', '(0018,0050)', 'SliceThickness', 'DS', ''],
    ['00200032', '(0020,0032)', 'ImagePositionPatient', 'DS', String.raw`-125.5\0\3`],
    ['00282000', '(0028,2000)', 'ICCProfile', 'OB', '(binary, 1,500 bytes)'],
    ['00287FE0', '(0028,7FE0)', 'PixelDataProviderURL', 'OW', '(binary, not listed)'],
    ['00400512', '(0040,0512)', 'ContainerIdentifier', 'UT', '(too long to list)'],
  ]);
});

test('a study without images has no tags', async () => {
  const person = await world.signIn();
  const { id } = await store(person, { seriesModalities: [] });

  const { data } = await person.send(studies.tags, { params: { id } });

  expect(data).toEqual([]);
});

test('users can change fields that users enter, but no field that the scanner wrote', async () => {
  const person = await world.signIn();
  const { id, uid } = await store(person, { study_description: 'CT Chest' });
  const form = {
    revision: 1,
    description: 'Follow-up',
    priority: 'high',
    accessionNumber: 'A-77',
    referringPhysicianName: 'Dr Claire Moreau',
    referringPhysicianPhone: '+1 555 0142',
    clinicalHistory: 'Cough',
  };
  const order = { orderNumber: 'O-7', procedureCode: 'CTPA', procedureDescription: 'CT pulmonary angiography' };
  const ordered = { ...order, orderingPhysicianName: 'Dr Ordering', scheduledDateTime: '2026-11-20T14:00' };

  const { data } = await person.send(studies.update, {
    params: { id },
    body: { ...form, ...ordered, studyInstanceUID: '1.2.3', patientName: 'Somebody^Else' },
  });

  expect(data).toMatchObject({ ...form, priority: 'URGENT', revision: 2 });
  expect(data).toMatchObject({
    studyInstanceUID: uid,
    studyDescription: 'CT Chest',
    patient: { patientName: 'Doe, Jane' },
    order: { ...order, orderingPhysician: { username: 'Dr Ordering' }, scheduledDateTime: '2026-11-20T14:00:00' },
  });
});

test('an empty scheduled time clears it, and an invalid time is refused at its field', async () => {
  const person = await world.signIn();
  const { id } = await store(person, { scheduled_at: '2026-11-20T09:15:00' });
  const schedule = (scheduledDateTime: string) =>
    person.send(studies.update, { params: { id }, body: { revision: 1, scheduledDateTime } });

  const refused = await Promise.all(['tomorrow', '2026-02-31T10:00', '2026-11-20T10:00:00Z'].map(schedule));
  const emptied = await schedule('');

  const errors = [{ field: 'scheduledDateTime', message: 'Use a date and time such as 2026-11-21 14:05' }];
  expect(refused).toMatchObject([{ errors }, { errors }, { errors }]);
  expect(emptied.data.order.scheduledDateTime).toBeNull();
});

test('announces when a study is registered, changed, deleted or restored', async () => {
  const person = await world.signIn('ADMIN');
  const announcements = await listenTo(world);

  const { data } = await person.send(studies.create, {
    body: {
      modality: 'CT',
      newPatient: { patientName: 'Doe', patientId: 'P-1', gender: 'F', dateOfBirth: '1970-01-31' },
    },
  });
  const params = { id: data.id };
  await person.send(studies.update, { params, body: { revision: 1, description: 'Knee' } });
  await person.send(studies.remove, { params });
  await person.send(studies.restore, { params });

  const event = { kind: 'study', studyId: data.id };
  expect(
    (await announcements())
      .filter(({ tenantId }) => tenantId === person.tenant.id)
      .map((announcement) => announcement.event),
  ).toEqual([{ kind: 'patient', patientId: data.patient.id }, event, event, event, event]);
});

test('audits the names of changed fields, but not their values', async () => {
  const person = await world.signIn();
  const { id } = await store(person);

  await person.send(studies.update, {
    params: { id },
    body: { revision: 1, clinicalHistory: 'Suspected pneumonia', priority: 'ROUTINE' },
  });

  expect(await auditOf(person)).toMatchObject([{ action: 'study.update', detail: { fields: 'clinical_history' } }]);
});

test('a change does not affect fields that it omits, and clears fields that it sends empty', async () => {
  const person = await world.signIn();
  const { id } = await store(person, { description: 'Knee', clinical_history: 'Fall' });

  const { data } = await person.send(studies.update, { params: { id }, body: { revision: 1, description: '' } });

  expect(data).toMatchObject({ description: '', clinicalHistory: 'Fall' });
});

test("an unchanged physician's name keeps its DICOM form", async () => {
  const person = await world.signIn();
  const { id } = await store(person, { referring_physician_name: 'Moreau^Claire^^Dr' });
  const response = await person.send(studies.get, { params: { id } });

  await person.send(studies.update, {
    params: { id },
    body: { revision: 1, referringPhysicianName: response.data.referringPhysicianName },
  });

  const stored = await world.inTenant(person.tenant, ({ db }) =>
    db.selectFrom('studies').select('referring_physician_name').where('id', '=', id).executeTakeFirst(),
  );
  expect(stored).toEqual({ referring_physician_name: 'Moreau^Claire^^Dr' });
});

test('refuses an outdated study form and names the changes', async () => {
  const first = await world.signIn();
  const second = await world.signIn('ADMIN', first.tenant);
  const { id } = await store(first);
  await first.send(studies.update, { params: { id }, body: { revision: 1, description: 'Mine' } });

  const answer = await second.send(studies.update, {
    params: { id },
    body: { revision: 1, description: 'Theirs', priority: 'ROUTINE' },
  });

  expect(answer).toMatchObject({
    code: 409,
    error: 'study.changed',
    message: 'Another user changed the study. It is now at revision 2.',
    errors: [{ field: 'description', message: 'Now "Mine"' }],
  });
});

test('only one of two simultaneous saves succeeds', async () => {
  const person = await world.signIn();
  const { id } = await store(person);

  const answers = await Promise.all(
    ['One', 'Two', 'Three'].map((description) =>
      person.send(studies.update, { params: { id }, body: { revision: 1, description } }),
    ),
  );

  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
});

test('an accession number is unique in the tenant, and a deletion frees it', async () => {
  const person = await world.signIn('ADMIN');
  const stranger = await world.signIn();
  await store(stranger, { accession_number: 'A-1' });
  const stored = await store(person, { accession_number: 'A-1' });
  const { id } = await store(person);
  const claim = (revision: number) =>
    person.send(studies.update, { params: { id }, body: { revision, accessionNumber: 'A-1' } });

  const refused = await claim(1);
  await person.send(studies.remove, { params: { id: stored.id } });
  const accepted = await claim(1);

  expect(refused).toMatchObject({
    code: 422,
    errors: [{ field: 'accessionNumber', message: 'Another study has this accession number' }],
  });
  expect(accepted).toMatchObject({ code: 200, data: { accessionNumber: 'A-1' } });
});

test('when two studies claim an accession number simultaneously, one study gets it', async () => {
  const person = await world.signIn();
  const claimed = await Promise.all([store(person), store(person)]);

  const answers = await Promise.all(
    claimed.map(({ id }) =>
      person.send(studies.update, { params: { id }, body: { revision: 1, accessionNumber: 'A-9' } }),
    ),
  );

  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
});

test('studies that arrived with the same accession number can still be edited', async () => {
  const person = await world.signIn();
  await store(person, { accession_number: 'A-1' });
  const { id } = await store(person, { accession_number: 'A-1' });

  const answer = await person.send(studies.update, {
    params: { id },
    body: { revision: 1, accessionNumber: 'A-1', description: 'Knee' },
  });

  expect(answer).toMatchObject({ code: 200 });
});

test('refuses an invalid priority at its field', async () => {
  const person = await world.signIn();
  const { id } = await store(person);

  const answer = await person.send(studies.update, { params: { id }, body: { revision: 1, priority: 'whenever' } });

  expect(answer).toMatchObject({
    code: 422,
    errors: [{ field: 'priority', message: 'Priority must be STAT, URGENT or ROUTINE' }],
  });
});

test('a deleted study is not found by any user, and its deletion is audited', async () => {
  const person = await world.signIn('ADMIN');
  const { id, patientId } = await store(person);

  const answer = await person.send(studies.remove, { params: { id } });

  expect(answer.status).toBe(200);
  for (const endpoint of [studies.get, studies.series, studies.tags, studies.remove]) {
    expect(await person.send(endpoint, { params: { id } })).toMatchObject({ code: 404, message: 'Study not found' });
  }
  expect(await person.send(studies.update, { params: { id }, body: { revision: 2 } })).toMatchObject({ code: 404 });
  // The audit entry of a refusal is written after the response.
  await world.context.auditReads.flush();
  expect(await auditOf(person)).toMatchObject([
    { action: 'study.delete', study_id: id, patient_id: patientId },
    ...Array.from({ length: 5 }, () => ({ action: 'access.miss', study_id: null })),
  ]);
});

test('refuses to delete a study with a finalized report', async () => {
  const person = await world.signIn('ADMIN');
  const { id } = await store(person);
  await world.inTenant(person.tenant, ({ db }) =>
    db
      .insertInto('reports')
      .values({
        id: newId(),
        study_id: id,
        author_id: person.userId,
        status: 'FINALIZED',
        content: '<p>Normal.</p>',
        content_hash: Buffer.alloc(32),
        finalized_at: '2026-11-21T10:00:00Z',
      })
      .execute(),
  );

  const answer = await person.send(studies.remove, { params: { id } });

  expect(answer).toMatchObject({ code: 409, message: expect.stringContaining('has a finalized report') });
  expect(await person.send(studies.get, { params: { id } })).toMatchObject({ code: 200 });
});

test('a referring physician does not find studies of other physicians', async () => {
  const radiologist = await world.signIn();
  const admin = await world.signIn('REFERRING_PHYSICIAN', radiologist.tenant);
  const { id } = await store(radiologist);

  const before = await admin.send(studies.get, { params: { id } });
  await world.inTenant(radiologist.tenant, ({ db }) =>
    db.insertInto('study_participants').values({ study_id: id, user_id: admin.userId, role: 'REFERRER' }).execute(),
  );
  const after = await admin.send(studies.get, { params: { id } });

  expect(before).toMatchObject({ code: 404, message: 'Study not found' });
  expect(after).toMatchObject({ code: 200 });
});

test('an invalid study ID, a random study ID and a study ID of another tenant get the same answer', async () => {
  const person = await world.signIn();
  const stranger = await world.signIn();
  const { id } = await store(stranger);

  const answers = await Promise.all(
    ['nonsense', newId(), id].map((requestedId) => person.send(studies.get, { params: { id: requestedId } })),
  );

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test('refuses to delete a study on legal hold', async () => {
  const person = await world.signIn('ADMIN');
  const { id } = await store(person, { is_on_legal_hold: true });

  const answer = await person.send(studies.remove, { params: { id } });

  expect(answer).toMatchObject({ code: 409, message: expect.stringContaining('on legal hold') });
});

test('restores a deleted study completely and audits it', async () => {
  const person = await world.signIn('ADMIN');
  const { id } = await store(person, { seriesModalities: ['CT', 'SR'], description: 'Chest' });
  const { data: before } = await person.send(studies.get, { params: { id } });
  await person.send(studies.remove, { params: { id } });

  const restored = await person.send(studies.restore, { params: { id } });

  expect(restored.data).toEqual({ ...before, revision: 3, lastModifiedDate: expect.any(String) });
  const { data: list } = await person.send(studies.list, { query: { modality: 'SR' } });
  expect(list.content.map((study) => study.id)).toEqual([id]);
  expect((await auditOf(person)).map(({ action }) => action)).toContain('study.restore');
});

test('refuses to restore a study that is not in the recycle bin', async () => {
  const person = await world.signIn('ADMIN');
  const { id } = await store(person);

  const answer = await person.send(studies.restore, { params: { id } });

  expect(answer).toMatchObject({ code: 404, error: 'study.not_found' });
});
