import { studies } from '@radwork/contract/imaging/studies';
import { readingQueue } from '@radwork/contract/reading/reading-queue';
import { workflow } from '@radwork/contract/reading/workflow';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { addGroup, joinGroup, limitToNewGroup } from '#test/limited-user.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { notifyOverdue } from './notify-overdue.ts';

const world = await createWorld();
const { newStudy, changeStatus, assign, events, notificationsTo, audited, read } = workSteps(world);

/** Creates a group with a member, and a colleague who is no member. */
const practice = async () => {
  const assigner = await world.signIn('ADMIN');
  const { tenant } = assigner;
  const [member, colleague] = [await world.signIn('RADIOLOGIST', tenant), await world.signIn('RADIOLOGIST', tenant)];
  const groupId = await addGroup(world, tenant);
  await joinGroup(world, member, groupId);
  return { assigner, member, colleague, groupId, id: await newStudy(assigner) };
};

const toGroup = (person: Person, id: string, groupId: string, more: object = {}) =>
  person.send(workflow.assign, { params: { id }, body: { userIds: [], groupIds: [groupId], ...more } });

const fromGroup = (person: Person, id: string, groupId: string) =>
  person.send(workflow.removeGroupAssignment, { params: { id, groupId } });

const mine = async (person: Person) =>
  (await person.send(studies.list, { query: { view: 'MINE' } })).data.content.map(({ id }) => id);

const nextOf = async (person: Person, queue: string) =>
  (await person.send(readingQueue.next, { body: { queue } })).data.study?.id;

const statusOf = async (person: Person, id: string) => (await read(person, id)).data.status;

test('a study that is assigned to a group is ASSIGNED, and its members are notified and find it among their studies', async () => {
  const { assigner, member, colleague, groupId, id } = await practice();

  const { status, data } = await toGroup(assigner, id, groupId);

  expect(status).toBe(200);
  expect(data).toMatchObject({ status: 'ASSIGNED', assignments: [], groupAssignments: [{ group: { id: groupId } }] });
  expect([await mine(member), await mine(colleague)]).toEqual([[id], []]);
  expect((await notificationsTo(member))[0]?.title).toBe('A study was assigned to your group');
  expect(await notificationsTo(colleague)).toEqual([]);
  expect(await events(assigner, id)).toContain(`STUDY_ASSIGNMENT ACTIVE by ${assigner.username}`);
  expect(await audited(assigner, 'study.assign')).toMatchObject([{ detail: { group: groupId } }]);
});

test('the reading queue offers members the studies of their group, and the queue of a group those that wait for it', async () => {
  const { assigner, member, colleague, groupId, id } = await practice();
  const belonging = await newStudy(assigner, 'PENDING', { group_ids: [groupId] });
  const other = await newStudy(assigner);
  await assign(assigner, other, [member]);
  await toGroup(assigner, id, groupId);
  const ahead = async (person: Person, queue: string) =>
    (await person.send(readingQueue.ahead, { body: { queue } })).data.studies.map((study) => study.id).toSorted();

  expect(await ahead(member, 'MINE')).toEqual([id, other].toSorted());
  expect(await ahead(colleague, 'MINE')).toEqual([]);
  expect(await ahead(colleague, `GROUP:${groupId}`)).toEqual([id, belonging].toSorted());
  expect((await colleague.send(readingQueue.ahead, { body: { queue: 'ALL' } })).data.waiting).toBe(2);
  expect([id, belonging]).toContain(await nextOf(member, `GROUP:${groupId}`));
  expect(await colleague.send(readingQueue.ahead, { body: { queue: 'GROUP:x' } })).toMatchObject({ status: 422 });
});

test('removing the last assignment of a group returns the study to PENDING and keeps the group', async () => {
  const { assigner, member, groupId, id } = await practice();
  await toGroup(assigner, id, groupId);

  const removed = await fromGroup(assigner, id, groupId);

  expect(removed).toMatchObject({ status: 200, data: { status: 'PENDING' } });
  expect(removed.data.groupAssignments.map(({ status }) => status)).toEqual(['CANCELLED']);
  expect(await mine(member)).toEqual([]);
  expect((await notificationsTo(member))[0]?.title).toBe('A study is no longer assigned to your group');
  expect(await fromGroup(assigner, id, groupId)).toMatchObject({ status: 404 });
});

test('a study that is also assigned to a user stays ASSIGNED after the assignment of a group was removed', async () => {
  const { assigner, colleague, groupId, id } = await practice();
  await toGroup(assigner, id, groupId);
  await assign(assigner, id, [colleague]);

  await fromGroup(assigner, id, groupId);

  expect(await statusOf(assigner, id)).toBe('ASSIGNED');
});

test('the assignment of a group ends when the study is canceled, and returns when it is reinstated', async () => {
  const { assigner, member, groupId, id } = await practice();
  const chief = await world.signIn('SUPER_ADMIN', assigner.tenant);
  await toGroup(assigner, id, groupId);

  await changeStatus(assigner, id, 'CANCELLED');
  const ended = (await read(assigner, id)).data.groupAssignments.map(({ status }) => status);
  await chief.send(workflow.reinstate, { params: { id }, body: { reason: 'Mistake' } });

  expect(ended).toEqual(['CANCELLED']);
  expect([await statusOf(assigner, id), await mine(member)]).toEqual(['ASSIGNED', [id]]);
});

test('refuses a group that is assigned already, an unknown group, and an assignment without users and groups', async () => {
  const { assigner, groupId, id } = await practice();
  await toGroup(assigner, id, groupId);

  expect(await toGroup(assigner, id, groupId)).toMatchObject({ status: 409, error: 'assignment.exists' });
  expect(await toGroup(assigner, id, newId())).toMatchObject({ status: 422, errors: [{ field: 'groupIds' }] });
  expect(await assign(assigner, id, [])).toMatchObject({
    status: 422,
    message: 'Please select at least one user',
  });
});

test('an assignment shows the study to limited members, and a user who does not see the study cannot be assigned', async () => {
  const { assigner, id } = await practice();
  const limited = await world.signIn('RADIOLOGIST', assigner.tenant);
  const groupId = await limitToNewGroup(world, limited);
  const offered = async () =>
    (await assigner.send(workflow.assignable, { query: { studyId: id } })).data.map(({ username }) => username);

  expect(await offered()).not.toContain(limited.username);
  expect(await assign(assigner, id, [limited])).toMatchObject({ status: 422, errors: [{ field: 'userIds' }] });
  await toGroup(assigner, id, groupId);

  expect(await mine(limited)).toEqual([id]);
  expect(await offered()).toContain(limited.username);
  expect(await assign(assigner, id, [limited])).toMatchObject({ status: 200 });
});

test('members are notified once when the assignment of their group is overdue', async () => {
  const { assigner, member, groupId, id } = await practice();
  await toGroup(assigner, id, groupId, { dueDate: new Date(Date.now() + 3_600_000).toISOString() });
  await world.inTenant(assigner.tenant, ({ db }) =>
    db
      .updateTable('group_assignments')
      .set({ due_at: new Date(Date.now() - 3_600_000).toISOString() })
      .where('study_id', '=', id)
      .execute(),
  );
  const fail = (error: unknown) => {
    throw error;
  };

  await notifyOverdue(world.context.scopes, fail);
  await notifyOverdue(world.context.scopes, fail);

  const titles = (await notificationsTo(member)).map(({ title }) => title);
  expect(titles).toEqual(['A study of your group is overdue', 'A study was assigned to your group']);
});
