import { rejections } from '@radwork/contract/imaging/rejections';
import { rereadings } from '@radwork/contract/imaging/rereadings';
import { studies } from '@radwork/contract/imaging/studies';
import type { DicomJson } from '@radwork/dicom/dataset';
import { newUid } from '@radwork/dicom/uid';
import { ctVolume, doseReport } from '@radwork/phantom/studies';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { StorageUnavailable } from '#core/blobs/blob-store.ts';
import { gunzip, gzip } from '#core/resources/gzip.ts';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { image, type TestFile } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { rereadAll, rereadNext } from './reread-headers.ts';

const world = await createWorld();
const { scopes, blobs } = world.context;

const jane = { PatientID: 'J-1', PatientName: 'Doe^Jane', PatientBirthDate: '19610430', PatientSex: 'F' as const };

const newUids = () => ({ StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() });

/** A version of the reader that no tenant has used yet, because the tests share one database. */
let version = 1;
const reread = () => rereadAll({ scopes, blobs }, { version });
const nextVersion = () => (version += 1);

const jpeg = await sharp({ create: { width: 16, height: 16, channels: 3, background: 'gray' } })
  .grayscale()
  .jpeg()
  .toBuffer();

/** An image of three frames that declares none. */
const threeFrames = (uids: ReturnType<typeof newUids>): TestFile =>
  image(
    { ...uids, BitsAllocated: 8, BitsStored: 8, HighBit: 7, Rows: 16, Columns: 16, NumberOfFrames: 0 },
    { transferSyntaxUID: '1.2.840.10008.1.2.4.50', pixelData: [jpeg, jpeg, jpeg] },
  );

const changeStudy = (person: Person, StudyInstanceUID: string, set: object) =>
  person.inScope(({ db }) =>
    db.updateTable('studies').set(set).where('study_instance_uid', '=', StudyInstanceUID).execute(),
  );

const studyOf = (person: Person, StudyInstanceUID: string) =>
  person.inScope(({ db }) =>
    db.selectFrom('studies').selectAll().where('study_instance_uid', '=', StudyInstanceUID).executeTakeFirstOrThrow(),
  );

const seriesOf = (person: Person, SeriesInstanceUID: string) =>
  person.inScope(({ db }) =>
    db.selectFrom('series').selectAll().where('series_instance_uid', '=', SeriesInstanceUID).executeTakeFirstOrThrow(),
  );

const listed = async (person: Person) =>
  (await person.send(rereadings.differences, { query: { size: 100 } })).data.content.map(
    ({ outcome, keyword, before, after, files }) => ({ outcome, keyword, before, after, files }),
  );

/** Gives a stored header other values, as an earlier version had read them. */
const changeHeader = (person: Person, sopInstanceUid: string, change: DicomJson) =>
  person.inScope(async ({ db }) => {
    const row = await db
      .selectFrom('instances')
      .select(['id', 'metadata'])
      .where('sop_instance_uid', '=', sopInstanceUid)
      .executeTakeFirstOrThrow();
    const header: DicomJson = JSON.parse((await gunzip(row.metadata)).toString());
    const metadata = await gzip(JSON.stringify({ ...header, ...change }));
    await db.updateTable('instances').set({ metadata }).where('id', '=', row.id).execute();
  });

/** Stores a study and gives it the midnight that earlier versions stored for a time they could not read. */
const withOldTime = async (person: Person, StudyTime = '101500.1234567'): Promise<string> => {
  const uids = newUids();
  await storeAs(person, image({ ...uids, StudyDate: '20261101', StudyTime }));
  await changeStudy(person, uids.StudyInstanceUID, { study_date: '2026-11-01T00:00:00', is_study_time_known: false });
  return uids.StudyInstanceUID;
};

test('reads a study time again that an earlier version stored as midnight', async () => {
  const person = await world.signIn('ADMIN');
  const uid = await withOldTime(person);
  nextVersion();

  await reread();

  expect(await studyOf(person, uid)).toMatchObject({ study_date: '2026-11-01T10:15:00', is_study_time_known: true });
  expect(await listed(person)).toEqual([
    { outcome: 'CHANGED', keyword: 'StudyTime', before: '2026-11-01', after: '2026-11-01T10:15:00', files: 1 },
  ]);
  const entries = await person.inScope(({ db }) =>
    db.selectFrom('audit_entries').select('detail').where('action', '=', 'study.reread').execute(),
  );
  expect(entries).toEqual([{ detail: { attributes: 'StudyTime', readerVersion: version } }]);
});

const withSchedule = async (person: Person, time = '101500.1234567') => {
  const uids = newUids();
  const scheduled = { ScheduledProcedureStepStartDate: '20261101', ScheduledProcedureStepStartTime: time };
  await storeAs(person, image({ ...uids, ...scheduled }));
  await changeStudy(person, uids.StudyInstanceUID, { scheduled_at: '2026-11-01T00:00:00' });
  return uids.StudyInstanceUID;
};

test('reads a scheduled time again that an earlier version stored as midnight or not at all', async () => {
  const person = await world.signIn('ADMIN');
  const midnight = await withSchedule(person);
  const unknown = await withSchedule(person, '');
  const missing = await withSchedule(person);
  await changeStudy(person, missing, { scheduled_at: null });
  const right = await withSchedule(person);
  await changeStudy(person, right, { scheduled_at: '2026-11-01T09:00:00' });
  nextVersion();

  await reread();

  expect(await studyOf(person, midnight)).toMatchObject({ scheduled_at: '2026-11-01T10:15:00' });
  expect(await studyOf(person, missing)).toMatchObject({ scheduled_at: '2026-11-01T10:15:00' });
  expect(await studyOf(person, unknown)).toMatchObject({ scheduled_at: '2026-11-01T00:00:00' });
  expect(await studyOf(person, right)).toMatchObject({ scheduled_at: '2026-11-01T09:00:00' });
  const list = await listed(person);
  const after = '2026-11-01T10:15:00';
  const time = { keyword: 'ScheduledProcedureStepStartTime', before: '2026-11-01T00:00:00', after, files: 1 };
  expect(list).toContainEqual({ outcome: 'CHANGED', ...time });
  expect(list).toContainEqual({
    outcome: 'CHANGED',
    keyword: 'ScheduledProcedureStepStartDate',
    before: '',
    after,
    files: 1,
  });
  expect(list).toHaveLength(2);
});

test('lists a scheduled time that a user entered, and leaves it', async () => {
  const person = await world.signIn('ADMIN');
  const uid = await withSchedule(person);
  const { id, revision } = await studyOf(person, uid);
  await changeStudy(person, uid, { scheduled_at: null });
  const body = { revision, scheduledDateTime: '2026-11-01T00:00' };
  const edited = await person.send(studies.update, { params: { id }, body });
  nextVersion();

  await reread();

  expect(edited.status).toBe(200);
  expect(await studyOf(person, uid)).toMatchObject({ scheduled_at: '2026-11-01T00:00:00' });
  expect(await listed(person)).toMatchObject([{ outcome: 'LEFT', keyword: 'ScheduledProcedureStepStartTime' }]);
});

test('completes descriptions that an earlier version cut at a backslash, unless a user entered them', async () => {
  const person = await world.signIn('ADMIN');
  const [cut, entered] = [newUids(), newUids()];
  const whole = 'MR Knee\\T\\Hip';
  const described = { StudyDescription: whole, SeriesDescription: whole, RequestedProcedureDescription: whole };
  const split = Object.fromEntries(Object.entries(described).map(([keyword, text]) => [keyword, text.split('\\')]));
  for (const uids of [cut, entered]) {
    await storeAs(person, image({ ...uids, ...split }));
    await changeStudy(person, uids.StudyInstanceUID, { study_description: 'MR Knee', procedure_description: '' });
  }
  await person.inScope(({ db }) => db.updateTable('series').set({ series_description: 'MR Knee' }).execute());
  await changeStudy(person, cut.StudyInstanceUID, { procedure_description: 'MR Knee' });
  const { id, revision } = await studyOf(person, entered.StudyInstanceUID);
  await person.send(studies.update, { params: { id }, body: { revision, procedureDescription: 'MR Knee' } });
  nextVersion();

  await reread();

  const read = await studyOf(person, cut.StudyInstanceUID);
  expect(read).toMatchObject({ study_description: whole, procedure_description: whole });
  expect(await seriesOf(person, cut.SeriesInstanceUID)).toMatchObject({ series_description: whole });
  expect(await studyOf(person, entered.StudyInstanceUID)).toMatchObject({
    study_description: whole,
    procedure_description: 'MR Knee',
  });
  expect(await listed(person)).toContainEqual({
    outcome: 'LEFT',
    keyword: 'RequestedProcedureDescription',
    before: 'MR Knee',
    after: whole,
    files: 1,
  });
});

test('corrects the requests of a series that were read in a wrong character set', async () => {
  const person = await world.signIn('ADMIN');
  const uids = newUids();
  const request = { ScheduledProcedureStepID: 'Schädel', RequestedProcedureID: 'R-1' };
  await storeAs(person, image({ ...uids, SpecificCharacterSet: 'ISO_IR 192', RequestAttributesSequence: [request] }));
  const stored = () =>
    person.inScope(({ db }) =>
      db.selectFrom('series_requests').select(['item', 'scheduled_procedure_step_id']).execute(),
    );
  const before = await stored();
  const wrong = 'SchÃ¤del';
  await person.inScope(({ db }) =>
    db.updateTable('series_requests').set({ scheduled_procedure_step_id: wrong }).execute(),
  );
  const step = { '00400009': { vr: 'SH', Value: [wrong] }, '00401001': { vr: 'SH', Value: ['R-1'] } };
  await changeHeader(person, uids.SOPInstanceUID, { '00400275': { vr: 'SQ', Value: [step] } });
  nextVersion();

  await reread();

  expect(before).toEqual([{ item: 1, scheduled_procedure_step_id: 'Schädel' }]);
  expect(await stored()).toEqual(before);
  expect(await listed(person)).toContainEqual({
    outcome: 'CHANGED',
    keyword: 'RequestAttributesSequence',
    before: `${wrong} R-1`,
    after: 'Schädel R-1',
    files: 1,
  });
});

test('raises a dose that an earlier version missed, and lowers one that no file has', async () => {
  const person = await world.signIn('ADMIN');
  const [missed, tooHigh, right] = [newUids(), newUids(), newUids()];
  const again = (uids: ReturnType<typeof newUids>) => ({ ...uids, SOPInstanceUID: newUid(), PatientID: 'D-1' });
  for (const uids of [missed, tooHigh, right])
    for (const CTDIvol of [8.5, 12.25, 3]) await storeAs(person, image({ ...again(uids), Modality: 'CT', CTDIvol }));
  await changeStudy(person, missed.StudyInstanceUID, { ctdi_vol: null });
  await changeStudy(person, tooHigh.StudyInstanceUID, { ctdi_vol: 8500, total_dlp: 0.5 });
  const before = await studyOf(person, right.StudyInstanceUID);
  nextVersion();

  await reread();

  expect(await studyOf(person, missed.StudyInstanceUID)).toMatchObject({ ctdi_vol: 12.25, total_dlp: null });
  expect(await studyOf(person, tooHigh.StudyInstanceUID)).toMatchObject({ ctdi_vol: 12.25, total_dlp: null });
  expect(await studyOf(person, right.StudyInstanceUID)).toEqual(before);
  const changes = (await listed(person)).map(({ keyword, ...rest }) => [keyword, rest.before, rest.after].join(' '));
  expect(new Set(changes)).toEqual(
    new Set(['CTDIvol  8.5', 'CTDIvol 8.5 12.25', 'CTDIvol 8500 12.25', 'CTDoseLengthProductTotal 0.5 ']),
  );
});

test('keeps the dose of an image that was rejected for its quality', async () => {
  const person = await world.signIn('ADMIN');
  const uids = newUids();
  const rejected = newUid();
  for (const [SeriesInstanceUID, CTDIvol] of [[rejected, 12.25] as const, [newUid(), 3] as const])
    await storeAs(person, image({ ...uids, SeriesInstanceUID, SOPInstanceUID: newUid(), PatientID: 'D-1', CTDIvol }));
  const { id } = await studyOf(person, uids.StudyInstanceUID);
  const body = { seriesInstanceUID: rejected, title: '113001' } as const;
  await person.send(rejections.reject, { params: { id }, body });
  nextVersion();

  await reread();

  expect(await studyOf(person, uids.StudyInstanceUID)).toMatchObject({ ctdi_vol: 12.25 });
});

test('reads the dose report of a study again', async () => {
  const person = await world.signIn('ADMIN');
  const options = { seed: 'dose read again', patient: jane, studyDate: '20261101', accessionNumber: 'A-1' };
  const files = [...ctVolume({ ...options, slices: 2, size: 16 }), doseReport(options)];
  await storeAs(person, ...files);
  const stored = () =>
    person.inScope(({ db }) => db.selectFrom('studies').select(['total_dlp', 'ctdi_vol']).executeTakeFirstOrThrow());
  const before = await stored();
  await person.inScope(({ db }) => db.updateTable('studies').set({ total_dlp: null, ctdi_vol: 900 }).execute());
  nextVersion();

  await reread();

  expect(before.total_dlp).toBeGreaterThan(0);
  expect(await stored()).toEqual(before);
});

test('marks a midnight that the file names as known, and leaves an unreadable time unknown', async () => {
  const person = await world.signIn('ADMIN');
  const midnight = await withOldTime(person, '000000');
  const unreadable = await withOldTime(person, 'noon');
  nextVersion();

  await reread();

  expect(await studyOf(person, midnight)).toMatchObject({
    study_date: '2026-11-01T00:00:00',
    is_study_time_known: true,
  });
  expect(await studyOf(person, unreadable)).toMatchObject({ is_study_time_known: false });
});

test('lists the time of a study that a user registered, and leaves it', async () => {
  const person = await world.signIn('ADMIN');
  const uids = newUids();
  const { StudyInstanceUID } = uids;
  const { status } = await person.send(studies.create, {
    body: {
      newPatient: { patientId: 'R-1', patientName: 'Roe, Jane', gender: 'Female', dateOfBirth: '1970-01-31' },
      modality: 'CT',
      studyInstanceUID: StudyInstanceUID,
      studyDate: '2026-11-01T00:00',
    },
  });
  expect(status).toBe(201);
  await storeAs(
    person,
    image({ ...uids, PatientID: 'R-1', PatientName: 'Roe^Jane', PatientSex: 'F', PatientBirthDate: '19700131' }),
  );
  const file = image({
    ...newUids(),
    StudyInstanceUID,
    PatientID: 'R-1',
    PatientName: 'Roe^Jane',
    StudyDate: '20261101',
    StudyTime: '101500',
  });
  await storeAs(person, file);
  await changeStudy(person, StudyInstanceUID, { study_date: '2026-11-01T00:00:00', is_study_time_known: false });
  nextVersion();

  await reread();

  expect(await studyOf(person, StudyInstanceUID)).toMatchObject({
    study_date: '2026-11-01T00:00:00',
    is_study_time_known: false,
  });
  expect((await listed(person)).filter(({ keyword }) => keyword === 'StudyTime')).toMatchObject([{ outcome: 'LEFT' }]);
});

test('shows the frames of a file that an earlier version stored without frames, also after they were cached', async () => {
  const person = await world.signIn('ADMIN');
  const uids = newUids();
  await storeAs(person, threeFrames(uids));
  await person.inScope(({ db }) =>
    db.updateTable('instances').set({ number_of_frames: 1, is_renderable: false, frame_index: null }).execute(),
  );
  await changeHeader(person, uids.SOPInstanceUID, { '00280008': { vr: 'IS', Value: [0] } });
  const series = `/studies/${uids.StudyInstanceUID}/series/${uids.SeriesInstanceUID}`;
  const path = `${series}/instances/${uids.SOPInstanceUID}`;
  const before = await getFrom(person, `${series}/metadata`);
  const wholeBefore = await getFrom(person, `/studies/${uids.StudyInstanceUID}/metadata`);
  expect((await getFrom(person, `${path}/frames/3`, { accept: 'image/jpeg' })).statusCode).not.toBe(200);
  nextVersion();

  await reread();

  const again = { 'if-none-match': String(before.headers.etag) };
  await expect
    .poll(async () => (await getFrom(person, `${path}/frames/3`, { accept: 'image/jpeg' })).statusCode)
    .toBe(200);
  const after = await getFrom(person, `${series}/metadata`, again);
  const whole = await getFrom(person, `/studies/${uids.StudyInstanceUID}/metadata`, {
    'if-none-match': String(wholeBefore.headers.etag),
  });
  expect([after.statusCode, whole.statusCode]).toEqual([200, 200]);
  expect(after.json()[0]['00280008'].Value).toEqual([3]);
  expect(after.headers['x-series']).not.toBe(before.headers['x-series']);
  expect((await getFrom(person, `${path}/rendered`)).statusCode).toBe(200);
  expect(await listed(person)).toContainEqual({
    outcome: 'CHANGED',
    keyword: 'NumberOfFrames',
    before: '1 (not shown)',
    after: '3',
    files: 1,
  });
});

test('gives a series of a report and images the modality of its images, and fills in its long number', async () => {
  const person = await world.signIn('ADMIN');
  const uids = newUids();
  const digits = '456115117112105110101';
  const report = { Modality: 'SR', SOPClassUID: '1.2.840.10008.5.1.4.1.1.88.33', Rows: undefined, Columns: undefined };
  const ofSeries = { ...uids, PatientID: 'P-1', SeriesNumber: digits };
  await storeAs(person, image({ ...ofSeries, ...report }, { pixelData: null }));
  await storeAs(person, image({ ...ofSeries, SOPInstanceUID: newUid(), Modality: 'US' }));
  await person.inScope(async ({ db }) => {
    await db.updateTable('series').set({ modality: 'SR', long_series_number: '' }).execute();
    await db
      .updateTable('studies')
      .set({ modality: 'SR', modalities: ['SR'] })
      .execute();
  });
  nextVersion();

  await reread();

  expect(await seriesOf(person, uids.SeriesInstanceUID)).toMatchObject({
    modality: 'US',
    long_series_number: digits,
  });
  expect(await studyOf(person, uids.StudyInstanceUID)).toMatchObject({ modality: 'US', modalities: ['SR', 'US'] });
});

test('corrects a name that was read in a wrong character set, and leaves one that a user has edited', async () => {
  const person = await world.signIn('ADMIN');
  const edited = newUids();
  const wrong = newUids();
  const elements = { SpecificCharacterSet: 'ISO_IR 192', ReferringPhysicianName: 'Müller^Käthe' };
  await storeAs(person, image({ ...wrong, ...elements, PatientID: 'P-1', PatientName: 'Häkkinen^Aino' }));
  await storeAs(person, image({ ...edited, ...elements, PatientID: 'P-2', PatientName: 'Häkkinen^Eero' }));
  const misread = (name: string): DicomJson => ({
    '00100010': { vr: 'PN', Value: [{ Alphabetic: name }] },
    '00080090': { vr: 'PN', Value: [{ Alphabetic: 'MÃ¼ller^KÃ¤the' }] },
  });
  await changeHeader(person, wrong.SOPInstanceUID, misread('HÃ¤kkinen^Aino'));
  await changeHeader(person, edited.SOPInstanceUID, misread('HÃ¤kkinen^Eero'));
  await person.inScope(async ({ db }) => {
    const name = (id: string, patient_name: string) =>
      db.updateTable('patients').set({ patient_name }).where('patient_id', '=', id).execute();
    await name('P-1', 'HÃ¤kkinen^Aino');
    await name('P-2', 'Häkkinen-Virtanen^Eero');
  });
  await changeStudy(person, wrong.StudyInstanceUID, { referring_physician_name: 'MÃ¼ller^KÃ¤the' });
  await changeStudy(person, edited.StudyInstanceUID, { referring_physician_name: 'Dr. Käthe Müller' });
  nextVersion();

  await reread();

  expect(await studyOf(person, wrong.StudyInstanceUID)).toMatchObject({
    patient_name: 'Häkkinen^Aino',
    referring_physician_name: 'Müller^Käthe',
  });
  expect(await studyOf(person, edited.StudyInstanceUID)).toMatchObject({
    patient_name: 'Häkkinen-Virtanen^Eero',
    referring_physician_name: 'Dr. Käthe Müller',
  });
  const outcomes = (await listed(person)).map(({ outcome, keyword }) => `${outcome} ${keyword}`).toSorted();
  expect(outcomes).toEqual([
    'CHANGED PatientName',
    'CHANGED ReferringPhysicianName',
    'LEFT PatientName',
    'LEFT ReferringPhysicianName',
  ]);
  // The metadata of both files were replaced, so both studies have an audit entry.
  const entries = await person.inScope(({ db }) =>
    db.selectFrom('audit_entries').select('study_id').where('action', '=', 'study.reread').execute(),
  );
  expect(entries).toHaveLength(2);
});

test('continues after a stop in the middle, reads each file once, and leaves other tenants alone', async () => {
  const [person, other] = [await world.signIn('ADMIN'), await world.signIn('ADMIN')];
  const uids = [];
  for (let at = 0; at < 45; at += 1) uids.push(await withOldTime(person));
  const elsewhere = await withOldTime(other);
  nextVersion();
  const { tenantId } = person.session;

  expect(await rereadNext({ scopes, blobs }, tenantId, version)).toBe(true);
  let reads = 0;
  const failing = {
    ...blobs,
    read: (...where: Parameters<typeof blobs.read>) => {
      reads += 1;
      if (reads > 7) throw new StorageUnavailable('ECONNREFUSED');
      return blobs.read(...where);
    },
  };
  await expect(rereadNext({ scopes, blobs: failing }, tenantId, version)).rejects.toThrow(
    'The image storage cannot be reached',
  );
  const { data: halfway } = await person.send(rereadings.progress);
  expect(halfway).toMatchObject({ filesRead: 20, filesInAll: 45, changed: 20, finishedDate: null });
  expect(await studyOf(other, elsewhere)).toMatchObject({ is_study_time_known: false });
  while (await rereadNext({ scopes, blobs }, tenantId, version));

  const { data: done } = await person.send(rereadings.progress);
  expect(done).toMatchObject({ filesRead: 45, filesInAll: 45, changed: 45, left: 0, failed: 0 });
  expect(done?.finishedDate).not.toBeNull();
  for (const uid of uids) expect(await studyOf(person, uid)).toMatchObject({ study_date: '2026-11-01T10:15:00' });
  expect(await studyOf(other, elsewhere)).toMatchObject({ is_study_time_known: false });
  expect(await listed(other)).toEqual([]);
  expect(await rereadNext({ scopes, blobs }, tenantId, version)).toBe(false);
});

test('lists a file that cannot be read and continues with the next one', async () => {
  const person = await world.signIn('ADMIN');
  const lost = await withOldTime(person);
  const next = await withOldTime(person);
  const { sha256 } = await person.inScope(({ db }) =>
    db
      .selectFrom('instances')
      .innerJoin('studies', 'studies.id', 'instances.study_id')
      .select('sha256')
      .where('study_instance_uid', '=', lost)
      .executeTakeFirstOrThrow(),
  );
  await blobs.claim('this installation');
  await blobs.remove(person.session.tenantId, sha256.toString('hex'));
  nextVersion();

  await reread();

  expect(await studyOf(person, lost)).toMatchObject({ is_study_time_known: false });
  expect(await studyOf(person, next)).toMatchObject({ study_date: '2026-11-01T10:15:00' });
  expect(await listed(person)).toContainEqual({
    outcome: 'FAILED',
    keyword: '',
    before: '',
    after: 'The file is missing in the store.',
    files: 1,
  });
});

test('an empty store stops the job and marks no file as missing', async () => {
  const person = await world.signIn('ADMIN');
  await withOldTime(person);
  nextVersion();
  const unmounted = {
    ...blobs,
    owner: () => Promise.resolve(undefined),
    read: () => Promise.reject(Object.assign(new Error('no such file'), { code: 'ENOENT' })),
  };

  await expect(rereadNext({ scopes, blobs: unmounted }, person.session.tenantId, version)).rejects.toThrow(
    StorageUnavailable,
  );

  expect(await listed(person)).toEqual([]);
});

test('damaged stored metadata are replaced', async () => {
  const person = await world.signIn('ADMIN');
  const uids = newUids();
  await storeAs(person, image(uids));
  const metadataOf = async () => {
    const { metadata } = await person.inScope(({ db }) =>
      db.selectFrom('instances').select('metadata').executeTakeFirstOrThrow(),
    );
    return metadata;
  };
  const before = await metadataOf();
  await person.inScope(({ db }) =>
    db
      .updateTable('instances')
      .set({ metadata: Buffer.from('damaged') })
      .execute(),
  );
  nextVersion();

  await reread();

  expect(await gunzip(await metadataOf())).toEqual(await gunzip(before));
});

test('notes localizers and planes of earlier versions without a new revision or audit entry', async () => {
  const person = await world.signIn('ADMIN');
  const uids = newUids();
  const ImageOrientationPatient = [1, 0, 0, 0, 0, -1];
  await storeAs(person, image({ ...uids, ImageType: ['ORIGINAL', 'PRIMARY', 'LOCALIZER'], ImageOrientationPatient }));
  const stored = () =>
    person.inScope(({ db }) =>
      db
        .selectFrom('instances')
        .innerJoin('studies', 'studies.id', 'instances.study_id')
        .select(['is_localizer', 'plane', 'content_revision'])
        .executeTakeFirstOrThrow(),
    );
  const before = await stored();
  await person.inScope(({ db }) => db.updateTable('instances').set({ is_localizer: null, plane: null }).execute());
  nextVersion();

  await reread();

  expect(before).toMatchObject({ is_localizer: true, plane: 'coronal' });
  expect(await stored()).toEqual(before);
  const entries = await person.inScope(({ db }) =>
    db.selectFrom('audit_entries').select('detail').where('action', '=', 'study.reread').execute(),
  );
  expect(entries).toEqual([]);
});

test('reads again only for a newer version of the reader, and changes no correct value', async () => {
  const person = await world.signIn('ADMIN');
  await storeAs(person, image({ StudyDate: '20261101', StudyTime: '101500' }), threeFrames(newUids()));
  const rows = () =>
    person.inScope(async ({ db }) => [
      await db.selectFrom('instances').selectAll().orderBy('id').execute(),
      await db.selectFrom('studies').selectAll().orderBy('id').execute(),
      await db.selectFrom('series').selectAll().orderBy('id').execute(),
    ]);
  const before = await rows();
  nextVersion();

  await reread();
  const uid = await withOldTime(person);
  await reread();

  expect((await rows()).map((all) => all.slice(0, before[0]?.length))).toEqual(before);
  expect(await studyOf(person, uid)).toMatchObject({ is_study_time_known: false });
});
