import { defaultPermissions, type Permission, permissions } from '@radwork/contract/core/access';
import { reports } from '@radwork/contract/reading/reports';
import { type Role, roles } from '@radwork/contract/identity/roles';
import { studies } from '@radwork/contract/imaging/studies';
import { ownRights } from '@radwork/contract/identity/user-rights';
import { users } from '@radwork/contract/identity/users';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { orNotFound } from '#core/http/problem.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const make = (by: Person, granted: readonly Permission[], name = `Role ${newId()}`) =>
  by.send(roles.create, { body: { name, permissions: granted } });
const createRole = async (by: Person, granted: readonly Permission[]): Promise<Role> => (await make(by, granted)).data;
const update = (by: Person, { id, name, revision }: Role, granted: readonly Permission[]) =>
  by.send(roles.update, { params: { id }, body: { name, permissions: granted, revision } });
const read = async (by: Person, id: string) => (await by.send(roles.get, { params: { id } })).data;
const give = (by: Person, person: Person, ...ids: string[]) =>
  by.send(users.setRoles, { params: { id: person.userId }, body: { roles: ids } });
const builtIn = async (by: Person, name: string) =>
  orNotFound(
    (await by.send(roles.list)).data.find((role) => role.name === name),
    'role',
  );
/** Signs a user in again after a changed role has ended the sessions. */
const again = async (person: Person) => {
  const token = await world.inTenant(person.tenant, ({ db }) =>
    world.context.sessions.begin(db, person.userId, { address: '127.0.0.1', userAgent: 'test' }),
  );
  const headers = { authorization: `Bearer ${token}` };
  return { send: ((endpoint, sent) => world.send(endpoint, { ...sent, headers })) as Person['send'] };
};

/** Creates an administrator who may also manage roles. */
const delegate = async (boss: Person) => {
  const person = await world.signIn('ADMIN', boss.tenant);
  const role = await createRole(boss, ['role.manage']);
  await give(boss, person, role.id, (await builtIn(boss, 'Administrator')).id);
  return { ...person, ...(await again(person)), role };
};

test('lists built-in roles first, by type, with permissions and number of holders', async () => {
  const boss = await world.signIn('SUPER_ADMIN');
  await world.signIn('RADIOLOGIST', boss.tenant);
  await createRole(boss, ['study.view']);

  const { data } = await boss.send(roles.list);

  expect(data.slice(0, 5).map(({ builtInFor }) => builtInFor)).toEqual([
    'SUPER_ADMIN',
    'ADMIN',
    'RADIOLOGIST',
    'REFERRING_PHYSICIAN',
    'PATIENT',
  ]);
  expect(data[2]).toMatchObject({ holders: 1, isOwn: false, permissions: [...defaultPermissions.RADIOLOGIST] });
  expect(data[0]).toMatchObject({ holders: 1, isOwn: true });
  expect(data[5]).toMatchObject({ builtInFor: null, holders: 0 });
});

test('describes every permission once, grouped by area', async () => {
  const { data } = await (await world.signIn('SUPER_ADMIN')).send(roles.permissions);

  const listedPermissions = data.flatMap((area) => area.permissions);
  expect(listedPermissions.map(({ name }) => name).toSorted()).toEqual([...permissions].toSorted());
  expect(new Set(listedPermissions.map(({ lets }) => lets)).size).toBe(permissions.length);
});

test('a built-in role can be cloned, but neither changed nor deleted', async () => {
  const boss = await world.signIn('SUPER_ADMIN');
  const radiologist = await builtIn(boss, 'Radiologist');
  const params = { id: radiologist.id };

  const changed = await update(boss, radiologist, ['study.view']);
  const removed = await boss.send(roles.remove, { params });
  const clone = await boss.send(roles.clone, { params, body: { name: 'Resident' } });

  expect([changed.error, removed.error]).toEqual(['role.built_in', 'role.built_in']);
  expect(clone.data).toMatchObject({ name: 'Resident', builtInFor: null, permissions: radiologist.permissions });
  expect(await read(boss, radiologist.id)).toEqual(radiologist);
});

test('a changed role applies from the next call of its holders', async () => {
  const boss = await world.signIn('SUPER_ADMIN');
  const person = await world.signIn('RADIOLOGIST', boss.tenant);
  const role = await createRole(boss, ['study.view', 'report.view']);
  await give(boss, person, role.id);
  const holder = await again(person);
  const before = [await holder.send(studies.list), await holder.send(reports.list)];

  const changed = await update(boss, { ...role, ...(await read(boss, role.id)) }, ['study.view']);
  const after = [await holder.send(studies.list), await holder.send(reports.list)];

  expect(changed.data).toMatchObject({ permissions: ['study.view'], holders: 1 });
  expect(before.map(({ status }) => status)).toEqual([200, 200]);
  expect(after.map(({ status }) => status)).toEqual([200, 403]);
});

test('refuses to delete a role in use and names the number of its holders', async () => {
  const boss = await world.signIn('SUPER_ADMIN');
  const [one, two] = [await world.signIn('RADIOLOGIST', boss.tenant), await world.signIn('RADIOLOGIST', boss.tenant)];
  const [role, free] = [await createRole(boss, ['study.view']), await createRole(boss, ['study.view'])];
  await give(boss, one, role.id);
  await give(boss, two, role.id);

  const refused = await boss.send(roles.remove, { params: { id: role.id } });
  const gone = await boss.send(roles.remove, { params: { id: free.id } });

  expect(refused).toMatchObject({
    status: 409,
    message: '2 users have this role. Give these users another role first.',
  });
  expect(gone.status).toBe(200);
  expect((await boss.send(roles.get, { params: { id: free.id } })).status).toBe(404);
});

test('only users who manage roles can read, create, change, clone or delete a role', async () => {
  const boss = await world.signIn('SUPER_ADMIN');
  const admin = await world.signIn('ADMIN', boss.tenant);
  const role = await createRole(boss, ['study.view']);
  const params = { id: role.id };

  const answers = await Promise.all([
    admin.send(roles.list),
    admin.send(roles.permissions),
    make(admin, ['study.view']),
    update(admin, role, ['study.view', 'study.edit']),
    admin.send(roles.clone, { params, body: { name: 'x' } }),
    admin.send(roles.remove, { params }),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
});

test('refuses a role with permissions that the caller may not give, such as permissions of radiologists', async () => {
  const boss = await world.signIn('SUPER_ADMIN');
  const admin = await delegate(boss);
  const mighty = await createRole(boss, ['tenant.manage']);

  expect((await make(boss, defaultPermissions.RADIOLOGIST)).status).toBe(200);
  expect((await make(admin, defaultPermissions.RADIOLOGIST)).status).toBe(200);
  expect((await make(admin, ['tenant.manage'])).status).toBe(403);
  expect((await update(admin, mighty, ['study.view'])).status).toBe(403);
  expect((await admin.send(roles.clone, { params: { id: mighty.id }, body: { name: 'Mine' } })).status).toBe(403);
  expect((await admin.send(roles.remove, { params: { id: mighty.id } })).status).toBe(403);
});

test('users cannot raise their own permissions through their role', async () => {
  const boss = await world.signIn('SUPER_ADMIN');
  const admin = await delegate(boss);
  const role = await read(boss, admin.role.id);

  const raised = await update(admin, role, ['role.manage', 'report.finalize']);

  expect(raised).toMatchObject({ status: 403, message: ownRights() });
  expect((await read(boss, role.id)).permissions).toEqual(['role.manage']);
});

test('if a user of a higher type holds a role, a caller can change only the name of the role', async () => {
  const boss = await world.signIn('SUPER_ADMIN');
  const admin = await delegate(boss);
  const superior = await world.signIn('SUPER_ADMIN', boss.tenant);
  const role = await createRole(boss, ['study.view', 'user.manage']);
  await give(boss, superior, role.id);

  const refused = await update(admin, await read(boss, role.id), ['study.view']);
  const renamed = await update(admin, { ...(await read(boss, role.id)), name: 'Chiefs' }, role.permissions);

  expect(refused).toMatchObject({ status: 403, message: expect.stringContaining('has a higher user type than you') });
  expect(renamed).toMatchObject({ status: 200, data: { name: 'Chiefs', permissions: role.permissions } });
  expect(await update(boss, renamed.data, ['study.view'])).toMatchObject({ status: 200 });
});

test('a super administrator cannot remove the right to manage organizations from their own role', async () => {
  const boss = await world.signIn('SUPER_ADMIN');
  const last = await world.signIn('SUPER_ADMIN', boss.tenant);
  const role = await createRole(boss, defaultPermissions.SUPER_ADMIN);
  await give(boss, last, role.id);
  const own = { ...last, ...(await again(last)) };
  const less = role.permissions.filter((permission) => permission !== 'tenant.manage');

  expect(await update(own, await read(boss, role.id), less)).toMatchObject({ status: 409, error: 'role.own_operator' });
  expect((await read(boss, role.id)).permissions).toEqual(role.permissions);
  expect(await update(boss, await read(boss, role.id), less)).toMatchObject({ status: 200 });
});

test('refuses a role permission that the user type of a holder cannot have', async () => {
  const boss = await world.signIn('SUPER_ADMIN');
  const referrer = await world.signIn('REFERRING_PHYSICIAN', boss.tenant);
  const role = await createRole(boss, ['study.view']);
  await give(boss, referrer, role.id);

  const answer = await update(boss, await read(boss, role.id), ['study.view', 'report.finalize']);

  expect(answer).toMatchObject({ status: 422, errors: [{ field: 'permissions' }] });
});

test('refuses a role change that removes the last administrator of an organization', async () => {
  const boss = await world.signIn('SUPER_ADMIN');
  const admin = await world.signIn('ADMIN');
  const headers = { 'x-tenantid': admin.tenant.subdomain };
  const visiting: Person = {
    ...boss,
    tenant: admin.tenant,
    send: (endpoint, sent) => boss.send(endpoint, { ...sent, headers }),
  };
  const second = await world.signIn('ADMIN', admin.tenant);
  const role = await createRole(visiting, [...defaultPermissions.ADMIN]);
  await give(visiting, admin, role.id);
  await visiting.send(users.setStatus, { params: { id: second.userId }, body: { active: false } });

  const answer = await update(visiting, await read(visiting, role.id), ['study.view']);

  expect(answer).toMatchObject({ status: 409, error: 'user.last_administrator' });
  expect((await read(visiting, role.id)).permissions).toContain('user.manage');
});

test('refuses the second of two simultaneous role changes, and a duplicate name', async () => {
  const boss = await world.signIn('SUPER_ADMIN');
  const other = await world.signIn('SUPER_ADMIN', boss.tenant);
  const role = await createRole(boss, ['study.view']);

  const statuses = [(await update(boss, role, ['report.view'])).status, (await update(other, role, [])).status];

  expect(statuses).toEqual([200, 409]);
  expect((await read(boss, role.id)).permissions).toEqual(['report.view']);
  expect(await make(boss, [], role.name.toUpperCase())).toMatchObject({ status: 409, errors: [{ field: 'name' }] });
});

test('audits changes of a role with the number of affected users', async () => {
  const boss = await world.signIn('SUPER_ADMIN');
  const role = await createRole(boss, ['study.view', 'report.view']);
  const changed = await update(boss, role, ['study.view', 'chat.use']);
  await update(boss, { ...changed.data, name: 'Guests' }, ['study.view', 'chat.use']);
  await boss.send(roles.remove, { params: { id: role.id } });

  const entries = await world.inTenant(boss.tenant, ({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['action', 'detail'])
      .where('entity_id', '=', role.id)
      .orderBy('id')
      .execute(),
  );

  expect(entries).toEqual([
    { action: 'role.create', detail: { name: role.name, permissions: 'study.view, report.view' } },
    { action: 'role.update', detail: { name: role.name, added: 'chat.use', taken: 'report.view', holders: 0 } },
    { action: 'role.update', detail: { name: 'Guests', nameBefore: role.name, added: '', taken: '', holders: 0 } },
    { action: 'role.delete', detail: { name: 'Guests' } },
  ]);
});
