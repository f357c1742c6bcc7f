import type { DicomJson } from '@radwork/dicom/dataset';
import { textOf, valuesOf } from '@radwork/dicom/dataset';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { addStudy } from '#test/stored-study.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const search = async (person: Person, path: string, query: Record<string, string> = {}) => {
  const answer = await person.request({ method: 'GET', url: `/api/qido-rs${path}`, query });
  const results: DicomJson[] = answer.statusCode === 200 ? answer.json() : [];
  return { status: answer.statusCode, warning: answer.headers['warning'], results };
};

const matchesOf = async (person: Person, path: string, query: Record<string, string>, keyword = 'AccessionNumber') =>
  (await search(person, path, query)).results.map((result) => textOf(result, keyword));

/** Stores three studies, the newest last. */
const fill = async (): Promise<Person> => {
  const person = await world.signIn();
  await storeAs(
    person,
    image({ PatientID: 'P-1', PatientName: 'Doe^John', AccessionNumber: 'A-1', StudyDate: '20260105', Modality: 'CT' }),
    image({ PatientID: 'P-2', PatientName: 'Doe^Jane', AccessionNumber: 'A-2', StudyDate: '20260210', Modality: 'MR' }),
    image({
      PatientID: 'P-3',
      PatientName: 'Yamada^Tarou=山田^太郎',
      AccessionNumber: 'B-1',
      StudyDate: '20260315',
      TimezoneOffsetFromUTC: '+0100',
    }),
  );
  return person;
};

test('returns a study with everything that PS3.18 requires, newest first', async () => {
  const person = await fill();

  const { results } = await search(person, '/studies');

  expect(results.map((result) => textOf(result, 'AccessionNumber'))).toEqual(['B-1', 'A-2', 'A-1']);
  expect(results[0]).toMatchObject({
    '00080020': { vr: 'DA', Value: ['20260315'] },
    '00080030': { vr: 'TM', Value: ['101500'] },
    '00080056': { vr: 'CS', Value: ['ONLINE'] },
    '00080061': { vr: 'CS', Value: ['CT'] },
    '00080090': { vr: 'PN', Value: [{ Alphabetic: 'Moreau^Claire^^Dr' }] },
    '00080201': { vr: 'SH', Value: ['+0100'] },
    '00081190': { vr: 'UR', Value: [expect.stringMatching(/\/dicom-web\/studies\/[\d.]+$/)] },
    '00100010': { vr: 'PN', Value: [{ Alphabetic: 'Yamada^Tarou', Ideographic: '山田^太郎' }] },
    '00100020': { vr: 'LO', Value: ['P-3'] },
    '00100030': { vr: 'DA', Value: ['19700101'] },
    '00100040': { vr: 'CS', Value: ['O'] },
    '0020000D': { vr: 'UI' },
    '00200010': { vr: 'SH', Value: ['1'] },
    '00201206': { vr: 'IS', Value: [1] },
    '00201208': { vr: 'IS', Value: [1] },
  });
});

test('a corrected patient appears in search results immediately', async () => {
  const person = await fill();
  const right = { patient_name: 'Doe^Joan', gender: 'F', date_of_birth: '1980-02-03', issuer: 'CITY' } as const;

  await person.inScope(({ db }) => db.updateTable('patients').set(right).where('patient_id', '=', 'P-1').execute());

  const [result] = (await search(person, '/studies', { PatientID: 'P-1' })).results;
  expect(result).toMatchObject({
    '00100010': { Value: [{ Alphabetic: 'Doe^Joan' }] },
    '00100021': { Value: ['CITY'] },
    '00100030': { Value: ['19800203'] },
    '00100040': { Value: ['F'] },
  });
});

test('a search shows a moved study under its new patient', async () => {
  const person = await fill();

  await person.inScope(async ({ db }) => {
    const other = await db.selectFrom('patients').selectAll().where('patient_id', '=', 'P-2').executeTakeFirstOrThrow();
    await db.updateTable('patients').set({ gender: 'F' }).where('id', '=', other.id).execute();
    await db.updateTable('studies').set({ patient_id: other.id }).where('accession_number', '=', 'A-1').execute();
  });

  const [result] = (await search(person, '/studies', { AccessionNumber: 'A-1' })).results;
  expect(result).toMatchObject({
    '00100010': { Value: [{ Alphabetic: 'Doe^Jane' }] },
    '00100020': { Value: ['P-2'] },
    '00100040': { Value: ['F'] },
  });
});

test('finds studies by name, accession number, date, modality and UID, given as keyword or tag', async () => {
  const person = await fill();
  const uid = (await matchesOf(person, '/studies', { AccessionNumber: 'A-2' }, 'StudyInstanceUID'))[0] ?? '';

  expect(await matchesOf(person, '/studies', { PatientName: 'doe^j*' })).toEqual(['A-2', 'A-1']);
  expect(await matchesOf(person, '/studies', { PatientName: 'Doe^J?ne' })).toEqual(['A-2']);
  expect(await matchesOf(person, '/studies', { PatientName: '山田*' })).toEqual(['B-1']);
  expect(await matchesOf(person, '/studies', { PatientName: 'Yamada^Tarou' })).toEqual(['B-1']);
  expect(await matchesOf(person, '/studies', { PatientName: 'Doe' })).toEqual([]);
  expect(await matchesOf(person, '/studies', { '00100020': 'P-1' })).toEqual(['A-1']);
  expect(await matchesOf(person, '/studies', { AccessionNumber: 'A-*' })).toEqual(['A-2', 'A-1']);
  expect(await matchesOf(person, '/studies', { StudyDate: '20260101-20260228' })).toEqual(['A-2', 'A-1']);
  expect(await matchesOf(person, '/studies', { StudyDate: '20260210-' })).toEqual(['B-1', 'A-2']);
  expect(await matchesOf(person, '/studies', { StudyDate: '20260105' })).toEqual(['A-1']);
  expect(await matchesOf(person, '/studies', { ModalitiesInStudy: 'MR' })).toEqual(['A-2']);
  expect(await matchesOf(person, '/studies', { Modality: 'MR' })).toEqual(['A-2']);
  expect(await matchesOf(person, '/studies', { StudyInstanceUID: `${uid},1.2.3` })).toEqual(['A-2']);
});

test('SQL wildcards in a search value have no effect', async () => {
  const person = await fill();

  expect(await matchesOf(person, '/studies', { PatientID: 'P%' })).toEqual([]);
  expect(await matchesOf(person, '/studies', { AccessionNumber: '_-1' })).toEqual([]);
});

test('returns search pages in order, and a warning announces further results', async () => {
  const person = await fill();

  const first = await search(person, '/studies', { limit: '2' });
  const second = await search(person, '/studies', { limit: '2', offset: '2' });

  expect(first.results).toHaveLength(2);
  expect(first.warning).toBe('299 radwork "There are additional results that can be requested"');
  expect(second.results.map((result) => textOf(result, 'AccessionNumber'))).toEqual(['A-1']);
  expect(second.warning).toBeUndefined();
});

test('a search without a match returns an empty list', async () => {
  const person = await fill();

  expect(await search(person, '/studies', { PatientID: 'nobody' })).toMatchObject({ status: 200, results: [] });
});

test('names unsupported keys in a warning and ignores them', async () => {
  const person = await fill();

  const answer = await search(person, '/studies', { PatientAge: '010Y', 'x"\r\ny': '1', SOPInstanceUID: '1.2' });

  expect(answer.results).toHaveLength(3);
  expect(answer.warning).toBe('299 radwork "Not supported and ignored: PatientAge xy SOPInstanceUID"');
});

test('returns at most 200 studies and a warning, even if the request asks for more', async () => {
  const person = await world.signIn();
  await person.inScope(async (scope) => {
    for (let study = 0; study < 201; study += 1) await addStudy(scope);
  });

  const answer = await search(person, '/studies', { limit: '1000' });

  expect(answer.results).toHaveLength(200);
  expect(answer.warning).toBe('299 radwork "There are additional results that can be requested"');
});

test('reports an unsupported kind of matching in the words of the standard', async () => {
  const person = await fill();

  const { warning, results } = await search(person, '/studies', {
    emptyvaluematching: 'true',
    multiplevaluematching: 'false',
  });

  expect(warning).toBe(
    '299 radwork "The emptyvaluematching parameter is not supported. Empty Value Matching has not been performed."',
  );
  expect(results).toHaveLength(3);
});

test('refuses an invalid value of a key', async () => {
  const person = await world.signIn();

  const answers = await Promise.all([
    search(person, '/studies', { StudyInstanceUID: "1.2' or 1=1" }),
    search(person, '/studies', { StudyDate: '20260231' }),
    search(person, '/studies', { limit: '-1' }),
    search(person, '/series', { SeriesNumber: 'one' }),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
});

test('finds an instance whose file is lost and marks it as unavailable', async () => {
  const person = await world.signIn();
  const study = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), PatientID: 'P' };
  await storeAs(person, image({ ...study, InstanceNumber: 1 }), image({ ...study, InstanceNumber: 2 }));
  await person.inScope(({ db }) =>
    db.updateTable('instances').set({ missing_since: '2026-11-01' }).where('instance_number', '=', 2).execute(),
  );

  const { results } = await search(person, `/studies/${study.StudyInstanceUID}/instances`);

  expect(results.map((result) => textOf(result, 'InstanceAvailability'))).toEqual(['ONLINE', 'UNAVAILABLE']);
});

test('finds series and instances in a study and in the whole archive', async () => {
  const person = await world.signIn();
  const [StudyInstanceUID, SeriesInstanceUID] = [newUid(), newUid()];
  const study = { StudyInstanceUID, PatientID: 'P' };
  await storeAs(
    person,
    image({ ...study, SeriesNumber: 2, Modality: 'MR', SeriesDescription: 'T2' }),
    image({ ...study, SeriesInstanceUID, SeriesNumber: 1, InstanceNumber: 2 }),
    image({ ...study, SeriesInstanceUID, SeriesNumber: 1, InstanceNumber: 1 }),
    image(),
  );
  const inStudy = `/studies/${StudyInstanceUID}`;

  const series = await search(person, `${inStudy}/series`);
  const instances = await search(person, `${inStudy}/series/${SeriesInstanceUID}/instances`);

  expect(series.results.map((result) => textOf(result, 'SeriesNumber'))).toEqual(['1', '2']);
  expect(series.results[0]).toMatchObject({ '00080060': { Value: ['CT'] }, '00201209': { Value: [2] } });
  expect(instances.results.map((result) => valuesOf(result, 'InstanceNumber'))).toEqual([[1], [2]]);
  expect(instances.results[0]).toMatchObject({
    '00080016': { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.2'] },
    '00083002': { vr: 'UI', Value: ['1.2.840.10008.1.2.1'] },
    '00280008': { vr: 'IS', Value: [1] },
    '00280010': { vr: 'US', Value: [16] },
    '00280100': { vr: 'US', Value: [16] },
  });
  expect((await search(person, `${inStudy}/instances`)).results).toHaveLength(3);
  expect((await search(person, '/series')).results).toHaveLength(3);
  expect((await search(person, '/instances')).results).toHaveLength(4);
  expect(await matchesOf(person, '/series', { Modality: 'MR' }, 'SeriesDescription')).toEqual(['T2']);
});

test('studies of another tenant are not found', async () => {
  const [person, stranger] = [await fill(), await world.signIn()];
  const uid = (await matchesOf(person, '/studies', { AccessionNumber: 'A-1' }, 'StudyInstanceUID'))[0] ?? '';

  expect((await search(stranger, '/studies')).results).toEqual([]);
  expect((await search(stranger, '/studies', { PatientName: 'Doe*' })).results).toEqual([]);
  expect(await search(stranger, `/studies/${uid}/series`)).toMatchObject({ status: 404 });
});

test('a referring physician finds only their own studies, and no user finds a deleted study', async () => {
  const person = await fill();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', person.tenant);
  await person.inScope(async ({ db }) => {
    const { id } = await db
      .selectFrom('studies')
      .select('id')
      .where('accession_number', '=', 'A-1')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('study_participants')
      .values({ study_id: id, user_id: referrer.userId, role: 'REFERRER' })
      .execute();
    await db
      .updateTable('studies')
      .set({ deleted_at: new Date().toISOString() })
      .where('accession_number', '=', 'B-1')
      .execute();
  });

  expect(await matchesOf(referrer, '/studies', { PatientName: 'Doe*' })).toEqual(['A-1']);
  expect(await matchesOf(referrer, '/series', {}, 'SeriesDescription')).toHaveLength(1);
  expect(await matchesOf(person, '/studies', {})).toEqual(['A-2', 'A-1']);
});
