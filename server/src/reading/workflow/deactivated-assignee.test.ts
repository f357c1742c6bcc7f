import { studies } from '@radwork/contract/imaging/studies';
import { users } from '@radwork/contract/identity/users';
import { reports } from '@radwork/contract/reading/reports';
import { workflow } from '@radwork/contract/reading/workflow';
import { expect, test } from 'vitest';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { newStudy, read, changeStatus, assign, events, notificationsTo } = workSteps(world);

const practice = async () => {
  const admin = await world.signIn('ADMIN');
  const assigner = await world.signIn('ADMIN', admin.tenant);
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const other = await world.signIn('RADIOLOGIST', admin.tenant);
  return { admin, lead: assigner, reader, other, id: await newStudy(admin, 'PENDING', { description: 'Chest' }) };
};

const setActive = (by: Person, { userId }: Person, active: boolean) =>
  by.send(users.setStatus, { params: { id: userId }, body: { active } });

const unassigned = async (by: Person) =>
  (await by.send(studies.search, { query: { view: 'UNASSIGNED' } })).data.content.map(({ id }) => id);

const active = async (by: Person, id: string) =>
  (await read(by, id)).data.assignments
    .filter(({ status }) => status === 'ACTIVE' || status === 'OVERDUE')
    .map(({ user }) => user.id);

test('deactivating a user returns their studies for assignment and notifies the assigner', async () => {
  const { admin, lead: assigner, reader, other, id } = await practice();
  const shared = await newStudy(admin, 'PENDING');
  await assign(assigner, id, [reader]);
  await assign(assigner, shared, [reader, other]);

  await setActive(admin, reader, false);

  expect(await unassigned(admin)).toEqual([id]);
  expect((await read(admin, id)).data.status).toBe('PENDING');
  expect((await events(admin, id)).slice(0, 2)).toEqual([
    'STUDY_STATUS_CHANGE PENDING by system',
    'STUDY_ASSIGNMENT CANCELLED by system',
  ]);
  expect(await active(admin, shared)).toEqual([other.userId]);
  expect((await read(admin, shared)).data.status).toBe('ASSIGNED');
  expect(await notificationsTo(assigner)).toEqual([
    {
      type: 'ASSIGNMENT',
      title: `Dr ${reader.username} is no longer an active reader`,
      message: '2 studies that you assigned to this user are no longer assigned',
      link: '/studies?view=UNASSIGNED',
    },
  ]);
});

test('when the reader of a study is deactivated, another reader may write the report and is offered the study', async () => {
  const { admin, lead, reader, other, id } = await practice();
  await assign(lead, id, [reader]);
  const canCreate = async () => (await other.send(reports.ofStudy, { params: { id } })).data.canCreate;
  expect(await canCreate()).toBe(false);

  await setActive(admin, reader, false);

  expect(await canCreate()).toBe(true);
});

test('a study in progress whose reader is deactivated becomes unassigned', async () => {
  const { admin, reader } = await practice();
  const id = await newStudy(admin, 'IN_PROGRESS');
  await assign(admin, id, [reader]);

  await setActive(admin, reader, false);

  expect((await read(admin, id)).data.status).toBe('IN_PROGRESS');
  expect(await unassigned(admin)).toContain(id);
});

test("changing a user to a type without assignments ends the user's assignments", async () => {
  const { admin, reader, id } = await practice();
  const operator = await world.signIn('SUPER_ADMIN', admin.tenant);
  await assign(admin, id, [reader]);
  const { data: user } = await operator.send(users.get, { params: { id: reader.userId } });
  const { username, name, email, specialization, department, revision } = user;
  const form = { username, name, email, specialization, department, revision, userType: 'ADMIN' };

  await operator.send(users.update, { params: { id: reader.userId }, body: form });

  expect(await active(admin, id)).toEqual([]);
});

test('a reinstated study is not assigned again to a deactivated user', async () => {
  const { admin, reader, id } = await practice();
  const operator = await world.signIn('SUPER_ADMIN', admin.tenant);
  await assign(admin, id, [reader]);
  await changeStatus(admin, id, 'CANCELLED');
  await setActive(admin, reader, false);

  const { data } = await operator.send(workflow.reinstate, { params: { id }, body: { reason: 'Mistake' } });

  expect(data.status).toBe('PENDING');
  expect(await active(admin, id)).toEqual([]);
});

test('after a simultaneous assignment and deactivation the user has no active assignment', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { admin, lead: assigner, reader, id } = await practice();

    await Promise.all([assign(assigner, id, [reader]), setActive(admin, reader, false)]);

    expect(await active(admin, id)).toEqual([]);
  }
});
