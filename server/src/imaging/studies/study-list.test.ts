import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

type Study = Parameters<typeof addStudy>[1];

/** Adds studies to the tenant of the user in this order. Returns their ids. */
const store = async (person: Person, ...studiesToAdd: Study[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const study of studiesToAdd)
    ids.push((await world.inTenant(person.tenant, (scope) => addStudy(scope, study))).id);
  return ids;
};

const patientNamed = (patient_name: string): Study => ({ patient: { patient_name } });

test("a row has the columns of the worklist, with the patient's name without carets", async () => {
  const person = await world.signIn();
  const [id] = await store(person, {
    patient: { patient_name: 'García^María', patient_id: 'MRN-7', gender: 'F', date_of_birth: '1972-09-04' },
    seriesModalities: ['PT', 'CT'],
    study_date: '2026-11-20T09:30:15.25',
    study_description: 'Whole body',
    accession_number: 'A-1',
    referring_physician_name: 'Moreau^Claire^^Dr',
  });

  const { data } = await person.send(studies.list);

  expect(data).toMatchObject({ totalElements: 1, totalPages: 1, number: 0, size: 10, sort: 'studyDate,desc' });
  expect(data.content[0]).toMatchObject({
    id,
    studyDate: '2026-11-20T09:30:15',
    modality: 'PT',
    modalities: ['PT', 'CT'],
    seriesCount: 2,
    status: 'PENDING',
    priority: 'ROUTINE',
    referringPhysicianName: 'Moreau, Dr Claire',
    patient: { patientName: 'García, María', patientId: 'MRN-7', gender: 'F', dateOfBirth: '1972-09-04' },
  });
});

test('studies without a date come after all studies with a date', async () => {
  const person = await world.signIn();
  const [undated, dated] = await store(person, { study_date: '0001-01-01' }, {});

  const { data } = await person.send(studies.list);

  expect(data.content.map(({ id, studyDate }) => [id, studyDate])).toEqual([
    [dated, '2026-11-20T09:30:00'],
    [undated, null],
  ]);
});

test('each page continues the previous page, also if the server reads it from the end of the list', async () => {
  const person = await world.signIn();
  const ids = await store(person, ...Array.from({ length: 7 }, (_, day) => ({ study_date: `2026-11-0${7 - day}` })));

  const pages = await Promise.all(
    [0, 1, 2, 3, 4].map((page) => person.send(studies.list, { query: { page, size: 2 } })),
  );

  expect(pages.map(({ data }) => data.content.map(({ id }) => id))).toEqual([
    ids.slice(0, 2),
    ids.slice(2, 4),
    ids.slice(4, 6),
    ids.slice(6),
    [],
  ]);
  expect(pages[4]?.data).toMatchObject({ totalElements: 7, totalPages: 4, number: 4 });
});

test('each of several studies with equal sort values is on one page only, in both directions', async () => {
  const person = await world.signIn();
  const ids = await store(person, ...Array.from({ length: 5 }, () => patientNamed('Doe^Jane')));

  for (const sort of ['studyDate,asc', 'patientName,desc', 'modality,asc', 'status,desc', 'priority,desc']) {
    const pages = await Promise.all(
      [0, 1, 2].map((page) => person.send(studies.list, { query: { sort, page, size: 2 } })),
    );
    expect(pages.flatMap(({ data }) => data.content.map(({ id }) => id)).toSorted()).toEqual(ids.toSorted());
  }
});

test('sorts by every offered field', async () => {
  const person = await world.signIn();
  const [first, second] = await store(
    person,
    {
      ...patientNamed('Abel^A'),
      study_date: '2026-01-01',
      seriesModalities: ['CR'],
      status: 'PENDING',
      priority: 'ROUTINE',
      description: 'Ankle',
      referring_physician_name: 'Moreau^Claire',
    },
    {
      ...patientNamed('Zola^Z'),
      study_date: '2026-01-02',
      seriesModalities: ['MR', 'MR'],
      status: 'ARCHIVED',
      priority: 'STAT',
      referring_physician_name: 'Osei^Kwame',
      // Without a local description, the list shows the scanner's description and sorts by it.
      study_description: 'Brain',
    },
  );

  for (const field of [
    'studyDate',
    'patientName',
    'modality',
    'status',
    'seriesCount',
    'description',
    'priority',
    'referringPhysicianName',
  ]) {
    const up = await person.send(studies.list, { query: { sort: `${field},asc` } });
    const down = await person.send(studies.list, { query: { sort: `${field},desc` } });
    expect({ field, order: up.data.content.map(({ id }) => id) }).toEqual({ field, order: [first, second] });
    expect({ field, order: down.data.content.map(({ id }) => id) }).toEqual({ field, order: [second, first] });
  }
});

test('a list sorted by assignee or due date has studies without this value last, in both directions', async () => {
  const person = await world.signIn();
  const [abel, zola] = [
    await world.signIn('RADIOLOGIST', person.tenant),
    await world.signIn('RADIOLOGIST', person.tenant),
  ];
  const [older, newer, ofAbel, ofZola] = await store(
    person,
    { study_date: '2026-01-01' },
    { study_date: '2026-01-02' },
    {},
    {},
  );
  await person.inScope(async ({ db }) => {
    const assign = (study_id = '', user_id = '', due_at = '') =>
      db
        .insertInto('study_assignments')
        .values({ id: newId(), study_id, user_id, assigned_by: user_id, due_at })
        .execute();
    await db.updateTable('users').set({ name: 'Abel' }).where('id', '=', abel.userId).execute();
    await db.updateTable('users').set({ name: 'Zola' }).where('id', '=', zola.userId).execute();
    await assign(ofAbel, abel.userId, '2026-12-01T00:00:00Z');
    await assign(ofZola, zola.userId, '2026-12-02T00:00:00Z');
  });

  for (const field of ['assignees', 'dueDate']) {
    const up = await person.send(studies.list, { query: { sort: `${field},asc` } });
    const down = await person.send(studies.list, { query: { sort: `${field},desc` } });
    expect(up.data.content.map(({ id }) => id)).toEqual([ofAbel, ofZola, newer, older]);
    expect(down.data.content.map(({ id }) => id)).toEqual([ofZola, ofAbel, newer, older]);
  }
});

test('refuses an unknown sort field by name', async () => {
  const person = await world.signIn();

  const answer = await person.send(studies.list, { query: { sort: 'shoeSize,desc' } });

  expect(answer).toMatchObject({ code: 400, message: expect.stringContaining('studyDate') });
});

test('a modality filter finds studies that contain it; XR means any plain radiograph', async () => {
  const person = await world.signIn();
  const [petCt, cr, dx] = await store(
    person,
    { seriesModalities: ['PT', 'CT'], study_date: '2026-03-03' },
    { seriesModalities: ['CR'], study_date: '2026-02-02' },
    { seriesModalities: ['CR', 'DX'], study_date: '2026-01-01' },
  );
  const idsFor = async (modality: string, sort = 'studyDate,desc') => {
    const { data } = await person.send(studies.list, { query: { modality, sort } });
    expect(data.totalElements).toBe(data.content.length);
    return data.content.map(({ id }) => id);
  };

  expect(await idsFor('CT')).toEqual([petCt]);
  expect(await idsFor('CT', 'patientName,asc')).toEqual([petCt]);
  expect(await idsFor('XR')).toEqual([cr, dx]);
  expect(await idsFor('DX')).toEqual([dx]);
  expect(await idsFor('NM')).toEqual([]);
});

test('filters by status and modality together', async () => {
  const person = await world.signIn();
  const [match] = await store(
    person,
    { status: 'IN_PROGRESS', seriesModalities: ['MR'] },
    { status: 'PENDING', seriesModalities: ['MR'] },
    { status: 'IN_PROGRESS', seriesModalities: ['US'] },
  );

  const { data } = await person.send(studies.list, { query: { status: 'IN_PROGRESS', modality: 'MR' } });

  expect(data.content.map(({ id }) => id)).toEqual([match]);
});

test('finds studies by text in name, Patient ID, accession number and descriptions, in any case and order', async () => {
  const person = await world.signIn();
  const [id] = await store(
    person,
    {
      patient: { patient_name: 'Müller^Jörg=山田^太郎', patient_id: 'MRN-0815' },
      accession_number: 'ACC-42',
      description: 'Knee left',
      study_description: 'MR Knee',
    },
    patientNamed('Schmidt^Eva'),
  );

  for (const query of [
    'müller',
    'JÖRG',
    'Müller, Jörg',
    'jörg müller',
    'Müller^Jörg',
    '太郎',
    'rn-08',
    'acc-42',
    'KNEE l',
  ]) {
    const { data } = await person.send(studies.search, { query: { query } });
    expect({ query, found: data.content.map((study) => study.id) }).toEqual({ query, found: [id] });
  }
  for (const query of ['%', '_', '\\', 'müller eva', "' or 1=1 --"]) {
    const { data } = await person.send(studies.search, { query: { query } });
    expect({ query, found: data.totalElements }).toEqual({ query, found: 0 });
  }
});

test('finds studies by text with or without accents, in any case', async () => {
  const person = await world.signIn();
  const stored = [
    patientNamed('Núñez^María'),
    patientNamed('Mu\u0308ller^Jörg'),
    patientNamed('Παπαδόπουλος^Γιώργος'),
    patientNamed('Işık^Ayşe'),
    { ...patientNamed('Plain^Name'), study_description: 'Schädel nativ' },
  ];
  const [nunez, muller, greek, turkish, skull] = await store(person, ...stored);
  const idsFor = async (query: string) =>
    (await person.send(studies.search, { query: { query } })).data.content.map(({ id }) => id);

  expect(await idsFor('nunez')).toEqual([nunez]);
  expect(await idsFor('NÚÑEZ, maria')).toEqual([nunez]);
  expect(await idsFor('Müller')).toEqual([muller]);
  expect(await idsFor('muller')).toEqual([muller]);
  expect(await idsFor('ΠΑΠΑΔΟΠΟΥΛΟΣ')).toEqual([greek]);
  expect(await idsFor('IŞIK')).toEqual([turkish]);
  expect(await idsFor('isik')).toEqual([turkish]);
  expect(await idsFor('schadel')).toEqual([skull]);
});

test('an empty search returns the whole list, and empty fields are ignored', async () => {
  const person = await world.signIn();
  await store(person, {}, {});

  const { data } = await person.send(studies.search, {
    query: { query: ' ', startDate: '', status: '', modality: '' },
  });

  expect(data.totalElements).toBe(2);
});

test('searches by text, status, modality and days together', async () => {
  const person = await world.signIn();
  const matching: Study = {
    ...patientNamed('Roe^Ann'),
    status: 'COMPLETED',
    seriesModalities: ['CT'],
    study_date: '2026-05-05',
  };
  const [id] = await store(
    person,
    matching,
    { ...matching, ...patientNamed('Poe^Edgar') },
    { ...matching, status: 'PENDING' },
    { ...matching, seriesModalities: ['MR'] },
    { ...matching, study_date: '2026-05-06' },
  );

  const { data } = await person.send(studies.search, {
    query: { query: 'roe', status: 'COMPLETED', modality: 'CT', startDate: '2026-05-05', endDate: '2026-05-05' },
  });

  expect(data.content.map((study) => study.id)).toEqual([id]);
});

test('a day range includes both days, as dates or as DICOM ranges', async () => {
  const person = await world.signIn();
  const [early, late, undated] = await store(
    person,
    { study_date: '2026-11-01T00:00:00' },
    { study_date: '2026-11-03T23:59:59' },
    { study_date: '0001-01-01' },
  );
  const idsBetween = async (startDate: string, endDate: string) => {
    const { data } = await person.send(studies.search, { query: { startDate, endDate } });
    return data.content.map(({ id }) => id);
  };

  expect(await idsBetween('2026-11-01', '2026-11-03')).toEqual([late, early]);
  expect(await idsBetween('2026-11-02', '')).toEqual([late]);
  expect(await idsBetween('', '20261102')).toEqual([early]);
  expect(await idsBetween('20261101-20261102', '')).toEqual([early]);
  expect(await idsBetween('', '20261102-20261103')).toEqual([late]);
  expect(await idsBetween('20261102-', '')).toEqual([late]);
  expect(await idsBetween('-20261102', '')).toEqual([early]);
  expect(await idsBetween('', '')).toEqual([late, early, undated]);
});

test('refuses reversed or invalid days with a message', async () => {
  const person = await world.signIn();

  const turned = await person.send(studies.search, { query: { startDate: '2026-11-02', endDate: '2026-11-01' } });
  const wrong = await person.send(studies.search, { query: { startDate: '2026-02-31' } });

  expect(turned).toMatchObject({ code: 400, message: 'From date must not be after to date' });
  expect(wrong).toMatchObject({ code: 400, message: expect.stringContaining('2026-11-21') });
});

test('the list of recent studies shows the studies that arrived last', async () => {
  const person = await world.signIn();
  const ids = await store(
    person,
    { study_date: '2026-03-03' },
    { study_date: '2026-02-02' },
    { study_date: '2026-01-01' },
    {},
    {},
    {},
  );

  const { data } = await person.send(studies.recent, { query: { size: 2 } });
  const byDefault = await person.send(studies.recent);

  expect(data.map(({ id }) => id)).toEqual([ids[5], ids[4]]);
  expect(byDefault.data).toHaveLength(5);
});

test('pending studies are sorted by urgency, then oldest first', async () => {
  const person = await world.signIn();
  const [routine, , newStat, oldStat, urgent] = await store(
    person,
    { priority: 'ROUTINE' },
    { priority: 'STAT', status: 'IN_PROGRESS' },
    { priority: 'STAT', study_date: '2026-11-02' },
    { priority: 'STAT', study_date: '2026-11-01' },
    { priority: 'URGENT' },
  );

  const { data } = await person.send(studies.pending, { query: { size: 3 } });
  const next = await person.send(studies.pending, { query: { size: 3, page: 1 } });

  expect(data.content.map(({ id }) => id)).toEqual([oldStat, newStat, urgent]);
  expect(next.data.content.map(({ id }) => id)).toEqual([routine]);
});

test('the studies of a patient include no study of another patient', async () => {
  const person = await world.signIn();
  const patient = { id: newId(), patient_name: 'Doe^Jane', patient_id: 'JD' };
  const [ct, mr] = await store(
    person,
    { patient, seriesModalities: ['CT'], study_date: '2026-02-02' },
    { patient, seriesModalities: ['MR'], study_date: '2026-01-01' },
    patientNamed('Doe^John'),
  );

  const all = await person.send(studies.ofPatient, { params: { id: patient.id } });
  const some = await person.send(studies.ofPatient, { params: { id: patient.id }, query: { modality: 'MR' } });
  const unknown = await person.send(studies.ofPatient, { params: { id: newId() } });

  expect(all.data.content.map(({ id }) => id)).toEqual([ct, mr]);
  expect(some.data.content.map(({ id }) => id)).toEqual([mr]);
  expect(unknown).toMatchObject({ code: 404, message: 'Patient not found' });
});

test('a deleted study is in no list', async () => {
  const person = await world.signIn();
  const patient = { id: newId(), patient_name: 'Gone^Away', patient_id: 'GA' };
  await store(person, { patient, deleted_at: '2026-11-21T00:00:00Z' });

  const answers = [
    await person.send(studies.list),
    await person.send(studies.list, { query: { modality: 'CT' } }),
    await person.send(studies.list, { query: { modality: 'XR' } }),
    await person.send(studies.search, { query: { query: 'gone' } }),
    await person.send(studies.pending),
    await person.send(studies.ofPatient, { params: { id: patient.id } }),
  ];
  const recent = await person.send(studies.recent);

  expect(answers.map(({ data }) => [data.totalElements, data.content])).toEqual(answers.map(() => [0, []]));
  expect(recent.data).toEqual([]);
});

test('a referring physician sees only their own studies', async () => {
  const radiologist = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', radiologist.tenant);
  const [mine, other] = await Promise.all(
    ['Mine^M', 'Other^O'].map((name) =>
      world.inTenant(radiologist.tenant, (scope) => addStudy(scope, patientNamed(name))),
    ),
  );
  await world.inTenant(radiologist.tenant, ({ db }) =>
    db
      .insertInto('study_participants')
      .values(
        (['REFERRER', 'SHARED'] as const).map((role) => ({ study_id: mine?.id ?? '', user_id: referrer.userId, role })),
      )
      .execute(),
  );

  const lists = [
    await referrer.send(studies.list),
    await referrer.send(studies.list, { query: { modality: 'CT' } }),
    await referrer.send(studies.search, { query: { query: 'm' } }),
    await referrer.send(studies.pending),
    await referrer.send(studies.ofPatient, { params: { id: mine?.patientId ?? '' } }),
  ];
  const recent = await referrer.send(studies.recent);
  const patientStudies = await referrer.send(studies.ofPatient, { params: { id: other?.patientId ?? '' } });

  expect(lists.map(({ data }) => [data.totalElements, data.content.map(({ id }) => id)])).toEqual(
    lists.map(() => [1, [mine?.id]]),
  );
  expect(recent.data.map(({ id }) => id)).toEqual([mine?.id]);
  expect(patientStudies).toMatchObject({ code: 404 });
});

test('limits a page to 200 studies', async () => {
  const person = await world.signIn();

  const { data } = await person.send(studies.list, { query: { size: 100_000 } });

  expect(data.size).toBe(200);
});

test('a patient sees no studies, even with a role that shows them', async () => {
  const radiologist = await world.signIn();
  const patient = await world.signIn('PATIENT', radiologist.tenant);
  const study = await world.inTenant(radiologist.tenant, (scope) => addStudy(scope));
  await world.inTenant(radiologist.tenant, async ({ db }) => {
    const roles = db.selectFrom('roles').select('id').where('built_in_for', '=', 'RADIOLOGIST');
    await db.updateTable('user_roles').set({ role_id: roles }).where('user_id', '=', patient.userId).execute();
  });
  world.context.sessions.forget();

  const list = await patient.send(studies.list);
  const details = await patient.send(studies.get, { params: { id: study.id } });
  const ofPatient = await patient.send(studies.ofPatient, { params: { id: study.patientId } });

  expect(list.data.content).toEqual([]);
  expect([details.code, ofPatient.code]).toEqual([404, 404]);
});
