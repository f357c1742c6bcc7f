import { type GroupForm, groups } from '@radwork/contract/identity/groups';
import { studies } from '@radwork/contract/imaging/studies';
import { users } from '@radwork/contract/identity/users';
import { workflow } from '@radwork/contract/reading/workflow';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const form = (changes: Partial<GroupForm> = {}) => ({
  name: `Group ${newId()}`,
  kind: 'SITE' as const,
  isLimiting: false,
  arrivalNames: [],
  memberIds: [] as string[],
  ...changes,
});

const create = async (admin: Person, changes: Partial<GroupForm> = {}) =>
  (await admin.send(groups.create, { body: form(changes) })).data;

const update = async (admin: Person, id: string, changes: Partial<GroupForm> = {}) => {
  const { data } = await admin.send(groups.get, { params: { id } });
  const { revision, members, name, kind, isLimiting, arrivalNames } = data;
  const memberIds = members.map((member) => member.id);
  return admin.send(groups.update, {
    params: { id },
    body: { name, kind, isLimiting, arrivalNames, memberIds, revision, ...changes },
  });
};

const setLimit = (admin: Person, { userId }: Person, isLimited: boolean) =>
  admin.send(groups.setLimit, { params: { id: userId }, body: { isLimited } });

const userOf = async (admin: Person, { userId }: Person) =>
  (await admin.send(users.get, { params: { id: userId } })).data;

/** Adds a study with these groups, and returns a function that reads it as a user. */
const studyIn = async (admin: Person, group_ids: string[]) => {
  const { id } = await world.inTenant(admin.tenant, (scope) => addStudy(scope, { group_ids }));
  return async (person: Person) => (await person.send(studies.get, { params: { id } })).status;
};

/** Adds a study with these groups and assigns it. */
const assignNew = async (admin: Person, { userId }: Person, group_ids: string[]) => {
  const { id } = await world.inTenant(admin.tenant, (scope) => addStudy(scope, { group_ids }));
  await admin.send(workflow.assign, { params: { id }, body: { userIds: [userId] } });
  return id;
};

const workOn = async (admin: Person, id: string) => {
  const { data } = await admin.send(workflow.read, { params: { id } });
  const active = data.assignments.filter(({ status }) => status === 'ACTIVE').map(({ user }) => user.id);
  return { status: data.status, active };
};

const auditOf = (admin: Person, entityId: string) =>
  world.inTenant(admin.tenant, ({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['action', 'detail'])
      .where('entity_id', '=', entityId)
      .orderBy('id')
      .execute(),
  );

test('a member of a limiting group sees the studies of own groups from the next call on, and no others', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const ofNone = await studyIn(admin, []);
  const group = await create(admin, { isLimiting: true });
  const ofGroup = await studyIn(admin, [group.id]);
  const before = await ofNone(reader);

  await update(admin, group.id, { memberIds: [reader.userId] });

  expect([before, await ofNone(reader), await ofGroup(reader), await ofNone(admin)]).toEqual([200, 404, 200, 200]);
  expect(await userOf(admin, reader)).toMatchObject({ isLimited: true, groups: [{ id: group.id, name: group.name }] });
});

test('a limited user also sees studies of own groups that do not limit', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const open = await create(admin, { memberIds: [reader.userId] });
  const seesOpen = await studyIn(admin, [open.id]);
  await create(admin, { isLimiting: true, memberIds: [reader.userId] });

  expect(await seesOpen(reader)).toBe(200);
});

test('leaving or deleting a limiting group does not lift the limit', async () => {
  const admin = await world.signIn('ADMIN');
  const [left, deleted] = [
    await world.signIn('RADIOLOGIST', admin.tenant),
    await world.signIn('RADIOLOGIST', admin.tenant),
  ];
  const ofNone = await studyIn(admin, []);
  const one = await create(admin, { isLimiting: true, memberIds: [left.userId] });
  const other = await create(admin, { isLimiting: true, memberIds: [deleted.userId] });
  const ofOther = await studyIn(admin, [other.id]);

  await update(admin, one.id, { memberIds: [] });
  await admin.send(groups.remove, { params: { id: other.id } });

  expect([await ofNone(left), await ofNone(deleted), await ofOther(deleted), await ofOther(admin)]).toEqual([
    404, 404, 404, 200,
  ]);
});

test('making a group limiting limits its members', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const group = await create(admin, { memberIds: [reader.userId] });
  const ofNone = await studyIn(admin, []);
  const before = await ofNone(reader);

  await update(admin, group.id, { isLimiting: true });

  expect([before, await ofNone(reader)]).toEqual([200, 404]);
});

test('an administrator lifts a limit only after the user has left all limiting groups', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const group = await create(admin, { isLimiting: true, memberIds: [reader.userId] });
  const ofNone = await studyIn(admin, []);

  const tooEarly = await setLimit(admin, reader, false);
  await update(admin, group.id, { memberIds: [] });
  const lifted = await setLimit(admin, reader, false);

  expect(tooEarly).toMatchObject({ status: 409, message: `Remove the user from the group ${group.name} first` });
  expect(lifted.status).toBe(200);
  expect(await ofNone(reader)).toBe(200);
  expect((await auditOf(admin, reader.userId)).at(-1)).toEqual({ action: 'user.limit', detail: { isLimited: false } });
});

test('an administrator is never limited, and a limited user manages no users', async () => {
  const admin = await world.signIn('ADMIN');
  const other = await world.signIn('ADMIN', admin.tenant);
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const ofNone = await studyIn(admin, []);
  await create(admin, { isLimiting: true, memberIds: [other.userId, reader.userId] });
  await world.inTenant(admin.tenant, ({ db }) =>
    db
      .updateTable('roles')
      .set({ permissions: ['study.view', 'user.manage'] })
      .where('built_in_for', '=', 'RADIOLOGIST')
      .execute(),
  );
  world.context.sessions.forget();

  expect(await ofNone(other)).toBe(200);
  expect(await setLimit(admin, other, true)).toMatchObject({ status: 409, error: 'user.not_limited' });
  expect(await setLimit(reader, reader, false)).toMatchObject({ status: 403 });
  expect(await reader.send(groups.create, { body: form() })).toMatchObject({ status: 403 });
});

test('refuses the second of two changes, a duplicate name, and members of other organizations', async () => {
  const admin = await world.signIn('ADMIN');
  const stranger = await world.signIn('RADIOLOGIST');
  const group = await create(admin);

  const second = await update(admin, group.id, { name: 'Second' });
  const outdated = await update(admin, group.id, { revision: 1 } as object);
  const taken = await admin.send(groups.create, { body: form({ name: 'SECOND' }) });
  const foreign = await admin.send(groups.create, { body: form({ memberIds: [stranger.userId] }) });

  expect(second.status).toBe(200);
  expect(outdated).toMatchObject({ status: 409, error: 'group.changed' });
  expect(taken).toMatchObject({ status: 409, errors: [{ field: 'name' }] });
  expect(foreign).toMatchObject({ status: 422, errors: [{ field: 'memberIds' }] });
});

test('audits changes of a group with the members who joined and left', async () => {
  const admin = await world.signIn('ADMIN');
  const [one, other] = [
    await world.signIn('RADIOLOGIST', admin.tenant),
    await world.signIn('RADIOLOGIST', admin.tenant),
  ];
  const group = await create(admin, { memberIds: [one.userId] });
  await update(admin, group.id, { memberIds: [other.userId] });
  await admin.send(groups.remove, { params: { id: group.id } });

  expect(await auditOf(admin, group.id)).toMatchObject([
    { action: 'group.create', detail: { name: group.name, added: one.username } },
    { action: 'group.update', detail: { added: other.username, removed: one.username } },
    { action: 'group.delete', detail: { name: group.name, removed: other.username } },
  ]);
});

test('the list shows every user of the organization the groups, and which are their own', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  await world.signIn('ADMIN').then((stranger) => create(stranger));
  const own = await create(admin, { name: 'A', memberIds: [reader.userId] });
  const other = await create(admin, { name: 'B' });

  const { data } = await reader.send(groups.list);

  expect(data).toMatchObject([
    { id: own.id, isOwn: true, memberCount: 1 },
    { id: other.id, isOwn: false, memberCount: 0 },
  ]);
});

test.each<[string, (admin: Person, groupId: string, reader: Person) => Promise<unknown>]>([
  ['leaves the group of an assigned study', (admin, groupId) => update(admin, groupId, { memberIds: [] })],
  ['loses the group of an assigned study', (admin, groupId) => admin.send(groups.remove, { params: { id: groupId } })],
])('a limited user who %s is no longer assigned to it', async (_, act) => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const lost = await create(admin, { isLimiting: true, memberIds: [reader.userId] });
  const kept = await create(admin, { memberIds: [reader.userId] });
  const [hidden, seen] = [
    await assignNew(admin, reader, [lost.id]),
    await assignNew(admin, reader, [lost.id, kept.id]),
  ];

  await act(admin, lost.id, reader);

  expect(await workOn(admin, hidden)).toEqual({ status: 'PENDING', active: [] });
  expect(await workOn(admin, seen)).toEqual({ status: 'ASSIGNED', active: [reader.userId] });
});

test('a user who becomes limited is no longer assigned to studies of other groups', async () => {
  const admin = await world.signIn('ADMIN');
  const [one, other] = [
    await world.signIn('RADIOLOGIST', admin.tenant),
    await world.signIn('RADIOLOGIST', admin.tenant),
  ];
  const [first, second] = [await assignNew(admin, one, []), await assignNew(admin, other, [])];

  await setLimit(admin, one, true);
  await create(admin, { isLimiting: true, memberIds: [other.userId] });

  expect([await workOn(admin, first), await workOn(admin, second)]).toEqual([
    { status: 'PENDING', active: [] },
    { status: 'PENDING', active: [] },
  ]);
});
