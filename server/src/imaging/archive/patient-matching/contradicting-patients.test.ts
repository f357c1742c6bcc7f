import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { studies } from '@radwork/contract/imaging/studies';
import type { Elements } from '@radwork/dicom/part10';
import { newUid } from '@radwork/dicom/uid';
import { beforeEach, expect, test } from 'vitest';
import { form, image, type Multipart, type TestFile } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
let person: Person;

beforeEach(async () => {
  person = await world.signIn('ADMIN');
});

const maria = { PatientID: 'P-1', PatientName: 'Alpha^Maria', PatientSex: 'F' };
const piotr = { PatientID: 'P-1', PatientName: 'Kowalski^Piotr' };

const send = ({ payload, headers }: Multipart) =>
  person.request({ method: 'POST', url: '/api/stow-rs/studies', payload, headers });

const store = async (...files: (Elements | TestFile)[]) => {
  const answer = await send(form(...files.map((file) => ('bytes' in file ? (file as TestFile) : image(file)))));
  return answer.statusCode;
};

/** Returns the patient of each study, in order of arrival. */
const filed = () =>
  person.inScope(({ db }) =>
    db
      .selectFrom('studies as s')
      .innerJoin('patients as p', 'p.id', 's.patient_id')
      .leftJoin('identity_questions as q', (join) => join.onRef('q.study_id', '=', 's.id').on('q.state', '=', 'OPEN'))
      .select(['p.id as patient', 'p.patient_id', 'p.patient_name as name', 'p.issuer', 'p.provisional_for'])
      .select('q.contradictions')
      .orderBy('s.created_at')
      .execute(),
  );

const rename = (changes: object) => person.inScope(({ db }) => db.updateTable('patients').set(changes).execute());

const prefer = (contradicting_patients: 'KEEP' | 'REFUSE' | 'REFUSE_TWO') =>
  person.inScope(({ db }) => db.updateTable('tenants').set({ contradicting_patients }).execute());

/** Returns the first two studies. The patient of the second is compared to the patient of the first. */
const firstTwo = async () => {
  const [first, second] = await filed();
  return {
    families: [first?.name.split('^')[0], second?.name.split('^')[0]],
    first: { issuer: first?.issuer, provisionalFor: first?.provisional_for, contradictions: first?.contradictions },
    hasSameId: second?.patient_id === first?.patient_id,
    isProvisionalForFirst: second?.provisional_for === first?.patient,
    issuer: second?.issuer,
    contradictions: second?.contradictions,
  };
};

/**
 * The result when the study of Kowalski contradicts Alpha: Alpha's study is filed as usual, and Kowalski's under a
 * provisional patient with the same ID.
 */
const filedApart = {
  families: ['Alpha', 'Kowalski'],
  first: { issuer: '', provisionalFor: null, contradictions: null },
  hasSameId: true,
  isProvisionalForFirst: true,
  issuer: expect.stringMatching(/^PROVISIONAL-[0-9A-F]{12}$/),
  contradictions: expect.arrayContaining(['NAME']),
};

test('two people with one Patient ID become two patients, and the second patient is provisional and marked', async () => {
  await store(maria);
  await store(piotr);

  expect(await firstTwo()).toEqual(filedApart);
});

const cases = resolve(import.meta.dirname, '../../../../../../shared/cases/archive');

test.skipIf(!existsSync(cases))(
  'files of a public report with one Patient ID become two patients (skipped without ../shared/cases)',
  async () => {
    for (const name of ['same-id-1-alpha.dcm', 'same-id-2-kowalski.dcm']) {
      await store({ name, bytes: readFileSync(resolve(cases, name)) });
    }

    expect(await firstTwo()).toEqual(filedApart);
  },
);

test.each([
  ['the family name', { PatientName: 'Kowalski^Maria' }, ['NAME']],
  ['the sex', { PatientSex: 'M' }, ['SEX']],
  ['the birth date', { PatientBirthDate: '19710203' }, ['BIRTH_DATE']],
])('%s alone is a contradiction', async (_, changes, contradictions) => {
  const record = { ...maria, PatientBirthDate: '19700131' };
  await store(record);
  await store({ ...record, ...changes });

  expect((await filed()).map((one) => one.contradictions)).toEqual([null, contradictions]);
});

test('different spellings of one name and missing values are no contradiction', async () => {
  await store({ ...maria, PatientName: 'Müller^Anna', PatientBirthDate: '19700131' });
  await store({ ...maria, PatientName: 'MUELLER^ANNA', PatientBirthDate: '' });
  await store({ ...maria, PatientName: 'Anna^Mueller', PatientBirthDate: '19700131', PatientSex: 'O' });
  await store({ PatientID: 'P-1', PatientName: '', PatientBirthDate: '', PatientSex: '' });

  const studies = await filed();
  expect(new Set(studies.map(({ patient }) => patient)).size).toBe(1);
  expect(studies.map((study) => study.contradictions)).toEqual([null, null, null, null]);
});

test('one upload with files of two people makes two patients', async () => {
  await store(maria, piotr, maria, piotr);

  const names = (await filed()).map(({ name, contradictions }) => `${name} ${contradictions !== null}`);
  expect(names.toSorted()).toEqual([
    'Alpha^Maria false',
    'Alpha^Maria false',
    'Kowalski^Piotr true',
    'Kowalski^Piotr true',
  ]);
  expect(new Set((await filed()).map(({ patient }) => patient)).size).toBe(2);
});

test('further studies and images of the second person join the same provisional patient', async () => {
  const StudyInstanceUID = newUid();
  await store(maria);
  await store({ ...piotr, StudyInstanceUID });
  await store({ ...piotr, StudyInstanceUID });
  await store({ ...piotr, IssuerOfPatientID: '' });

  const [, second, third, ...more] = await filed();
  expect(more).toEqual([]);
  expect(third?.patient).toBe(second?.patient);
});

test('a third person with the same Patient ID becomes a third patient', async () => {
  await store(maria);
  await store(piotr);
  await store({ ...maria, PatientName: 'Ndiaye^Awa' });

  expect(new Set((await filed()).map(({ patient }) => patient)).size).toBe(3);
});

test('parallel uploads create only one provisional patient', async () => {
  await store(maria);
  await Promise.all(Array.from({ length: 4 }, () => store(piotr)));

  expect(new Set((await filed()).map(({ patient }) => patient)).size).toBe(2);
});

test('an earlier name in the record or a birth name in the file is no contradiction', async () => {
  const record = { ...maria, PatientBirthDate: '19700131' };
  await store(record);
  await rename({ patient_name: 'Kowalski^Maria' });
  await store(record);
  await store({ ...record, PatientName: 'Nowak^Maria', PatientBirthName: 'Alpha^Maria' });

  expect(new Set((await filed()).map(({ patient }) => patient)).size).toBe(1);
});

test('the wrong name before a correction does not count as a former name of the patient', async () => {
  await store({ ...piotr, PatientBirthDate: '19500505' });
  await rename({ patient_name: 'Alpha^Maria', date_of_birth: '1970-01-31' });
  await store({ ...piotr, PatientBirthDate: '' });

  expect((await filed()).map((one) => one.contradictions)).toEqual([null, ['NAME']]);
});

test('if images name another patient than their study, the study is marked once', async () => {
  const StudyInstanceUID = newUid();
  await store({ ...maria, StudyInstanceUID });
  await store({ ...piotr, StudyInstanceUID });
  await store({ ...piotr, StudyInstanceUID });

  expect(await filed()).toMatchObject([{ name: 'Alpha^Maria', contradictions: ['NAME'] }]);
});

test('if images in a study of the provisional patient name the owner of the ID, the study is marked', async () => {
  const StudyInstanceUID = newUid();
  await store({ ...maria });
  await store({ ...piotr, StudyInstanceUID });
  await person.inScope(({ db }) =>
    db
      .updateTable('identity_questions')
      .set({ state: 'ANOTHER_PERSON', decided_at: new Date().toISOString() })
      .execute(),
  );
  await store({ ...maria, StudyInstanceUID });

  expect((await filed()).map(({ name, contradictions }) => [name, contradictions])).toEqual([
    ['Alpha^Maria', null],
    ['Kowalski^Piotr', ['NAME']],
  ]);
});

test('the setting of an organization decides whether contradicting files are refused or stored', async () => {
  const born = { ...maria, PatientBirthDate: '19700131' };
  const other = { ...piotr, PatientSex: 'M', PatientBirthDate: '19500505' };
  await store(born);

  const asToday = [await store(other), await store({ ...born, PatientName: 'Beta^Maria' })];
  await prefer('REFUSE');
  const refused = [await store(other), await store({ ...born, PatientName: 'Gamma^Maria' })];
  await prefer('KEEP');
  const kept = await store(other);

  expect({ asToday, refused, kept }).toEqual({ asToday: [409, 200], refused: [409, 409], kept: 200 });
});

test('a study with an identity question is found by either name', async () => {
  await store(maria);
  await store(piotr);
  const find = async (query: string) => {
    const { data } = await person.send(studies.search, { query: { query } });
    return data.content.map(({ patient }) => patient.patientName).toSorted();
  };

  expect(await find('kowalski')).toEqual(['Kowalski, Piotr']);
  expect(await find('Alpha')).toEqual(['Alpha, Maria', 'Kowalski, Piotr']);
});

test("a study with an identity question is no prior for the other patient, nor are that patient's studies for it", async () => {
  await store(maria);
  await store(piotr);
  const ids = await person.inScope(({ db }) => db.selectFrom('studies').select('id').execute());

  const priors = await Promise.all(ids.map(({ id }) => person.send(studies.priors, { params: { id } })));
  expect(priors.map(({ data }) => data)).toEqual([[], []]);
});
