import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { addStudy } from '#test/stored-study.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { newStudy, assign } = workSteps(world);

const hour = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString();

/** Returns the descriptions of the studies that a condition finds, from A to Z. */
const found = async ({ send }: Person, where: string, more: object = {}) => {
  const { data } = await send(studies.search, { query: { where, sort: 'description,asc', ...more } });
  expect(data.totalElements).toBe(data.content.length);
  return data.content.map(({ description }) => description).join(' ');
};

const add = (person: Person, description: string, columns: Parameters<typeof addStudy>[1] = {}) =>
  newStudy(person, 'PENDING', { description, ...columns });

test('conditions on modality, status and priority take several values, and can exclude them', async () => {
  const reader = await world.signIn();
  await add(reader, 'a', { seriesModalities: ['CT', 'SR'], priority: 'STAT' });
  await add(reader, 'b', { seriesModalities: ['MR'], status: 'COMPLETED' });
  await add(reader, 'c', { seriesModalities: ['CR'], status: 'ASSIGNED', priority: 'URGENT' });

  expect(await found(reader, 'modality.is:CT,MR')).toBe('a b');
  expect(await found(reader, 'modality.is:XR')).toBe('c');
  expect(await found(reader, 'modality.isNot:SR')).toBe('b c');
  expect(await found(reader, 'status.is:PENDING,ASSIGNED')).toBe('a c');
  expect(await found(reader, 'status.isNot:PENDING')).toBe('b c');
  expect(await found(reader, 'priority.isNot:ROUTINE')).toBe('a c');
  expect(await found(reader, 'priority.is:STAT;modality.isNot:CT')).toBe('');
  expect(await found(reader, 'modality.is:CT', { modality: 'SR' })).toBe('a');
  expect(await found(reader, 'modality.is:MR', { modality: 'SR' })).toBe('');
  expect(await found(reader, 'report.empty')).toBe('a c');
});

test('conditions on assignees name users, the caller, or no user', async () => {
  const reader = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', reader.tenant);
  await assign(reader, await add(reader, 'mine'), [reader]);
  await assign(reader, await add(reader, 'theirs'), [colleague]);
  await add(reader, 'open');

  expect(await found(reader, 'assignee.is:me')).toBe('mine');
  expect(await found(colleague, 'assignee.is:me')).toBe('theirs');
  expect(await found(reader, `assignee.is:${colleague.userId},me`)).toBe('mine theirs');
  expect(await found(reader, 'assignee.isNot:me')).toBe('open theirs');
  expect(await found(reader, 'assignee.empty')).toBe('open');
  expect(await found(reader, 'assignee.present')).toBe('mine theirs');
});

test('conditions on times count calendar days of the organization, and hours until the due time', async () => {
  const reader = await world.signIn();
  await add(reader, 'new', { study_date: ago(0).slice(0, 10) });
  await add(reader, 'old', { study_date: ago(30 * 24).slice(0, 10), created_at: ago(30 * 24) });
  await add(reader, 'undated', { study_date: '0001-01-01T00:00:00' });
  await add(reader, 'late', { study_date: ago(3 * 24).slice(0, 10), due_at: ago(1) });
  await add(reader, 'soon', { study_date: ago(3 * 24).slice(0, 10), due_at: ago(-2) });

  expect(await found(reader, 'studyDate.today')).toBe('new');
  expect(await found(reader, 'studyDate.last:4')).toBe('late new soon');
  expect(await found(reader, 'studyDate.older:7')).toBe('old');
  expect(await found(reader, 'arrival.older:7')).toBe('old');
  expect(await found(reader, 'arrival.last:7')).toBe('late new soon undated');
  expect(await found(reader, 'due.overdue')).toBe('late');
  expect(await found(reader, 'due.within:3')).toBe('soon');
  expect(await found(reader, 'due.within:1')).toBe('');
  expect(await found(reader, 'due.empty')).toBe('new old undated');
});

test('conditions on body part, device and referring physician read the headers of the images', async () => {
  const reader = await world.signIn();
  await add(reader, 'a', { equipment_name: 'CT 1', referring_physician_name: 'Müller^Zoë' });
  await add(reader, 'b', { equipment_name: 'CT 2', seriesModalities: [], referring_physician_name: 'Osei^Kwame' });
  await add(reader, 'c', { referring_physician_name: '' });

  expect(await found(reader, 'bodyPart.is:chest')).toBe('a c');
  expect(await found(reader, 'bodyPart.isNot:CHEST')).toBe('b');
  expect(await found(reader, 'device.is:CT%201,CT%209')).toBe('a');
  expect(await found(reader, 'device.isNot:CT%201')).toBe('b c');
  expect(await found(reader, 'referringPhysician.is:muller')).toBe('a');
  expect(await found(reader, 'referringPhysician.is:muller,kwame%20osei')).toBe('a b');
  expect(await found(reader, 'referringPhysician.isNot:osei')).toBe('a c');
  expect(await found(reader, 'referringPhysician.empty')).toBe('c');
});

test('a restricted user finds only own studies by any condition', async () => {
  const admin = await world.signIn('ADMIN');
  const referrer = await world.signIn('REFERRING_PHYSICIAN', admin.tenant);
  await add(admin, 'hidden', { equipment_name: 'CT 7' });
  const own = await add(admin, 'own', { equipment_name: 'CT 8' });
  await world.inTenant(admin.tenant, ({ db }) =>
    db.insertInto('study_participants').values({ study_id: own, user_id: referrer.userId, role: 'REFERRER' }).execute(),
  );

  for (const where of ['modality.is:CT,MR', 'bodyPart.is:CHEST', 'device.isNot:X', 'report.empty', 'due.empty']) {
    expect(await found(referrer, where)).toBe('own');
  }
  expect((await referrer.send(studies.filterChoices)).data).toEqual({ bodyParts: ['CHEST'], devices: ['CT 8'] });
  expect((await admin.send(studies.filterChoices)).data.devices).toEqual(['CT 7', 'CT 8']);
  expect((await referrer.send(studies.matching, { query: {} })).data).toEqual({ ids: [own], isMore: false });
});

test('refuses an invalid condition and names it', async () => {
  const reader = await world.signIn();

  expect(await reader.send(studies.search, { query: { where: 'priority.is:STAT;size.is:4' } })).toMatchObject({
    code: 400,
    message: 'The filter "size.is:4" is not valid',
  });
});

test('a list by urgency shows open studies by priority, due time and waiting time, then the newest of the others', async () => {
  const reader = await world.signIn();
  await add(reader, 'routine', { created_at: ago(50) });
  await add(reader, 'urgent-old', { priority: 'URGENT', created_at: ago(20) });
  await add(reader, 'urgent-new', { priority: 'URGENT', created_at: ago(10) });
  await add(reader, 'urgent-due', { priority: 'URGENT', created_at: ago(5), due_at: ago(-4) });
  await add(reader, 'stat', { priority: 'STAT', status: 'IN_PROGRESS' });
  await add(reader, 'done-old', { priority: 'STAT', status: 'ARCHIVED', study_date: '2025-01-01' });
  await add(reader, 'done-new', { status: 'COMPLETED', study_date: '2026-01-01' });
  const expected = ['stat', 'urgent-due', 'urgent-old', 'urgent-new', 'routine', 'done-new', 'done-old'];

  const order = async (sort: string, more: object = {}) =>
    (await reader.send(studies.search, { query: { sort, size: 100, ...more } })).data.content.map(
      ({ description }) => description,
    );

  expect(await order('urgency,desc')).toEqual(expected);
  expect(await order('urgency,asc')).toEqual(expected.toReversed());
  expect(await order('urgency,desc', { query: 'jane' })).toEqual(expected);
  expect(await order('urgency,desc', { size: 3, page: 1 })).toEqual(expected.slice(3, 6));
  expect(await order('urgency,desc', { stage: 'UNREAD' })).toEqual(expected.slice(1, 5));
  expect(await order('urgency,desc', { status: 'ARCHIVED' })).toEqual(['done-old']);
});
