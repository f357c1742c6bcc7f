import { studies } from '@radwork/contract/imaging/studies';
import { workflow } from '@radwork/contract/reading/workflow';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { sortedStatuses } from '#test/report-steps.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Person, type Tenant } from '#test/world.ts';

const world = await createWorld();
const {
  newStudy,
  read,
  changeStatus,
  assign,
  unassign,
  extend,
  complete,
  letTimePass,
  events,
  notificationsTo,
  audited,
} = workSteps(world);

const hour = 3_600_000;
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * hour).toISOString();

const practice = async () => {
  const assigner = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', assigner.tenant);
  const physician = await world.signIn('REFERRING_PHYSICIAN', assigner.tenant);
  return { assigner, reader, physician, id: await newStudy(assigner, 'PENDING', { description: 'Chest' }) };
};

const stored = (tenant: Tenant, id: string) =>
  world.inTenant(tenant, ({ db }) =>
    db.selectFrom('study_assignments').select(['user_id', 'status']).where('study_id', '=', id).execute(),
  );

test('assignees see their assignment with due date and assigner, in the same time zone', async () => {
  const { assigner, reader, physician, id } = await practice();
  const body = { dueDate: '2126-11-25T14:00:00+02:00', notes: 'Before the ward round' };

  const { data } = await assign(assigner, id, [reader, physician], body);

  expect(data.assignments).toHaveLength(2);
  expect(data.assignments.find(({ user }) => user.id === reader.userId)).toMatchObject({
    user: { username: reader.username, userType: 'RADIOLOGIST' },
    assignedBy: { username: assigner.username },
    dueDate: '2126-11-25T12:00:00.000Z',
    completedAt: null,
    status: 'ACTIVE',
    notes: 'Before the ward round',
  });
});

test('the first assignment changes a pending study to assigned, and each change is recorded once', async () => {
  const { assigner, reader, physician, id } = await practice();

  const { data } = await assign(assigner, id, [reader, physician]);

  expect(data.status).toBe('ASSIGNED');
  expect(await events(assigner, id)).toEqual([
    'STUDY_STATUS_CHANGE ASSIGNED by system',
    `STUDY_ASSIGNMENT ACTIVE by ${assigner.username}`,
    `STUDY_ASSIGNMENT ACTIVE by ${assigner.username}`,
  ]);
  expect((await audited(assigner, 'study.assign')).map(({ detail }) => detail)).toEqual(
    expect.arrayContaining([{ assignee: reader.userId }, { assignee: physician.userId }]),
  );
});

test('an assignment does not change the status of a study in progress', async () => {
  const { assigner, reader } = await practice();
  const id = await newStudy(assigner, 'IN_PROGRESS');

  const { data } = await assign(assigner, id, [reader]);

  expect(data.status).toBe('IN_PROGRESS');
});

test.each([
  ['COMPLETED', 'Completed'],
  ['CANCELLED', 'Canceled'],
  ['ARCHIVED', 'Archived'],
] as const)('refuses an assignment to a study that is %s', async (status, word) => {
  const { assigner, reader } = await practice();
  const id = await newStudy(assigner, status);

  const refused = await assign(assigner, id, [reader]);

  expect(refused).toMatchObject({
    status: 409,
    message: `The study is ${word}. No user can be assigned to it.`,
  });
  expect(await stored(assigner.tenant, id)).toEqual([]);
});

test('an assigned referring physician sees the study until the assignment is removed', async () => {
  const { assigner, physician, id } = await practice();
  const look = async () => (await physician.send(studies.get, { params: { id } })).status;
  expect(await look()).toBe(404);

  await assign(assigner, id, [physician]);
  const assigned = await look();
  await unassign(assigner, id, physician);

  expect([assigned, await look()]).toEqual([200, 404]);
});

test('a referring physician still sees a study after completing the assignment', async () => {
  const { assigner, physician, id } = await practice();
  await assign(assigner, id, [physician]);

  await complete(physician, id, physician);

  expect((await physician.send(studies.get, { params: { id } })).status).toBe(200);
});

test('a referring physician still sees the referred study after their assignment is removed', async () => {
  const { assigner, physician, id } = await practice();
  await world.inTenant(assigner.tenant, ({ db }) =>
    db.insertInto('study_participants').values({ study_id: id, user_id: physician.userId, role: 'REFERRER' }).execute(),
  );
  await assign(assigner, id, [physician]);

  await unassign(assigner, id, physician);

  expect((await physician.send(studies.get, { params: { id } })).status).toBe(200);
});

test('removing the last assignment changes an assigned study back to pending', async () => {
  const { assigner, reader, physician, id } = await practice();
  await assign(assigner, id, [reader, physician]);

  const first = await unassign(assigner, id, reader);
  const last = await unassign(assigner, id, physician);

  expect([first.data.status, last.data.status]).toEqual(['ASSIGNED', 'PENDING']);
  expect((await events(assigner, id)).slice(0, 3)).toEqual([
    'STUDY_STATUS_CHANGE PENDING by system',
    `STUDY_ASSIGNMENT CANCELLED by ${assigner.username}`,
    `STUDY_ASSIGNMENT CANCELLED by ${assigner.username}`,
  ]);
});

test('removing the last assignment does not change the status of a study in progress', async () => {
  const { assigner, reader, id } = await practice();
  await assign(assigner, id, [reader]);
  await changeStatus(assigner, id, 'IN_PROGRESS');

  const { data } = await unassign(assigner, id, reader);

  expect(data.status).toBe('IN_PROGRESS');
});

test('an assignment requires at least one user', async () => {
  const { assigner, id } = await practice();

  const refused = await assign(assigner, id, []);

  expect(refused).toMatchObject({
    status: 422,
    errors: [{ field: 'userIds', message: 'Please select at least one user' }],
  });
});

test('assigns the study to no user when one of the users cannot be assigned', async () => {
  const { assigner, reader, id } = await practice();
  const patient = await world.signIn('PATIENT', assigner.tenant);
  const elsewhere = await world.signIn('RADIOLOGIST');
  const deactivated = await world.signIn('RADIOLOGIST', assigner.tenant);
  await world.owner.updateTable('users').set({ is_active: false }).where('id', '=', deactivated.userId).execute();

  const wrong: Pick<Person, 'userId'>[] = [
    patient,
    assigner,
    elsewhere,
    deactivated,
    { userId: newId() },
    { userId: 'x' },
  ];
  const answers = await Promise.all([
    ...wrong.map((other) => assign(assigner, id, [reader, other])),
    assign(assigner, id, [{ userId: 'x' }]),
  ]);

  expect(new Set(answers.map(({ status, message }) => `${status} ${message}`))).toEqual(
    new Set(['422 Choose active radiologists or referring physicians only']),
  );
  expect(await stored(assigner.tenant, id)).toEqual([]);
});

test('refuses an assignment with a due date in the past', async () => {
  const { assigner, reader, id } = await practice();

  const refused = await assign(assigner, id, [reader], { dueDate: hoursFromNow(-1) });

  expect(refused).toMatchObject({
    status: 422,
    errors: [{ field: 'dueDate', message: 'Due date must be in the future' }],
  });
  expect(await stored(assigner.tenant, id)).toEqual([]);
});

test('only one of two simultaneous assignments of a user succeeds, and the other is refused', async () => {
  const { assigner, reader, id } = await practice();

  const answers = await Promise.all([assign(assigner, id, [reader]), assign(reader, id, [reader])]);

  expect(sortedStatuses(answers)).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.message).toBe(
    `The study is already assigned to ${reader.username}. No user was assigned.`,
  );
  expect(await stored(assigner.tenant, id)).toHaveLength(1);
});

test('of two simultaneous calls that end an assignment, one succeeds, and the other learns how it ended', async () => {
  const { assigner, reader, id } = await practice();
  await assign(assigner, id, [reader]);

  const answers = await Promise.all([complete(reader, id, reader), unassign(assigner, id, reader)]);

  expect(sortedStatuses(answers)).toEqual([200, 409]);
  const [{ status } = { status: '' }] = await stored(assigner.tenant, id);
  expect(answers.find((answer) => answer.status === 409)?.message).toBe(
    `The assignment of ${reader.username} is already ${status === 'COMPLETED' ? 'completed' : 'removed'}`,
  );
});

test('refuses to remove, extend or complete an assignment of a user who was never assigned', async () => {
  const { assigner, reader, id } = await practice();

  const answers = [
    await unassign(assigner, id, reader),
    await extend(assigner, id, reader, hoursFromNow(1)),
    await complete(assigner, id, reader),
  ];

  expect(answers.map(({ status, error }) => `${status} ${error}`)).toEqual(Array(3).fill('404 assignment.not_found'));
});

test('a removed user can be assigned again, and both assignments remain on record', async () => {
  const { assigner, reader, id } = await practice();
  await assign(assigner, id, [reader]);
  await unassign(assigner, id, reader);

  const { data } = await assign(assigner, id, [reader]);

  expect(data.assignments.map(({ status }) => status)).toEqual(['ACTIVE', 'CANCELLED']);
});

test('an assignment is overdue as soon as its due date passes, without a stored flag', async () => {
  const { assigner, reader, id } = await practice();

  await assign(assigner, id, [reader], { dueDate: hoursFromNow(1) });
  await letTimePass(assigner, id);

  const { data } = await read(assigner, id);

  expect(data.assignments[0]?.status).toBe('OVERDUE');
  expect(await stored(assigner.tenant, id)).toEqual([{ user_id: reader.userId, status: 'ACTIVE' }]);
});

test('extends a due date only to a later date in the future', async () => {
  const { assigner, reader, id } = await practice();
  const [before, later] = [hoursFromNow(5), hoursFromNow(9)];
  await assign(assigner, id, [reader], { dueDate: before });

  const refused = await Promise.all(
    [hoursFromNow(-1), hoursFromNow(2), before].map((dueDate) => extend(assigner, id, reader, dueDate)),
  );
  const { data } = await extend(assigner, id, reader, later);

  for (const answer of refused) {
    expect(answer).toMatchObject({
      status: 422,
      errors: [{ field: 'dueDate', message: 'Due date must be in the future' }],
    });
  }
  expect(data.assignments[0]?.dueDate).toBe(later);
  expect(await events(assigner, id)).toHaveLength(3);
});

test('the history shows the time zone of its dates', async () => {
  const { assigner, reader, id } = await practice();
  await world.owner
    .updateTable('tenants')
    .set({ time_zone: 'Europe/Zurich' })
    .where('id', '=', assigner.tenant.id)
    .execute();
  world.context.sessions.forget();

  await assign(assigner, id, [reader], { dueDate: '2126-01-25T12:00:00Z', notes: 'Urgent' });
  await extend(assigner, id, reader, '2126-07-25T12:00:00Z');

  const { data } = await assigner.send(workflow.history, { params: { id } });
  const { username } = reader;
  expect(data.content.map(({ details }) => details)).toEqual([
    `Due date of Dr ${username} (${username}) moved from 2126-01-25 13:00 (Europe/Zurich) to 2126-07-25 14:00 (Europe/Zurich)`,
    'The study was assigned',
    `Assigned to Dr ${username} (${username}), due 2126-01-25 13:00 (Europe/Zurich): Urgent`,
  ]);
});

test('an extended overdue assignment is active again', async () => {
  const { assigner, reader, id } = await practice();
  await assign(assigner, id, [reader], { dueDate: hoursFromNow(1) });
  await letTimePass(assigner, id);

  const { data } = await extend(assigner, id, reader, hoursFromNow(1));

  expect(data.assignments[0]?.status).toBe('ACTIVE');
});

test.each(['tomorrow', '2126-11-25T14:00', '2126-11-25T14:00:00', ''])(
  'refuses "%s" as a due date',
  async (dueDate) => {
    const { assigner, reader, id } = await practice();

    const refused = await assign(assigner, id, [reader], { dueDate });

    expect(refused).toMatchObject({ status: 422, message: 'Use a date and time with a UTC offset' });
  },
);

test('the assignee or a user who may assign completes an assignment, and its notes remain', async () => {
  const { assigner, reader, physician, id } = await practice();
  await assign(assigner, id, [reader, physician], { notes: 'Urgent' });

  const own = await complete(physician, id, physician, 'Seen');
  const others = await complete(assigner, id, reader);

  expect(own.data.assignments.find(({ user }) => user.id === physician.userId)).toMatchObject({
    status: 'COMPLETED',
    completedAt: expect.any(String),
    notes: 'Urgent\nSeen',
  });
  expect(others.data.assignments.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
});

test('refuses completion of an assignment by any other user', async () => {
  const { assigner, reader, physician, id } = await practice();
  await assign(assigner, id, [reader, physician]);

  const refused = await complete(physician, id, reader);

  expect(refused).toMatchObject({
    status: 403,
    message: 'Only the assignee or a user who can assign studies can complete this assignment',
  });
});

test('notifies assignees of changes, and the assigner of the completion', async () => {
  const { assigner, reader, physician, id } = await practice();

  await assign(assigner, id, [reader, physician], { dueDate: hoursFromNow(1) });
  await extend(assigner, id, reader, hoursFromNow(2));
  await complete(reader, id, reader);
  await unassign(assigner, id, physician);

  const titles = async (person: Person) =>
    (await notificationsTo(person)).map(({ type, title }) => `${type}: ${title}`);
  expect(await titles(reader)).toEqual([
    'ASSIGNMENT: The due date of a study was extended',
    'ASSIGNMENT: A study was assigned to you',
  ]);
  expect(await titles(physician)).toEqual([
    'ASSIGNMENT: You are no longer assigned to a study',
    'ASSIGNMENT: A study was assigned to you',
  ]);
  expect(await titles(assigner)).toEqual(['ASSIGNMENT: An assignment was completed']);
  const words = [...(await notificationsTo(reader)), ...(await notificationsTo(physician))].map(
    ({ title, message }) => title + message,
  );
  expect(words.join(' ')).not.toContain('Doe');
});

test('lists active radiologists and referring physicians who are not yet assigned to the study', async () => {
  const { assigner, reader, physician, id } = await practice();
  const inactive = await world.signIn('RADIOLOGIST', assigner.tenant);
  await world.owner.updateTable('users').set({ is_active: false }).where('id', '=', inactive.userId).execute();
  await world.signIn('PATIENT', assigner.tenant);
  const ask = async (query: Record<string, string> = {}) => {
    const { data } = await assigner.send(workflow.assignable, { query: { studyId: id, ...query } });
    return data.map(({ username }) => username);
  };

  const all = await ask({ active: 'true' });
  const readers = await ask({ userType: 'RADIOLOGIST' });
  const usernames = await ask({ query: physician.username.slice(-8).toUpperCase() });
  await assign(assigner, id, [reader]);

  expect(all).toEqual([reader.username, physician.username].toSorted());
  expect(readers).toEqual([reader.username]);
  expect(usernames).toEqual([physician.username]);
  expect(await ask()).toEqual([physician.username]);
});

test('the list of assignable users contains only the data needed to choose', async () => {
  const { assigner, reader, id } = await practice();
  await world.owner
    .updateTable('users')
    .set({ specialization: 'Thorax', department: 'CT' })
    .where('id', '=', reader.userId)
    .execute();

  const { data } = await assigner.send(workflow.assignable, { query: { studyId: id, query: 'thorax' } });

  const { userId, username } = reader;
  expect(data).toEqual([
    {
      id: userId,
      username,
      name: `Dr ${username}`,
      userType: 'RADIOLOGIST',
      specialization: 'Thorax',
      department: 'CT',
    },
  ]);
});

test.each([newId(), 'x'])('lists no assignable users for the unknown study %s', async (studyId) => {
  const assigner = await world.signIn('ADMIN');

  expect(await assigner.send(workflow.assignable, { query: { studyId } })).toMatchObject({
    status: 404,
    error: 'study.not_found',
  });
});

test('study lists show the number of assignees and the earliest due date', async () => {
  const { assigner, reader, physician, id } = await practice();
  const [first, second] = [hoursFromNow(3), hoursFromNow(6)];
  await assign(assigner, id, [reader], { dueDate: second });
  await assign(assigner, id, [physician], { dueDate: first });
  const storedAssignments = () =>
    world.inTenant(assigner.tenant, ({ db }) =>
      db.selectFrom('studies').select(['active_assignments', 'due_at']).where('id', '=', id).executeTakeFirstOrThrow(),
    );

  const both = await storedAssignments();
  await complete(physician, id, physician);

  expect(both).toEqual({ active_assignments: 2, due_at: first });
  expect(await storedAssignments()).toEqual({ active_assignments: 1, due_at: second });
  expect((await read(assigner, id)).data.assignments).toHaveLength(2);
});
