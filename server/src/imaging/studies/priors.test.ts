import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

/** Creates several studies of one patient. */
const studiesOfOne = async (person: Person, ...overrides: Parameters<typeof addStudy>[1][]) => {
  const patient = { id: newId(), patient_id: 'P-1', patient_name: 'Doe^Jane' };
  const ids: string[] = [];
  for (const override of overrides) {
    const { id } = await world.inTenant(person.tenant, (scope) => addStudy(scope, { ...override, patient }));
    ids.push(id);
  }
  return ids;
};

const priorsOf = (person: Person, id = '', query: { size?: number; order?: string } = {}) =>
  person.send(studies.priors, { params: { id }, query });

const addReport = (person: Person, studyId = '', status: 'DRAFT' | 'FINALIZED' = 'DRAFT') =>
  world.inTenant(person.tenant, ({ db }) =>
    db
      .insertInto('reports')
      .values({
        id: newId(),
        study_id: studyId,
        author_id: person.userId,
        content: '<p>Normal.</p>',
        status,
        ...(status === 'FINALIZED' && { content_hash: Buffer.alloc(32), finalized_at: '2026-11-21T10:00:00Z' }),
      })
      .execute(),
  );

test('priors are the other studies of the patient, newest first and studies without a date last', async () => {
  const person = await world.signIn();
  const [current] = await studiesOfOne(
    person,
    { description: 'asked', study_date: '2026-01-02T00:00:00' },
    { description: 'undated', study_date: '0001-01-01T00:00:00' },
    { description: 'older', study_date: '2024-01-02T00:00:00' },
    { description: 'later', study_date: '2026-05-02T00:00:00' },
  );
  await world.inTenant(person.tenant, (scope) => addStudy(scope, { description: 'of somebody else' }));

  const { data } = await priorsOf(person, current);

  expect(data.map(({ description }) => description)).toEqual(['later', 'older', 'undated']);
});

test('shows the five newest priors by default, or the requested number', async () => {
  const person = await world.signIn();
  const years = [2019, 2020, 2021, 2022, 2023, 2024, 2025];
  const [current] = await studiesOfOne(person, ...years.map((year) => ({ study_date: `${year}-01-01T00:00:00` })));

  const sizes = await Promise.all([{}, { size: 2 }, { size: 50 }].map((query) => priorsOf(person, current, query)));

  expect(sizes.map(({ data }) => data.length)).toEqual([5, 2, 6]);
});

test('ranks priors by body part before modality, and canceled studies last', async () => {
  const person = await world.signIn();
  const [current, ankle, chestRadiograph] = await studiesOfOne(
    person,
    { description: 'asked', seriesModalities: ['CT'] },
    { description: 'CT ankle', seriesModalities: ['CT'], study_date: '2025-03-01T00:00:00' },
    { description: 'chest film', seriesModalities: ['DX'], study_date: '2020-01-01T00:00:00' },
    { description: 'cancelled', seriesModalities: ['CT'], status: 'CANCELLED', study_date: '2026-01-01T00:00:00' },
    { description: 'CT chest', seriesModalities: ['CT'], study_date: '2019-01-01T00:00:00' },
    { description: 'without pictures', seriesModalities: [], study_date: '2026-02-01T00:00:00' },
  );
  await world.inTenant(person.tenant, ({ db }) =>
    db
      .updateTable('series')
      .set({ body_part_examined: 'ANKLE' })
      .where('study_id', '=', ankle ?? '')
      .execute(),
  );

  const { data } = await priorsOf(person, current, { order: 'relevance' });

  expect(chestRadiograph).toBeDefined();
  expect(data.map(({ description }) => description)).toEqual([
    'CT chest',
    'chest film',
    'CT ankle',
    'without pictures',
    'cancelled',
  ]);
  expect(data.find(({ description }) => description === 'CT ankle')?.bodyParts).toEqual(['ANKLE']);
  expect(data.find(({ description }) => description === 'without pictures')?.bodyParts).toEqual([]);
});

test('a prior shows its newest report, if any', async () => {
  const person = await world.signIn();
  const [current, read, unread] = await studiesOfOne(person, {}, {}, {});
  await addReport(person, read, 'FINALIZED');
  await addReport(person, read);

  const { data } = await priorsOf(person, current);

  const reportsById = new Map(data.map(({ id, report }) => [id, report]));
  expect(reportsById.get(read ?? '')).toMatchObject({ status: 'DRAFT', finalizedAt: null });
  expect(reportsById.get(unread ?? '')).toBeNull();
});

test('a referring physician sees only their own priors and no drafts', async () => {
  const radiologist = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', radiologist.tenant);
  const [current, participantStudy, other] = await studiesOfOne(radiologist, {}, {}, {});
  for (const study_id of [current ?? '', participantStudy ?? '']) {
    await world.inTenant(radiologist.tenant, ({ db }) =>
      db.insertInto('study_participants').values({ study_id, user_id: referrer.userId, role: 'REFERRER' }).execute(),
    );
  }
  await addReport(radiologist, participantStudy);

  const { data } = await priorsOf(referrer, current);
  const refused = await priorsOf(referrer, other);

  expect(data).toMatchObject([{ id: participantStudy, report: null }]);
  expect(refused).toMatchObject({ code: 404 });
});

test('a deleted study is never a prior', async () => {
  const person = await world.signIn('ADMIN');
  const [current, gone] = await studiesOfOne(person, {}, {});
  await person.send(studies.remove, { params: { id: gone ?? '' } });

  const { data } = await priorsOf(person, current);

  expect(data).toEqual([]);
});

test('refuses an unknown sort order of priors', async () => {
  const person = await world.signIn();
  const [current] = await studiesOfOne(person, {});

  expect(await priorsOf(person, current, { order: 'colour' })).toMatchObject({ code: 400 });
});
