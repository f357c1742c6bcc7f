import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

type Assigned = { to: Person; due?: string; status?: 'ACTIVE' | 'COMPLETED' };

/** Adds a study with these assignments, in order, to the tenant of the user. Returns its id. */
const store = async (person: Person, study: Parameters<typeof addStudy>[1] = {}, ...assigned: Assigned[]) => {
  const { id } = await world.inTenant(person.tenant, (scope) => addStudy(scope, study));
  for (const [index, { to, due, status = 'ACTIVE' }] of assigned.entries()) {
    await world.inTenant(person.tenant, ({ db }) =>
      db
        .insertInto('study_assignments')
        .values({
          id: newId(),
          study_id: id,
          user_id: to.userId,
          assigned_by: person.userId,
          assigned_at: `2026-11-0${index + 1}T00:00:00Z`,
          due_at: due ?? null,
          status,
        })
        .execute(),
    );
  }
  return id;
};

const past = '2020-01-01T00:00:00.000Z';
const future = '2999-01-01T00:00:00.000Z';

test('a row shows the assignees in order of assignment, and the earliest due date', async () => {
  const person = await world.signIn();
  const [first, second, third] = [
    await world.signIn('RADIOLOGIST', person.tenant),
    person,
    await world.signIn('ADMIN', person.tenant),
  ];
  await world.inTenant(person.tenant, ({ db }) =>
    db.updateTable('users').set({ is_active: false }).where('id', '=', first.userId).execute(),
  );
  const id = await store(
    person,
    { status: 'ASSIGNED' },
    { to: first, due: future },
    { to: second, due: past },
    { to: third, status: 'COMPLETED' },
  );

  const list = await person.send(studies.list);
  const details = await person.send(studies.get, { params: { id } });

  const row = {
    assignees: [
      { id: first.userId, username: first.username, userType: 'RADIOLOGIST', active: false },
      { id: second.userId, username: second.username, name: `Dr ${second.username}`, active: true },
    ],
    dueDate: past,
  };
  expect(list.data.content[0]).toMatchObject(row);
  expect(details.data).toMatchObject(row);
});

test('a study without assignments has no assignees and no due date', async () => {
  const person = await world.signIn();
  await store(person);

  const { data } = await person.send(studies.list);

  expect(data.content[0]).toMatchObject({ assignees: [], dueDate: null });
});

test('each view contains its studies, in the list and in a search, and counts them', async () => {
  const person = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', person.tenant);
  const mine = await store(person, { status: 'ASSIGNED', study_date: '2026-11-09' }, { to: person, due: future });
  const late = await store(person, { status: 'IN_PROGRESS', study_date: '2026-11-08' }, { to: colleague, due: past });
  const done = await store(
    person,
    { status: 'COMPLETED', study_date: '2026-11-07' },
    { to: person, due: past, status: 'COMPLETED' },
  );
  const waiting = await store(person, { status: 'PENDING', study_date: '2026-11-06' });
  const unassigned = await store(
    person,
    { status: 'ASSIGNED', study_date: '2026-11-05' },
    { to: person, status: 'COMPLETED' },
  );
  const expected = {
    MINE: [mine],
    UNASSIGNED: [waiting, unassigned],
    PENDING: [waiting],
    IN_PROGRESS: [late],
    OVERDUE: [late],
    ALL: [mine, late, done, waiting, unassigned],
  };

  const counts = await person.send(studies.views);

  for (const [view, ids] of Object.entries(expected)) {
    const list = await person.send(studies.list, { query: { view } });
    const search = await person.send(studies.search, { query: { view, query: 'jane', sort: 'patientName,asc' } });
    expect({ view, ids: list.data.content.map(({ id }) => id) }).toEqual({ view, ids });
    expect({ view, ids: search.data.content.map(({ id }) => id).toSorted() }).toEqual({ view, ids: ids.toSorted() });
    expect({ view, count: counts.data[view as keyof typeof expected] }).toEqual({
      view,
      count: { total: ids.length, isMore: false },
    });
  }
});

test('a view combined with a status outside the view finds nothing', async () => {
  const person = await world.signIn();
  await store(person, { status: 'PENDING' });

  const { data } = await person.send(studies.list, { query: { view: 'PENDING', status: 'ARCHIVED' } });

  expect(data).toMatchObject({ content: [], totalElements: 0, isTotalExact: true });
});

test('views contain only studies visible to a referring physician, and none of another tenant', async () => {
  const person = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', person.tenant);
  const stranger = await world.signIn();
  await store(person, { status: 'PENDING' });
  const participantStudy = await store(person, { status: 'PENDING' });
  await world.inTenant(person.tenant, ({ db }) =>
    db
      .insertInto('study_participants')
      .values({ study_id: participantStudy, user_id: referrer.userId, role: 'REFERRER' })
      .execute(),
  );

  const counts = await Promise.all([person, referrer, stranger].map((who) => who.send(studies.views)));

  expect(counts.map(({ data }) => [data.ALL.total, data.PENDING.total, data.UNASSIGNED.total])).toEqual([
    [2, 2, 2],
    [1, 1, 1],
    [0, 0, 0],
  ]);
});

test('refuses an unknown view', async () => {
  const person = await world.signIn();

  const answer = await person.send(studies.list, { query: { view: 'YOURS' } });

  expect(answer.code).toBe(400);
});
