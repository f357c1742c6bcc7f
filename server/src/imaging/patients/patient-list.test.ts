import { patients, patientSortFields } from '@radwork/contract/imaging/patients';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

type PatientOverrides = {
  name?: string;
  id?: string;
  gender?: 'M' | 'F' | 'O' | 'U';
  born?: string | null;
  merged?: string;
};

const add = (
  person: Person,
  { name = 'Doe^Jane', id = newId(), gender = 'F', born = null, merged }: PatientOverrides = {},
) =>
  world.inTenant(person.tenant, async ({ db }) => {
    const patient = {
      id: newId(),
      patient_id: id,
      patient_name: name,
      gender,
      date_of_birth: born,
      merged_into: merged ?? null,
    };
    await db.insertInto('patients').values(patient).execute();
    return patient.id;
  });

const study = (person: Person, patient: string, overrides: Parameters<typeof addStudy>[1] = {}) =>
  world.inTenant(person.tenant, (scope) =>
    addStudy(scope, { ...overrides, patient: { id: patient, patient_id: newId() } }),
  );

const names = async (person: Person, query: Record<string, string | number> = {}) => {
  const { data } = await person.send(patients.list, { query });
  return data.content.map(({ patientName }) => patientName);
};

/** Returns the birth date of a person who turned this age `days` days ago. */
const bornYearsAgo = (years: number, days = 5): string => {
  const day = new Date(Date.now() - days * 86_400_000);
  day.setUTCFullYear(day.getUTCFullYear() - years);
  return day.toISOString().slice(0, 10);
};

test.each([
  ['muller', ['Müller, José']],
  ['JOSÉ müller', ['Müller, José']],
  ['Müller, José', ['Müller, José']],
  ['ler 77', ['Müller, José']],
  ['mrn-77', ['Müller, José']],
  ['%', []],
  ['_', []],
  ['doe muller', []],
])(
  '"%s" finds patients by name and ID, in any word order and case, with or without accents',
  async (searchQuery, expected) => {
    const person = await world.signIn();
    await add(person, { name: 'Müller^José', id: 'MRN-77' });
    await add(person, { name: 'Doe^Jane', id: 'MRN-2' });

    expect(await names(person, { searchQuery })).toEqual(expected);
  },
);

test('lists the patients of the tenant, but no merged records', async () => {
  const person = await world.signIn();
  const stranger = await world.signIn();
  const survivor = await add(person, { name: 'Doe^Jane' });
  await add(person, { name: 'Doe^Janet', merged: survivor });
  await add(stranger, { name: 'Doe^Jim' });

  const { data } = await person.send(patients.list, { query: { searchQuery: 'doe' } });

  expect(data.content.map(({ id }) => id)).toEqual([survivor]);
  expect(data.totalElements).toBe(1);
});

test("the list shows each patient's number of studies, last study date and highest open priority", async () => {
  const person = await world.signIn();
  const patient = await add(person);
  await study(person, patient, { study_date: '2026-01-02T08:00:00', priority: 'URGENT', status: 'IN_PROGRESS' });
  await study(person, patient, { study_date: '2026-03-04T08:00:00', priority: 'STAT', status: 'COMPLETED' });
  await study(person, patient, { study_date: '2026-05-06T08:00:00', deleted_at: '2026-06-01T00:00:00Z' });

  const { data } = await person.send(patients.list);

  expect(data.content).toMatchObject([{ studyCount: 2, lastStudyDate: '2026-03-04T08:00:00', priority: 'URGENT' }]);
});

test('the list accepts the query parameters of the specification and returns content and totalElements', async () => {
  const person = await world.signIn();
  for (const name of ['Doe^Jane', 'Doe^Jim', 'Roe^Mary']) await add(person, { name, born: bornYearsAgo(40) });
  await add(person, { name: 'Doe^John', gender: 'M', born: bornYearsAgo(40) });
  const query = { page: '1', size: '1', sort: 'patientName,desc', searchQuery: 'doe', gender: 'F', minAge: '30' };

  const answer = await person.request({ method: 'GET', url: '/api/patients', query: { ...query, maxAge: '50' } });

  const { data } = answer.json();
  expect(data).toMatchObject({ totalElements: 2, totalPages: 2, number: 1, size: 1, sort: 'patientName,desc' });
  expect(data.content).toMatchObject([{ patientName: 'Doe, Jane' }]);
});

test('a page of the list has ten patients by default', async () => {
  const person = await world.signIn();
  for (let index = 0; index < 11; index += 1) await add(person, { name: `Doe^${index}` });

  const { data } = await person.send(patients.list);

  expect(data).toMatchObject({ size: 10, totalElements: 11, totalPages: 2 });
  expect(data.content).toHaveLength(10);
});

test.each(['F', 'female', 'f'])('the gender filter "%s" finds women', async (gender) => {
  const person = await world.signIn();
  await add(person, { name: 'Doe^Jane', gender: 'F' });
  await add(person, { name: 'Doe^John', gender: 'M' });

  expect(await names(person, { gender })).toEqual(['Doe, Jane']);
});

test.each([
  [{}, ['Forty', 'Hundred-four', 'Unknown', 'Young']],
  [{ minAge: 0, maxAge: 100 }, ['Forty', 'Hundred-four', 'Unknown', 'Young']],
  [{ minAge: 40 }, ['Forty', 'Hundred-four']],
  [{ minAge: 41, maxAge: 100 }, ['Hundred-four']],
  [{ minAge: 100 }, ['Hundred-four']],
  [{ maxAge: 40 }, ['Forty', 'Young']],
  [{ maxAge: 39 }, ['Young']],
])('an age range of %o finds %o', async (query, expected) => {
  const person = await world.signIn();
  await add(person, { name: 'Forty', born: bornYearsAgo(40) });
  await add(person, { name: 'Hundred-four', born: bornYearsAgo(104) });
  await add(person, { name: 'Unknown' });
  await add(person, { name: 'Young', born: bornYearsAgo(1) });

  expect(await names(person, query)).toEqual(expected);
});

test('the age of a patient rises on the birthday, not before', async () => {
  const person = await world.signIn();
  await add(person, { name: 'Tomorrow', born: bornYearsAgo(30, -1) });
  await add(person, { name: 'Today', born: bornYearsAgo(30, 0) });

  expect(await names(person, { minAge: 30 })).toEqual(['Today']);
  expect(await names(person, { maxAge: 29 })).toEqual(['Tomorrow']);
});

test('a date range finds patients with a study on those days, inclusive', async () => {
  const person = await world.signIn();
  await study(person, await add(person, { name: 'January' }), { study_date: '2026-01-31T23:59:00' });
  await study(person, await add(person, { name: 'February' }), { study_date: '2026-02-01T00:00:00' });
  await study(person, await add(person, { name: 'Undated' }), { study_date: '0001-01-01T00:00:00' });
  await add(person, { name: 'Never' });

  expect(await names(person, { toDate: '2026-01-31' })).toEqual(['January']);
  expect(await names(person, { fromDate: '2026-02-01', toDate: '2026-02-01' })).toEqual(['February']);
  expect(await names(person, { fromDate: '2026-01-31' })).toEqual(['February', 'January']);
});

test('every sort order lists each patient once, in both directions, on any page', async () => {
  const person = await world.signIn();
  for (let index = 0; index < 11; index += 1) {
    const patient = await add(person, {
      name: `Name^${index % 3}`,
      gender: index % 2 ? 'F' : 'M',
      born: index % 4 ? `19${10 + (index % 5)}-01-01` : null,
    });
    if (index % 3) await study(person, patient, { study_date: `2026-01-0${1 + (index % 4)}T08:00:00` });
  }
  const idsInOrder = async (sort: string) => {
    const pages = [0, 1, 2, 3].map((page) => person.send(patients.list, { query: { sort, page, size: 3 } }));
    return (await Promise.all(pages)).flatMap(({ data }) => data.content.map(({ id }) => id));
  };

  for (const field of patientSortFields) {
    for (const direction of ['asc', 'desc']) {
      const listed = await idsInOrder(`${field},${direction}`);
      expect({ field, direction, seen: new Set(listed).size, rows: listed.length }).toEqual({
        field,
        direction,
        seen: 11,
        rows: 11,
      });
    }
  }
});

test('sorts names by the rules of the language, not by character code', async () => {
  const person = await world.signIn();
  for (const name of ['Zola^E', 'ångström^A', 'de Vries^J', 'Doe^J']) await add(person, { name });

  expect(await names(person)).toEqual(['ångström, A', 'de Vries, J', 'Doe, J', 'Zola, E']);
});

test('sorting by birth date or last study puts unknown values last in both directions', async () => {
  const person = await world.signIn();
  const old = await add(person, { name: 'Old', born: '1930-01-01' });
  const young = await add(person, { name: 'Young', born: '2010-01-01' });
  await add(person, { name: 'Unknown' });
  await study(person, old, { study_date: '2026-02-02T08:00:00' });
  await study(person, young, { study_date: '2026-01-01T08:00:00' });
  await study(person, young, { study_date: '2026-03-03T08:00:00' });

  expect(await names(person, { sort: 'dateOfBirth,asc' })).toEqual(['Old', 'Young', 'Unknown']);
  expect(await names(person, { sort: 'dateOfBirth,desc' })).toEqual(['Young', 'Old', 'Unknown']);
  expect(await names(person, { sort: 'lastStudyDate,asc' })).toEqual(['Old', 'Young', 'Unknown']);
  expect(await names(person, { sort: 'lastStudyDate,desc' })).toEqual(['Young', 'Old', 'Unknown']);
});

test.each([
  [{ sort: 'phoneNumber,asc' }, /^Sort by one of/],
  [{ gender: 'both' }, 'Gender must be male, female or other'],
  [{ minAge: 50, maxAge: 40 }, 'The lowest age must not exceed the highest age'],
  [{ maxAge: 120 }, 'Age must be between 0 and 100'],
  [{ fromDate: '21.11.2026' }, 'Use a date such as 2026-11-21'],
  [{ fromDate: '2026-11-21', toDate: '2026-11-20' }, 'From date must not be after to date'],
])('refuses a query like %o with a message', async (query, message) => {
  const person = await world.signIn();

  const answer = await person.send(patients.list, { query });

  expect(answer).toMatchObject({ status: 400, message: expect.stringMatching(message) });
});
