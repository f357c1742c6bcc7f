import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { newUid } from '@radwork/dicom/uid';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { form, image, type Multipart, related } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld({ MAX_INSTANCE_MB: '1' });

const store = (person: Person, upload: Multipart, path = '', headers: Record<string, string> = {}) =>
  person.request({
    method: 'POST',
    url: `/api/stow-rs/studies${path}`,
    payload: upload.payload,
    headers: { ...upload.headers, ...headers },
  });

const storedStudies = (person: Person) =>
  person.inScope(({ db }) => db.selectFrom('studies').selectAll().orderBy('id').execute());

const storedInstances = (person: Person) =>
  person.inScope(({ db }) => db.selectFrom('instances').selectAll().orderBy('id').execute());

/** Returns all stored files of a tenant, or of unfinished uploads. */
const filesOf = async (person: Person): Promise<string[]> => {
  const folders = [
    join(world.dataDir, 'archive', 'incoming'),
    join(world.dataDir, 'archive', String(person.tenant.id)),
  ];
  const names = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true }).catch(() => [])));
  return names.flat().filter((name) => name.length > 10);
};

test('stores the files of a form and answers for each file name', async () => {
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  const files = [1, 2].map((number) => ({
    ...image({ StudyInstanceUID, PatientID: 'P-1', SeriesInstanceUID: `${StudyInstanceUID}.1` }),
    name: `slice ${number}.dcm`,
  }));

  const answer = await store(person, form(...files));

  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(answer.body).toBe('Successfully processed files:\nslice 1.dcm\nslice 2.dcm\n\nFailed to process files:\n');
  expect(await storedStudies(person)).toMatchObject([
    { study_instance_uid: StudyInstanceUID, series_count: 1, instance_count: 2, modality: 'CT', modalities: ['CT'] },
  ]);
});

test('a multipart/related request of other software gets DICOM JSON', async () => {
  const person = await world.signIn();
  const [good, bad] = [image(), Buffer.from('no DICOM at all')];
  const study = await store(person, related(good.bytes, bad));

  const answer = study.json();

  expect(study.statusCode).toBe(202);
  expect(study.headers['content-type']).toBe('application/dicom+json');
  expect(answer['00081199'].Value).toHaveLength(1);
  expect(answer['00081199'].Value[0]['00081190'].Value[0]).toMatch(/^http.*\/dicom-web\/studies\/.*\/instances\//);
  expect(answer['0008119A'].Value[0]['00081197']).toEqual({ vr: 'US', Value: [0xc000] });
});

test('the response to our own pages names the study of each stored file and the reason for each refusal', async () => {
  const person = await world.signIn();
  const bad = { name: 'notes.txt', bytes: Buffer.from('no DICOM at all') };

  const answer = await store(person, form({ ...image(), name: '0' }, bad), '', { accept: 'application/json' });

  const [study] = await storedStudies(person);
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({
    code: 200,
    message: '1 of 2 files stored',
    data: {
      stored: [{ name: '0', studyId: study?.id }],
      refused: [{ name: 'notes.txt', reason: 'This is not a DICOM file.' }],
    },
  });
});

test('the response says that the archive is full and why each file was refused', async () => {
  const person = await world.signIn();
  const [first, second] = [image(), { ...image(), name: '1' }];
  const bad = { name: '0', bytes: Buffer.from('no DICOM at all') };
  await sql`update tenants set storage_quota_bytes = ${first.bytes.length + 1000} where id = ${person.tenant.id}`.execute(
    world.owner,
  );
  const asScreen = { accept: 'application/json' };

  const partly = await store(person, form(first, second), '', asScreen);
  const full = await store(person, form(bad, second), '', asScreen);
  const spoilt = await store(person, form(bad), '', asScreen);

  expect(partly.statusCode).toBe(200);
  expect(partly.json().data.refused).toMatchObject([{ name: '1' }]);
  expect(full.statusCode).toBe(507);
  expect(full.json()).toEqual({
    code: 507,
    error: 'store.full',
    message: 'The storage of your organization is full.',
    data: {
      stored: [],
      refused: [
        { name: '0', reason: 'This is not a DICOM file.' },
        { name: '1', reason: 'The storage of your organization is full.' },
      ],
    },
  });
  expect(spoilt.statusCode).toBe(200);
});

test('stores a single bare DICOM file', async () => {
  const person = await world.signIn();

  const answer = await store(person, { payload: image().bytes, headers: { 'content-type': 'application/dicom' } });

  expect(answer.statusCode).toBe(200);
  expect(await storedInstances(person)).toHaveLength(1);
});

test('the sender chooses the media type of the response', async () => {
  const person = await world.signIn();

  const json = await store(person, form(image()), '', { accept: 'application/dicom+json' });
  const text = await store(person, related(image().bytes), '', { accept: 'text/plain' });
  const any = await store(person, form(image()), '', { accept: 'application/json, text/plain, */*' });

  expect(json.json()['00081199'].Value).toHaveLength(1);
  expect(text.body).toContain('Successfully processed files:\nPart 1\n');
  expect(any.body).toContain('Successfully processed files:\nimage.dcm\n');
});

test('names a bad file and the reason, stores the other files and stores nothing of the bad file', async () => {
  const person = await world.signIn();
  const intact = image();
  const files = [
    { name: 'notes.txt', bytes: Buffer.from('These are no images.') },
    { name: 'cut.dcm', bytes: image().bytes.subarray(0, -100) },
    { name: 'empty.dcm', bytes: Buffer.alloc(0) },
    { name: 'no-study.dcm', bytes: image({ StudyInstanceUID: undefined }).bytes },
    intact,
  ];

  const answer = await store(person, form(...files));

  expect(answer.statusCode).toBe(202);
  const [stored, failed = ''] = answer.body.split('\n\nFailed to process files:\n');
  expect(stored).toBe('Successfully processed files:\nimage.dcm');
  expect(failed.split('\n')).toEqual([
    expect.stringMatching(/^notes\.txt: .+/),
    'cut.dcm: The file is incomplete: its end is missing.',
    expect.stringMatching(/^empty\.dcm: .+/),
    'no-study.dcm: The file has no StudyInstanceUID.',
    '',
  ]);
  expect(await filesOf(person)).toHaveLength(1);
});

test('an invalid date does not prevent storing images', async () => {
  const person = await world.signIn();

  const answer = await store(person, form(image({ StudyDate: '00000101', PatientBirthDate: '00000101' }), image()));

  expect(answer.statusCode).toBe(200);
  const patients = await person.inScope(({ db }) => db.selectFrom('patients').select('date_of_birth').execute());
  expect(patients.map((patient) => patient.date_of_birth)).toContain(null);
});

test('an upload of only bad files gets 409', async () => {
  const person = await world.signIn();

  const answer = await store(person, form({ name: 'a.png', bytes: Buffer.from('\x89PNG') }));

  expect(answer.statusCode).toBe(409);
  expect(await storedStudies(person)).toEqual([]);
  expect(await filesOf(person)).toEqual([]);
});

test('refuses files of another study than the form or the path names, in any order of the form fields', async () => {
  const person = await world.signIn();
  const [studyUid, other] = [newUid(), image()];
  const own = image({ StudyInstanceUID: studyUid });

  const first = await store(person, form({ field: 'studyInstanceUID', value: studyUid }, other));
  const last = await store(person, form(own, other, { field: 'studyInstanceUID', value: studyUid }));
  const inPath = await store(person, related(other.bytes), `/${studyUid}`);

  expect(first.statusCode).toBe(409);
  expect(first.body).toContain('image.dcm: Study UID does not match\n');
  expect(last.statusCode).toBe(202);
  expect(inPath.json()['00081198'].Value[0]['00081197'].Value).toEqual([0xa900]);
  expect((await storedStudies(person)).map((study) => study.study_instance_uid)).toEqual([studyUid]);
  expect(await filesOf(person)).toHaveLength(1);
});

test('refuses a form that names the study only after some files were stored', async () => {
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  const files = Array.from({ length: 50 }, () => image({ StudyInstanceUID, PatientID: 'P' }));

  const answer = await store(person, form(...files, { field: 'studyInstanceUID', value: newUid() }));

  expect(answer.statusCode).toBe(400);
});

test('an instance that is sent twice is stored once', async () => {
  const person = await world.signIn();
  const file = image();

  const once = await store(person, form(file));
  const again = await store(person, form(file, file));

  expect([once.statusCode, again.statusCode]).toEqual([200, 200]);
  expect(await storedStudies(person)).toMatchObject([{ series_count: 1, instance_count: 1 }]);
  expect(await filesOf(person)).toHaveLength(1);
});

test('if the file of an instance is lost, sending the instance again restores the file', async () => {
  const person = await world.signIn();
  const file = image();
  await store(person, form(file));
  const [stored] = await storedInstances(person);
  const sha256 = stored?.sha256.toString('hex') ?? '';
  await world.context.blobs.remove(person.tenant.id, sha256);

  const again = await store(person, form(file));

  expect(again.statusCode).toBe(200);
  expect(await world.context.blobs.read(person.tenant.id, sha256, 0, file.bytes.length)).toEqual(file.bytes);
});

test('refuses a different file with the same UID and keeps the first', async () => {
  const person = await world.signIn();
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid(), PatientID: 'P' };
  const first = image(uids);
  const second = image({ ...uids, ImageComments: 'changed' });
  await store(person, form(first));

  const answer = await store(person, form(second));

  expect(answer.statusCode).toBe(409);
  expect(answer.body).toContain('A different file with this SOP Instance UID is already stored. It was not replaced.');
  const [stored] = await storedInstances(person);
  const storedBytes = await world.context.blobs.read(
    person.tenant.id,
    stored?.sha256.toString('hex') ?? '',
    0,
    1 << 20,
  );
  expect(storedBytes).toEqual(first.bytes);
  expect(await filesOf(person)).toHaveLength(1);
});

test('refuses a different file with the UID of a lost file, and does not report the lost file as stored', async () => {
  const person = await world.signIn();
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid(), PatientID: 'P' };
  const first = image(uids);
  await store(person, form(first));
  await person.inScope(({ db }) =>
    db.updateTable('instances').set({ missing_since: new Date().toISOString() }).execute(),
  );

  const other = await store(person, related(image({ ...uids, ImageComments: 'changed' }).bytes));
  const words = await store(person, form(image({ ...uids, ImageComments: 'changed' })));
  const again = await store(person, form(first));

  expect(other.json()['00081198'].Value[0]['00081197'].Value).toEqual([0x0110]);
  expect(words.body).toContain(
    'image.dcm: The stored file with this SOP Instance UID is lost, and this file differs from it.',
  );
  expect(again.statusCode).toBe(200);
  expect((await storedInstances(person)).map(({ missing_since }) => missing_since)).toEqual([null]);
});

test('never adds images of another patient to a study', async () => {
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  await store(person, form(image({ StudyInstanceUID, PatientID: 'P-1' })));

  const other = await store(person, form(image({ StudyInstanceUID, PatientID: 'P-2' })));
  const otherIssuer = await store(
    person,
    form(
      image({ StudyInstanceUID: `${StudyInstanceUID}.1`, PatientID: 'P-1', IssuerOfPatientID: 'North' }),
      image({ StudyInstanceUID: `${StudyInstanceUID}.1`, PatientID: 'P-1', IssuerOfPatientID: 'South' }),
    ),
  );
  const nameless = await store(
    person,
    form(image({ StudyInstanceUID, PatientID: undefined, PatientName: 'Else^Jane' })),
  );

  expect([other.statusCode, otherIssuer.statusCode, nameless.statusCode]).toEqual([409, 202, 409]);
  expect(other.body).toContain('image.dcm: The patient in the file differs from the patient of the study.\n');
  const [study] = await storedStudies(person);
  expect(study).toMatchObject({ patient_identifier: 'P-1', instance_count: 1 });
});

test('two people with one Patient ID never become one patient', async () => {
  const person = await world.signIn();
  const jane = { PatientID: 'P-1', PatientName: 'Doe^Jane', PatientBirthDate: '19500101' };
  const john = { PatientID: 'P-1', PatientName: 'Smith^John', PatientBirthDate: '20100505' };

  const together = await store(person, form(image(jane), image(john)));
  const later = await store(person, form(image(john)));
  const married = await store(person, form(image({ ...jane, PatientName: 'Smith^Jane' })));

  expect([together.statusCode, later.statusCode, married.statusCode]).toEqual([202, 409, 200]);
  expect(later.body).toContain(
    'image.dcm: A patient with this patient ID exists, with a different name and a different birth date or sex',
  );
  // A new married name. The image is stored and marked until an administrator decides.
  expect((await storedStudies(person)).map((study) => study.patient_name)).toEqual(['Doe^Jane', 'Smith^Jane']);
});

test('a file with little patient data does not prevent storing the following files', async () => {
  const person = await world.signIn();
  const births = [undefined, '19500101', '20100505'];
  const files = births.map((PatientBirthDate, index) =>
    image({ PatientID: 'P-1', PatientName: `Name^${index}`, PatientBirthDate }),
  );

  const answer = await store(person, form(...files));

  expect(answer.statusCode).toBe(200);
});

test("when files of two people with one Patient ID arrive at the same moment, only one person's files are stored", async () => {
  const person = await world.signIn();
  const people = [
    { PatientID: 'P-1', PatientName: 'Doe^Jane', PatientBirthDate: '19500101' },
    { PatientID: 'P-1', PatientName: 'Smith^John', PatientBirthDate: '20100505' },
  ];

  const answers = await Promise.all(people.map((one) => store(person, form(image(one)))));

  const statuses = answers.map(({ statusCode }) => statusCode);
  expect(new Set(statuses)).toEqual(new Set([200, 409]));
  expect(await storedStudies(person)).toHaveLength(1);
});

test('patient data from later files do not overwrite known patient data', async () => {
  const person = await world.signIn();
  await store(person, form(image({ PatientID: 'P-1', PatientName: 'Duarte^Ines', PatientSex: 'F' })));

  await store(person, form(image({ PatientID: 'P-1', PatientName: 'Duarte^Inez', PatientSex: 'O' })));

  const patients = await person.inScope(({ db }) => db.selectFrom('patients').selectAll().execute());
  expect(patients).toMatchObject([{ patient_id: 'P-1', patient_name: 'Duarte^Ines', gender: 'F' }]);
  expect((await storedStudies(person)).map((study) => study.patient_name)).toEqual(['Duarte^Ines', 'Duarte^Ines']);
});

test('two studies without a Patient ID have two unknown patients, even with the same name', async () => {
  const person = await world.signIn();
  const unknown = { PatientID: undefined, PatientName: 'Doe^John' };

  await store(person, form(image(unknown), image(unknown)));

  const studies = await storedStudies(person);
  expect(new Set(studies.map((study) => study.patient_id)).size).toBe(2);
  expect(studies[0]?.patient_identifier).toMatch(/^UNKNOWN-[0-9A-F]{12}$/);
});

test('refuses an image whose series belongs to another study', async () => {
  const person = await world.signIn();
  const SeriesInstanceUID = newUid();
  await store(person, form(image({ SeriesInstanceUID })));

  const answer = await store(person, form(image({ SeriesInstanceUID })));

  expect(answer.body).toContain('image.dcm: The series in the file belongs to another study.');
  expect(await storedStudies(person)).toHaveLength(1);
});

test('refuses further images of a study in the recycle bin', async () => {
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  const file = image({ StudyInstanceUID, PatientID: 'P' });
  await store(person, form(file));
  await person.inScope(({ db }) => db.updateTable('studies').set({ deleted_at: new Date().toISOString() }).execute());

  const answer = await store(person, form(file, image({ StudyInstanceUID, PatientID: 'P' })));

  expect(answer.statusCode).toBe(409);
  expect(answer.body).toContain('The study is in the recycle bin. Restore it before you add files.');
  expect(await storedInstances(person)).toHaveLength(1);
});

test('parallel uploads of one study store all its images', async () => {
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  const uploads = [1, 2, 3, 4].map((SeriesNumber) =>
    Array.from({ length: 30 }, () =>
      image({
        StudyInstanceUID,
        PatientID: 'P',
        SeriesNumber,
        SeriesInstanceUID: `${StudyInstanceUID}.${SeriesNumber}`,
      }),
    ),
  );
  const shared = image({ StudyInstanceUID, PatientID: 'P', SeriesNumber: 9, Modality: 'SR' });

  const answers = await Promise.all(uploads.map((files) => store(person, form(...files, shared))));

  expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200]);
  expect(await storedStudies(person)).toMatchObject([
    { series_count: 5, instance_count: 121, modality: 'CT', modalities: ['CT', 'SR'] },
  ]);
  expect(await storedInstances(person)).toHaveLength(121);
  expect(await filesOf(person)).toHaveLength(121);
});

test('conflicting uploads of the same UIDs neither lose nor duplicate an image', async () => {
  const person = await world.signIn();
  const SOPInstanceUID = newUid();
  const rivals = Array.from({ length: 4 }, () => image({ SOPInstanceUID }));

  const answers = await Promise.all(rivals.map((file) => store(person, form(file))));

  expect(answers.map((answer) => answer.statusCode).toSorted((one, other) => one - other)).toEqual([
    200, 409, 409, 409,
  ]);
  expect(await storedStudies(person)).toHaveLength(1);
  expect(await storedInstances(person)).toHaveLength(1);
  expect(await filesOf(person)).toHaveLength(1);
});

test('refuses a file above the size limit, names it and stores the other files', async () => {
  const person = await world.signIn();
  const large = image({}, { pixelData: Buffer.alloc(2 << 20) });

  const answer = await store(person, form({ ...large, name: 'large.dcm' }, image()));

  expect(answer.statusCode).toBe(202);
  expect(answer.body).toContain('large.dcm: The file is larger than the limit of 1 MB.');
  expect(await filesOf(person)).toHaveLength(1);
});

test('refuses a request that cannot be read and stores nothing', async () => {
  const person = await world.signIn();
  const { payload, headers } = form(image(), image());

  const answers = await Promise.all([
    store(person, { payload: payload.subarray(0, -200), headers }),
    store(person, form()),
    store(person, { payload, headers: { 'content-type': 'multipart/form-data' } }),
    store(person, form({ field: 'studyInstanceUID', value: '../../etc' }, image())),
    store(person, { payload, headers: { 'content-type': 'multipart/mixed; boundary=x' } }),
    store(person, { payload: Buffer.from('{}'), headers: { 'content-type': 'application/json' } }),
    store(person, { payload, headers: { 'content-type': 'multipart/related; type="application/pdf"; boundary=x' } }),
  ]);

  expect(answers.map((answer) => answer.statusCode)).toEqual([400, 400, 400, 400, 415, 415, 415]);
  expect(await storedInstances(person)).toEqual([]);
  expect(await filesOf(person)).toEqual([]);
});

test('only users who may create studies can store images', async () => {
  const referrer = await world.signIn('REFERRING_PHYSICIAN');
  const { payload, headers } = form(image());

  const refused = await store(referrer, { payload, headers });
  const stranger = await world.request({ method: 'POST', url: '/dicom-web/studies', payload, headers });

  expect([refused.statusCode, stranger.statusCode]).toEqual([403, 401]);
});

test('two tenants can store the same study independently', async () => {
  const [north, south] = [await world.signIn(), await world.signIn()];
  const file = image({ PatientID: 'P-1' });

  await store(north, form(file));
  const answer = await store(south, form(file));

  expect(answer.statusCode).toBe(200);
  expect(await storedInstances(north)).toHaveLength(1);
  expect(await storedInstances(south)).toHaveLength(1);
  expect(await filesOf(south)).toHaveLength(1);
});

test('audits an upload once for each study and request', async () => {
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  const files = Array.from({ length: 60 }, () => image({ StudyInstanceUID, PatientID: 'P' }));

  await store(person, form(...files, image()));

  const entries = await person.inScope(({ db }) =>
    db.selectFrom('audit_entries').select(['action', 'username', 'patient_id']).execute(),
  );
  expect(entries).toHaveLength(2);
  expect(entries[0]).toMatchObject({ action: 'study.store', username: person.username });
});

test('a database connection keeps few prepared statements, even if the uploaded studies differ', async () => {
  const person = await world.signIn();
  const texts = ['StudyID', 'AccessionNumber', 'StudyDescription', 'StationName'];
  const files = Array.from({ length: 16 }, (_, bits) =>
    image(Object.fromEntries(texts.filter((_name, bit) => bits & (1 << bit)).map((keyword) => [keyword, 'x']))),
  );

  for (const file of files) await storeAs(person, file);

  const { rows } = await person.inScope(({ db }) =>
    sql<{ kept: number }>`
      select count(*)::int as kept from pg_prepared_statements where statement like 'with%update "studies"%'`.execute(
      db,
    ),
  );
  expect(rows[0]?.kept).toBeGreaterThan(0);
  expect(rows[0]?.kept).toBeLessThanOrEqual(4);
});
