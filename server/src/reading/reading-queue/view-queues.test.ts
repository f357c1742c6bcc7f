import { readingQueue } from '@radwork/contract/reading/reading-queue';
import { savedViews } from '@radwork/contract/imaging/saved-views';
import { groups } from '@radwork/contract/identity/groups';
import { expect, test } from 'vitest';
import { addGroup, joinGroup, limitToNewGroup, putInGroups } from '#test/limited-user.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { newStudy, assign, audited } = workSteps(world);

const saveView = async (person: Person, search: object, more: object = {}): Promise<string> =>
  (await person.send(savedViews.create, { body: { name: 'Queue', search, ...more } })).data.id;
const next = async (person: Person, body: object) => (await person.send(readingQueue.next, { body })).data;
const listed = async (person: Person, body: object) => {
  const { data } = await person.send(readingQueue.list, { body });
  return { ...data, studies: data.studies.map(({ id }) => id) };
};
const defer = (person: Person, id: string) =>
  person.send(readingQueue.defer, {
    params: { id },
    body: { until: new Date(Date.now() + 3_600_000).toISOString(), reason: 'Priors are missing' },
  });

const ofCt = { seriesModalities: ['CT'] };

test('the queue of a saved view has its unread studies in the order of the queue, whatever the order of the view', async () => {
  const reader = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', reader.tenant);
  const routine = await newStudy(reader, 'PENDING', { ...ofCt, created_at: '2026-11-01T08:00:00Z' });
  const stat = await newStudy(reader, 'PENDING', { ...ofCt, priority: 'STAT', created_at: '2026-11-02T08:00:00Z' });
  const later = await newStudy(reader, 'PENDING', { ...ofCt, created_at: '2026-11-03T08:00:00Z' });
  await newStudy(reader, 'COMPLETED', ofCt);
  await newStudy(reader, 'PENDING', { seriesModalities: ['MR'], priority: 'STAT' });
  await assign(reader, await newStudy(reader, 'PENDING', ofCt), [colleague]);
  const queue = `VIEW:${await saveView(reader, { where: 'modality.is:CT', sort: 'studyDate,asc' })}`;

  expect(await listed(reader, { queue })).toEqual({ queue, studies: [stat, routine, later], waiting: 3 });

  const first = await next(reader, { queue });
  const second = await next(reader, { queue, leave: stat, skipped: [stat] });
  await defer(reader, routine);
  const third = await next(reader, { queue, leave: routine, skipped: [stat] });
  expect([first, second, third]).toMatchObject([
    { queue, study: { id: stat }, waiting: 2 },
    { queue, study: { id: routine }, waiting: 1 },
    { queue, study: { id: later }, waiting: 0, deferred: 1 },
  ]);
  expect((await audited(reader, 'study.claimReading'))[0]?.detail).toMatchObject({ queue });
});

test('a view that asks for overdue or finished studies offers only those that are unread', async () => {
  const reader = await world.signIn();
  const due_at = '2026-11-01T08:00:00Z';
  const overdue = await newStudy(reader, 'PENDING', { due_at });
  await newStudy(reader, 'IN_PROGRESS', { due_at });
  await newStudy(reader, 'COMPLETED');
  const ofOverdue = `VIEW:${await saveView(reader, { stage: 'OVERDUE' })}`;
  const ofCompleted = `VIEW:${await saveView(reader, { status: 'COMPLETED' })}`;

  expect((await listed(reader, { queue: ofOverdue })).studies).toEqual([overdue]);
  expect(await listed(reader, { queue: ofCompleted })).toEqual({ queue: ofCompleted, studies: [], waiting: 0 });
});

test('a view of the organization offers a limited reader only studies of own groups', async () => {
  const admin = await world.signIn('ADMIN');
  const limited = await world.signIn('RADIOLOGIST', admin.tenant);
  const groupId = await limitToNewGroup(world, limited);
  const own = await newStudy(admin);
  await newStudy(admin, 'PENDING', { priority: 'STAT' });
  await putInGroups(world, admin.tenant, own, [groupId]);
  const queue = `VIEW:${await saveView(admin, { view: 'ALL' }, { owner: 'ORGANIZATION' })}`;

  expect(await listed(limited, { queue })).toEqual({ queue, studies: [own], waiting: 1 });
  expect(await next(limited, { queue })).toMatchObject({ study: { id: own }, waiting: 0 });
});

test('a view of a group is a queue for its members, until they leave the group', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const id = await newStudy(admin);
  const groupId = await addGroup(world, admin.tenant);
  await joinGroup(world, reader, groupId);
  const queue = `VIEW:${await saveView(admin, {}, { owner: 'GROUP', groupId })}`;
  const asMember = await listed(reader, { queue });

  await world.inTenant(admin.tenant, ({ db }) =>
    db.deleteFrom('group_members').where('user_id', '=', reader.userId).execute(),
  );

  expect(asMember).toEqual({ queue, studies: [id], waiting: 1 });
  expect((await listed(reader, { queue })).queue).toBe('MINE_THEN_UNASSIGNED');
});

test.each(['next', 'list', 'ahead'] as const)(
  '%s offers the default queue when the view was deleted or belongs to another user, or the group was deleted',
  async (call) => {
    const admin = await world.signIn('ADMIN');
    const reader = await world.signIn('RADIOLOGIST', admin.tenant);
    const id = await newStudy(admin);
    const foreign = await saveView(admin, {});
    const deleted = await saveView(reader, {});
    const groupId = await addGroup(world, admin.tenant);
    await reader.send(savedViews.remove, { params: { id: deleted } });
    await admin.send(groups.remove, { params: { id: groupId } });

    for (const queue of [`VIEW:${foreign}`, `VIEW:${deleted}`, `GROUP:${groupId}`]) {
      const { data } = await reader.send(readingQueue[call], { body: { queue } });
      expect(data.queue).toBe('MINE_THEN_UNASSIGNED');
      expect(JSON.stringify(data)).toContain(id);
    }
  },
);
