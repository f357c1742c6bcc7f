import { groups } from '@radwork/contract/identity/groups';
import { type SavedView, savedViews } from '@radwork/contract/imaging/saved-views';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { addGroup, joinGroup } from '#test/limited-user.ts';
import { addStudy } from '#test/stored-study.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { audited } = workSteps(world);

const practice = async () => {
  const admin = await world.signIn('ADMIN');
  const member = await world.signIn('RADIOLOGIST', admin.tenant);
  const colleague = await world.signIn('RADIOLOGIST', admin.tenant);
  const groupId = await addGroup(world, admin.tenant);
  await joinGroup(world, member, groupId);
  return { admin, member, colleague, groupId };
};

const save = (person: Person, groupId: string, more: object = {}) =>
  person.send(savedViews.create, { body: { name: 'Night', search: {}, owner: 'GROUP', groupId, ...more } });
const seenBy = async (person: Person): Promise<SavedView[]> => (await person.send(savedViews.list)).data;
const countedBy = async (person: Person) => (await person.send(savedViews.counts)).data;

test('members of a group use its views with counts, and users who manage the configuration change them', async () => {
  const { admin, member, colleague, groupId } = await practice();
  await world.inTenant(admin.tenant, (scope) => addStudy(scope, { status: 'PENDING' }));

  const { data: view } = await save(admin, groupId);
  const params = { id: view.id };
  const chosen = await member.send(savedViews.setDefault, { params, body: { isDefault: true } });
  const changed = await admin.send(savedViews.update, { params, body: { name: 'Day', search: {}, revision: 1 } });

  expect(view).toMatchObject({ owner: 'GROUP', group: { id: groupId, isOwn: false } });
  expect(chosen.data).toMatchObject([{ id: view.id, group: { isOwn: true }, isDefault: true }]);
  expect(await countedBy(member)).toEqual([{ id: view.id, total: 1, isMore: false }]);
  expect(changed.data).toMatchObject({ name: 'Day', revision: 2 });
  expect(await seenBy(colleague)).toEqual([]);
  expect(await countedBy(colleague)).toEqual([]);
  expect(await countedBy(admin)).toEqual([]);
  expect(await audited(admin, 'saved_view.create')).toMatchObject([{ detail: { owner: 'GROUP', group: groupId } }]);
});

test('members without the right and other users change no view of a group', async () => {
  const { admin, member, colleague, groupId } = await practice();
  const { data: view } = await save(admin, groupId);
  const params = { id: view.id };
  const changesBy = async ({ send }: Person) =>
    (
      await Promise.all([
        send(savedViews.update, { params, body: { name: 'Mine', search: {}, revision: 1 } }),
        send(savedViews.move, { params, body: { at: 0 } }),
        send(savedViews.remove, { params }),
      ])
    ).map(({ code }) => code);

  expect(await changesBy(member)).toEqual([403, 403, 403]);
  expect(await changesBy(colleague)).toEqual([404, 404, 404]);
  expect((await save(member, groupId)).code).toBe(403);
  const byAdmin = await admin.send(savedViews.setDefault, { params, body: { isDefault: true } });
  expect(byAdmin.code).toBe(404);
  expect((await save(admin, groupId, { isDefault: true })).code).toBe(422);
});

test('a user who leaves a group loses its views, and the list no longer opens with one', async () => {
  const { admin, member, groupId } = await practice();
  const { data: view } = await save(admin, groupId);
  await member.send(savedViews.setDefault, { params: { id: view.id }, body: { isDefault: true } });

  await world.inTenant(admin.tenant, ({ db }) =>
    db.deleteFrom('group_members').where('user_id', '=', member.userId).execute(),
  );

  expect(await seenBy(member)).toEqual([]);
  expect(await countedBy(member)).toEqual([]);
});

test('deleting a group names its views in advance, deletes them and audits each', async () => {
  const { admin, member, groupId } = await practice();
  const { data: view } = await save(admin, groupId, { isDefault: false });
  const { data: own } = await member.send(savedViews.create, { body: { name: 'Mine', search: {} } });
  const before = (await admin.send(groups.list)).data.find(({ id }) => id === groupId);

  const { code } = await admin.send(groups.remove, { params: { id: groupId } });

  expect([before?.viewCount, code]).toEqual([1, 200]);
  expect((await seenBy(member)).map(({ id }) => id)).toEqual([own.id]);
  expect(await seenBy(admin)).toEqual([]);
  expect(await audited(admin, 'saved_view.delete')).toMatchObject([
    { detail: { owner: 'GROUP', group: groupId, name: view.name } },
  ]);
});

test('refuses a view of an unknown group, of no group, and more views than a group can have', async () => {
  const { admin, groupId } = await practice();
  const foreign = await addGroup(world, (await world.signIn('ADMIN')).tenant);

  for (const unknown of [newId(), foreign]) expect((await save(admin, unknown)).code).toBe(422);
  expect((await save(admin, groupId, { groupId: undefined })).message).toBe('Choose a group');
  expect((await save(admin, groupId, { owner: 'USER' })).message).toBe('Choose a group');
  for (let number = 0; number < 10; number += 1) await save(admin, groupId);
  expect(await save(admin, groupId)).toMatchObject({
    code: 409,
    message: 'There are already 10 saved views. Delete one first.',
  });
});
