import { mergeFields } from '@radwork/contract/reading/merge-fields';
import { templateFacts } from '@radwork/contract/reading/templates';
import { tagOf } from '@radwork/dicom/dictionary';
import { expect, test } from 'vitest';
import type { Scope } from '#core/access/scope.ts';
import { newId } from '#core/values/ids.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';
import { ageOn } from './study-facts.ts';

const world = await createWorld();

const add = (person: Person, overrides: Parameters<typeof addStudy>[1]) =>
  world.inTenant(person.tenant, (scope) => addStudy(scope, overrides));

const nameBodyPart = (person: Person, studyId: string, part: string) =>
  world.inTenant(person.tenant, ({ db }: Scope) =>
    db.updateTable('series').set({ body_part_examined: part }).where('study_id', '=', studyId).execute(),
  );

const factsOf = (person: Person, id: string) => person.send(templateFacts.ofStudy, { params: { id } });

test('fills every merge field from study, order and patient', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const { id } = await add(reader, {
    patient: { patient_id: 'P-77', patient_name: 'Roe^Richard', gender: 'M', date_of_birth: '1968-03-14' },
    study_date: '2026-11-20T09:30:00',
    study_description: 'CT CHEST',
    accession_number: 'A-1',
    clinical_history: 'Cough',
    referring_physician_name: 'House^Gregory',
    order_number: 'O-1',
    procedure_description: 'CT of the chest',
    ordering_physician_name: 'Cuddy^Lisa',
  });
  await nameBodyPart(reader, id, 'chest');

  const { data } = await factsOf(reader, id);

  expect(data.values).toEqual({
    'patient.name': 'Roe, Richard',
    'patient.id': 'P-77',
    'patient.birthDate': '1968-03-14',
    'patient.age': '58 years',
    'patient.sex': 'male',
    'study.date': '2026-11-20',
    'study.time': '09:30',
    'study.description': 'CT CHEST',
    'study.modality': 'CT',
    'study.bodyPart': 'chest',
    'study.accessionNumber': 'A-1',
    'study.clinicalHistory': 'Cough',
    'study.referringPhysician': 'House, Gregory',
    'order.number': 'O-1',
    'order.procedure': 'CT of the chest',
    'order.physician': 'Cuddy, Lisa',
    'comparison.date': null,
    'comparison.description': null,
    'technique.contrast': null,
    'technique.dose': null,
    'technique.sequences': 'Series 1',
    'measurements.list': null,
    'author.name': reader.session.name,
    'report.date': expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
  });
  expect(Object.keys(data.values).toSorted()).toEqual(mergeFields.map(({ name }) => name).toSorted());
  expect(data.exam).toEqual({
    modality: 'CT',
    modalities: ['CT'],
    description: 'CT CHEST CT of the chest',
    bodyParts: ['CHEST'],
  });
});

test('the study facts name their patient record, so that a correction of it is noticed', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const { id, patientId } = await add(reader, {});

  const { data } = await factsOf(reader, id);

  expect(data.patientRecordId).toBe(patientId);
});

test('unknown study facts are null, not empty text', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const { id } = await add(reader, { study_date: '0001-01-01T00:00:00', patient: { patient_name: '' } });
  await nameBodyPart(reader, id, '');

  const { data } = await factsOf(reader, id);

  const known = Object.entries(data.values).filter(([, value]) => value !== null);
  expect(known.map(([name]) => name).toSorted()).toEqual([
    'author.name',
    'patient.id',
    'report.date',
    'study.modality',
    'technique.sequences',
  ]);
});

test('the comparison field names only the latest earlier study of the same modality and body part', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const current = await add(reader, { study_date: '2026-11-20T09:30:00', study_description: 'CT thorax' });
  const patient = { id: current.patientId };
  const before = async (study_date: string, overrides: object, part = 'CHEST') => {
    const { id } = await add(reader, { patient, study_date, ...overrides });
    await nameBodyPart(reader, id, part);
  };
  await nameBodyPart(reader, current.id, 'CHEST');
  await before('2024-01-01T10:00:00', { study_description: 'The one before' });
  await before('2025-02-03T10:00:00', { study_description: 'CT chest' });
  await before('2026-01-01T10:00:00', { study_description: 'A knee' }, 'KNEE');
  await before('2026-02-01T10:00:00', { study_description: 'A film', seriesModalities: ['DX'] });
  await before('2026-03-01T10:00:00', { study_description: 'Never done', status: 'CANCELLED' });
  await before('2026-04-01T10:00:00', { study_description: 'Thrown away', deleted_at: '2026-04-02T10:00:00Z' });
  await before('2026-12-01T10:00:00', { study_description: 'A later one' });
  await before('2026-05-01T10:00:00', { study_description: 'Without pictures', instance_count: 0 });
  await before('0001-01-01T00:00:00', { study_description: 'Without a date' });
  const { id: ofSomebodyElse } = await add(reader, {
    study_date: '2026-06-01T10:00:00',
    study_description: 'CT thorax',
  });
  await nameBodyPart(reader, ofSomebodyElse, 'CHEST');

  const { data } = await factsOf(reader, current.id);

  expect(data.values).toMatchObject({ 'comparison.date': '2025-02-03', 'comparison.description': 'CT chest' });
});

test("the merge fields prefer the local study description to the scanner's", async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const called = await add(reader, { study_description: 'THX^ROUTINE', description: 'CT chest, low dose' });

  const { data } = await factsOf(reader, called.id);

  expect(data.values['study.description']).toBe('CT chest, low dose');
});

test('without body parts, the comparison field names an earlier study with the same description', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const current = await add(reader, { study_date: '2026-11-20T09:30:00', study_description: 'CT Neck' });
  const patient = { id: current.patientId };
  const alike = await add(reader, { patient, study_date: '2025-02-03T10:00:00', study_description: 'CT NECK' });
  const other = await add(reader, { patient, study_date: '2026-02-03T10:00:00', study_description: 'CT head' });
  for (const { id } of [current, alike, other]) await nameBodyPart(reader, id, '');

  const { data } = await factsOf(reader, current.id);

  expect(data.values['comparison.date']).toBe('2025-02-03');
});

test('the comparison field never names a study of the opposite body side', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const current = await add(reader, { study_date: '2026-11-20T09:30:00', description: 'XR knee, left' });
  const patient = { id: current.patientId };
  const other = await add(reader, { patient, study_date: '2026-02-03T10:00:00', study_description: 'KNEE^RIGHT' });
  for (const { id } of [current, other]) await nameBodyPart(reader, id, 'KNEE');
  const comparison = async (id: string) => (await factsOf(reader, id)).data.values['comparison.description'];
  expect(await comparison(current.id)).toBeNull();

  const same = await add(reader, { patient, study_date: '2025-02-03T10:00:00', study_description: 'Knie links' });
  await nameBodyPart(reader, same.id, 'KNEE');
  expect(await comparison(current.id)).toBe('Knie links');
  const both = await add(reader, { patient, study_date: '2026-03-03T10:00:00', study_description: 'Knees L and R' });
  await nameBodyPart(reader, both.id, 'KNEE');
  expect(await comparison(current.id)).toBe('Knees L and R');
});

test('the time field is empty for a study with only a date', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const { id } = await add(reader, { study_date: '2026-11-20T00:00:00', is_study_time_known: false });

  const { data } = await factsOf(reader, id);

  expect(data.values).toMatchObject({ 'study.date': '2026-11-20', 'study.time': null });
});

test.each([
  ['F', 'female'],
  ['M', 'male'],
  ['O', 'other'],
  ['U', null],
] as const)('the sex %s of a patient fills the field with the word %s', async (gender, word) => {
  const reader = await world.signIn('RADIOLOGIST');
  const { id } = await add(reader, { patient: { gender } });

  const { data } = await factsOf(reader, id);

  expect(data.values['patient.sex']).toBe(word);
});

test('the report date is the current date in the time zone of the organization', async () => {
  // Their time zones differ by 25 hours, so their dates always differ.
  const zones = ['Pacific/Niue', 'Pacific/Kiritimati'];
  const days = [];
  for (const timeZone of zones) {
    const reader = await world.signIn('RADIOLOGIST', await world.newTenant({ timeZone }));
    const { id } = await add(reader, {});
    days.push((await factsOf(reader, id)).data.values['report.date'] ?? '');
  }

  expect(days[0]).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(days).toEqual(days.toSorted());
  expect(new Set(days).size).toBe(2);
});

test('returns study facts only to report writers in the tenant, and audits the request', async () => {
  const [reader, elsewhere] = [await world.signIn('RADIOLOGIST'), await world.signIn('RADIOLOGIST')];
  const referrer = await world.signIn('REFERRING_PHYSICIAN', reader.tenant);
  const { id } = await add(reader, {});

  const answers = [await factsOf(reader, id), await factsOf(elsewhere, id), await factsOf(referrer, id)];

  expect(answers.map(({ code }) => code)).toEqual([200, 404, 403]);
  const auditEntries = await world.inTenant(reader.tenant, ({ db }) =>
    db.selectFrom('audit_entries').select(['action', 'user_id']).where('study_id', '=', id).execute(),
  );
  expect(auditEntries).toEqual([{ action: 'study.view', user_id: reader.userId }]);
});

test.each([
  ['2026-11-20', '0 days'],
  ['2026-11-19', '1 day'],
  ['2026-10-21', '30 days'],
  ['2026-10-20', '1 month'],
  ['2024-11-21', '23 months'],
  ['2024-11-20', '2 years'],
  ['1968-11-21', '57 years'],
  ['2026-11-21', null],
])('a birth date of %s gives the age %s on 2026-11-20', (born, age) => {
  expect(ageOn(born, '2026-11-20T09:30:00')).toBe(age);
});

test('technique names the contrast, dose and series that the images state', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const header = {
    [tagOf('ContrastBolusAgent')]: { vr: 'LO', Value: ['Iohexol 300'] },
    [tagOf('ContrastBolusVolume')]: { vr: 'DS', Value: [80] },
    [tagOf('ContrastBolusRoute')]: { vr: 'LO', Value: ['IV'] },
  };
  const { id } = await add(reader, { header, total_dlp: 172.8, ctdi_vol: 7.2, seriesModalities: ['CT', 'CT', 'SR'] });

  const { data } = await factsOf(reader, id);

  expect(data.values).toMatchObject({
    'technique.contrast': 'Iohexol 300, 80 ml iv',
    'technique.dose': 'CTDIvol 7.2 mGy, DLP 172.8 mGy·cm',
    'technique.sequences': 'Series 1; Series 2',
  });
});

test('a scanner that writes that no contrast was given states no contrast', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const header = { [tagOf('ContrastBolusAgent')]: { vr: 'LO', Value: ['NONE'] } };
  const { id } = await add(reader, { header });

  expect((await factsOf(reader, id)).data.values['technique.contrast']).toBeNull();
});

test('the template that a reader chose is remembered for studies of the same kind, for this reader only', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const colleague = await world.signIn('RADIOLOGIST', reader.tenant);
  const [first, next, other] = await Promise.all(
    ['CT chest with contrast', 'CT Chest with contrast', 'CT chest'].map((study_description) =>
      add(reader, { study_description }),
    ),
  );
  const templateId = '0197c0de-0000-7000-8000-000000000003';

  const chosen = await reader.send(templateFacts.choose, { params: { id: first?.id ?? '' }, body: { templateId } });
  const chosenFor = async (person: Person, study: typeof first) =>
    (await factsOf(person, study?.id ?? '')).data.chosenTemplateId;

  const unknown = await reader.send(templateFacts.choose, {
    params: { id: first?.id ?? '' },
    body: { templateId: newId() },
  });

  expect([chosen.status, unknown.status]).toEqual([200, 404]);
  expect(await chosenFor(reader, next)).toBe(templateId);
  expect(await chosenFor(reader, other)).toBeNull();
  expect(await chosenFor(colleague, next)).toBeNull();
});
