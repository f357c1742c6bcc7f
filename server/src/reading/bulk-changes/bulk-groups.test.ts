import { bulkChanges } from '@radwork/contract/reading/bulk-changes';
import { studies } from '@radwork/contract/imaging/studies';
import { studyGroups } from '@radwork/contract/imaging/study-groups';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { addGroup, joinGroup, limitToNewGroup, putInGroups } from '#test/limited-user.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { newStudy, assign, events, notificationsTo, audited, read } = workSteps(world);

/** Creates a group with an unlimited and a limited member, and two unread studies. */
const practice = async () => {
  const assigner = await world.signIn('ADMIN');
  const { tenant } = assigner;
  const [member, limited] = [await world.signIn('RADIOLOGIST', tenant), await world.signIn('RADIOLOGIST', tenant)];
  const groupId = await limitToNewGroup(world, limited);
  await joinGroup(world, member, groupId);
  await world.inTenant(tenant, ({ db }) =>
    db.updateTable('users').set({ sees_own_groups_only: false }).where('id', '=', member.userId).execute(),
  );
  return { assigner, member, limited, groupId, studyIds: [await newStudy(assigner), await newStudy(assigner)] };
};

const statusFor = async (person: Person, id: string) => (await person.send(studies.get, { params: { id } })).status;
const groupsOf = async (person: Person, id: string) =>
  (await person.send(studyGroups.list, { params: { id } })).data.groups.map((group) => group.id);
const mine = async (person: Person) =>
  (await person.send(studies.list, { query: { view: 'MINE' } })).data.content.map(({ id }) => id).toSorted();
const titlesTo = async (person: Person) => (await notificationsTo(person)).map(({ title }) => title);

test('assigns several studies to a group and a user in one act: members see them and are notified once', async () => {
  const { assigner, member, limited, groupId, studyIds } = await practice();
  const reader = await world.signIn('RADIOLOGIST', assigner.tenant);
  const body = { studyIds, userIds: [reader.userId], groupIds: [groupId], notes: 'Night' };

  const { data } = await assigner.send(bulkChanges.assign, { body });

  expect(data.map(({ outcome }) => outcome)).toEqual(['CHANGED', 'CHANGED']);
  expect(await mine(limited)).toEqual(studyIds.toSorted());
  expect(await events(assigner, studyIds[0] ?? '')).toEqual([
    'STUDY_STATUS_CHANGE ASSIGNED by system',
    `STUDY_ASSIGNMENT ACTIVE by ${assigner.username}`,
    `STUDY_ASSIGNMENT ACTIVE by ${assigner.username}`,
  ]);
  expect(
    (await audited(assigner, 'study.assign')).filter(({ detail }) => JSON.stringify(detail).includes(groupId)),
  ).toHaveLength(2);
  for (const person of [member, limited])
    expect(await titlesTo(person)).toEqual(['2 studies were assigned to your group']);
  expect(await titlesTo(reader)).toEqual(['2 studies were assigned to you']);
});

test('a dry run with groups tells what would change and writes nothing', async () => {
  const { assigner, limited, groupId, studyIds } = await practice();
  await assigner.send(bulkChanges.assign, { body: { studyIds: studyIds.slice(0, 1), groupIds: [groupId] } });

  const { data } = await assigner.send(bulkChanges.assign, { body: { studyIds, groupIds: [groupId], isDryRun: true } });

  expect(data).toMatchObject([
    { outcome: 'REFUSED', reason: expect.stringContaining('The study is already assigned to Group') },
    { outcome: 'CHANGED' },
  ]);
  expect(await statusFor(limited, studyIds[1] ?? '')).toBe(404);
  expect(await groupsOf(assigner, studyIds[1] ?? '')).toEqual([]);
});

test('a limited user can be assigned to studies together with the group that gives access to them', async () => {
  const { assigner, limited, groupId, studyIds } = await practice();
  const body = { studyIds, userIds: [limited.userId] };

  const alone = await assigner.send(bulkChanges.assign, { body });
  const together = await assigner.send(bulkChanges.assign, { body: { ...body, groupIds: [groupId] } });

  expect(alone.data.map(({ outcome }) => outcome)).toEqual(['REFUSED', 'REFUSED']);
  expect(together.data.map(({ outcome }) => outcome)).toEqual(['CHANGED', 'CHANGED']);
});

test('undoing an assignment to a group hides the studies again, and keeps a group that a study had before', async () => {
  const { assigner, member, limited, groupId, studyIds } = await practice();
  const [before = '', added = ''] = studyIds;
  await putInGroups(world, assigner.tenant, before, [groupId]);
  await assigner.send(bulkChanges.assign, { body: { studyIds, groupIds: [groupId] } });

  const { data } = await assigner.send(bulkChanges.unassign, { body: { studyIds, groupIds: [groupId], isUndo: true } });

  expect(data.map(({ outcome }) => outcome)).toEqual(['CHANGED', 'CHANGED']);
  expect([await statusFor(limited, before), await statusFor(limited, added)]).toEqual([200, 404]);
  expect([await groupsOf(assigner, before), await groupsOf(assigner, added)]).toEqual([[groupId], []]);
  expect((await read(assigner, added)).data).toMatchObject({ status: 'PENDING' });
  const [entry] = await audited(assigner, 'study.setGroups');
  expect(entry?.detail).toMatchObject({ before: expect.any(String), after: '' });
  expect((await titlesTo(member))[0]).toBe('2 studies are no longer assigned to your group');
  expect((await titlesTo(limited))[0]).toBe('A study is no longer assigned to your group');
});

test('only an undo by the assigner removes the group from a study, unless it would hide assigned work', async () => {
  const { assigner, limited, groupId } = await practice();
  const colleague = await world.signIn('ADMIN', assigner.tenant);
  const [kept, colleagues, assigned] = [await newStudy(assigner), await newStudy(assigner), await newStudy(assigner)];
  const groupIds = [groupId];
  await assigner.send(bulkChanges.assign, { body: { studyIds: [kept, colleagues, assigned], groupIds } });
  await assign(assigner, assigned, [limited]);

  await assigner.send(bulkChanges.unassign, { body: { studyIds: [kept], groupIds } });
  await colleague.send(bulkChanges.unassign, { body: { studyIds: [colleagues], groupIds, isUndo: true } });
  await assigner.send(bulkChanges.unassign, { body: { studyIds: [assigned], groupIds, isUndo: true } });

  for (const id of [kept, colleagues, assigned]) expect(await statusFor(limited, id)).toBe(200);
  expect((await read(assigner, assigned)).data.status).toBe('ASSIGNED');
});

test('refuses an unknown group, and a change without users and groups', async () => {
  const { assigner, studyIds } = await practice();
  const foreign = await addGroup(world, (await world.signIn('ADMIN')).tenant);

  for (const groupIds of [[newId()], [foreign]]) {
    const reply = await assigner.send(bulkChanges.assign, { body: { studyIds, groupIds } });
    expect(reply).toMatchObject({ code: 422, message: 'Choose groups of this organization' });
  }
  for (const call of ['assign', 'unassign'] as const) {
    const reply = await assigner.send(bulkChanges[call], { body: { studyIds } });
    expect(reply).toMatchObject({ code: 422, message: 'Please select at least one user' });
  }
});
