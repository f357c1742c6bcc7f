import { defaultPermissions, type Permission, type UserType } from '@radwork/contract/core/access';
import { passwordLinks } from '@radwork/contract/identity/accounts';
import { roles } from '@radwork/contract/identity/roles';
import { sessions } from '@radwork/contract/identity/sessions';
import { ownAccount, ownRights } from '@radwork/contract/identity/user-rights';
import { type User, userExport, users } from '@radwork/contract/identity/users';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { orNotFound } from '#core/http/problem.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

let formCount = 0;
const form = (changes: object = {}) => ({
  username: `new.user.${(formCount += 1)}`,
  name: 'New User',
  email: 'new.user@example.org',
  userType: 'RADIOLOGIST',
  ...changes,
});

const create = (by: Person, changes: object = {}) => by.send(users.create, { body: form(changes) });
const createdBy = async (by: Person, changes: object = {}): Promise<User> => (await create(by, changes)).data.user;

/** The body of a form that was opened for a user. */
const opened = ({ username, name, email, userType, specialization, department, revision }: User) => ({
  username,
  name,
  email,
  userType,
  specialization,
  department,
  revision,
});

const update = (by: Person, user: User, changes: object = {}) =>
  by.send(users.update, { params: { id: user.id }, body: { ...opened(user), ...changes } });
const read = async (by: Person, id: string) => (await by.send(users.get, { params: { id } })).data;

const roleOf = async (by: Person, userType: UserType): Promise<string> => {
  const { data } = await by.send(users.roleChoices);
  return orNotFound(
    data.find(({ builtInFor }) => builtInFor === userType),
    'role',
  ).id;
};

/** A new role of the tenant, created by a super administrator of the tenant. */
const roleWith = async (by: Person, permissions: readonly Permission[]): Promise<string> => {
  const maker = await world.signIn('SUPER_ADMIN', by.tenant);
  const answer = await maker.send(roles.create, { body: { name: `Role ${newId()}`, permissions } });
  return answer.data.id;
};

const auditOf = (by: Person, id: string) =>
  world.inTenant(by.tenant, ({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['action', 'username', 'detail'])
      .where('entity_id', '=', id)
      .orderBy('id')
      .execute(),
  );

const pairOfAdmins = async () => {
  const one = await world.signIn('ADMIN');
  return { one, other: await world.signIn('ADMIN', one.tenant) };
};

test('a new user has the default role of the user type, no password, and a link to set a password', async () => {
  const admin = await world.signIn('ADMIN');

  const { data } = await create(admin, { username: 'r.costa', specialization: 'Neuro', department: 'MRI' });

  expect(data.user).toMatchObject({
    username: 'r.costa',
    userType: 'RADIOLOGIST',
    active: true,
    hasPassword: false,
    hasSecondFactor: false,
    isHeld: true,
    lastLoginAt: null,
    specialization: 'Neuro',
    department: 'MRI',
  });
  expect(data.user.roles.map(({ name }) => name)).toEqual(['Radiologist']);
  expect(new Set(data.user.permissions)).toEqual(new Set(defaultPermissions.RADIOLOGIST));
  expect(data.invitation).toMatchObject({ sentTo: null, link: expect.stringMatching(/^\/set-password#[\w-]{43}$/) });
  const password = 'a window over the harbour';
  const headers = { 'x-tenantid': admin.tenant.subdomain };
  const token = data.invitation?.link?.split('#')[1];
  const set = await world.send(passwordLinks.use, { body: { token, password } });
  expect(set.code).toBe(200);
  const signedIn = await world.send(sessions.login, { headers, body: { username: 'r.costa', password } });
  expect(signedIn.data.user.id).toBe(data.user.id);
});

test('creates a user of single sign-on without an invitation', async () => {
  const { data } = await create(await world.signIn('ADMIN'), { isInvited: false });

  expect(data.invitation).toBeNull();
});

test('the user list can be searched, filtered by activity, type and role, sorted and paged', async () => {
  const admin = await world.signIn('ADMIN');
  const anna = await createdBy(admin, { name: 'Anna Berg', username: 'a.berg', email: 'anna@berg.example' });
  const ben = await createdBy(admin, { name: 'Ben Cole', username: 'b.cole', userType: 'REFERRING_PHYSICIAN' });
  await admin.send(users.setStatus, { params: { id: ben.id }, body: { active: false } });
  const names = async (query: Record<string, string>) =>
    (await admin.send(users.list, { query })).data.content.map(({ username }) => username);

  expect(await names({ query: 'berg anna' })).toEqual(['a.berg']);
  expect(await names({ query: 'BERG.example' })).toEqual(['a.berg']);
  expect(await names({ query: '%' })).toEqual([]);
  expect(await names({ active: 'false' })).toEqual(['b.cole']);
  expect(await names({ userType: 'REFERRING_PHYSICIAN' })).toEqual(['b.cole']);
  expect(await names({ roleId: anna.roles[0]?.id ?? '' })).toEqual(['a.berg']);
  expect((await names({ sort: 'username,desc' })).slice(0, 2)).toEqual(['b.cole', admin.username]);
  const second = (await admin.send(users.list, { query: { sort: 'username,asc', size: 1, page: 1 } })).data;
  expect(second).toMatchObject({ totalElements: 3, totalPages: 3, number: 1 });
  expect((await admin.send(users.search, { query: { query: 'cole' } })).data).toEqual([
    { id: ben.id, username: 'b.cole', name: 'Ben Cole', userType: 'REFERRING_PHYSICIAN', active: false },
  ]);
});

test.each([
  [{ username: 'ab' }, 'username'],
  [{ username: 'x'.repeat(65) }, 'username'],
  [{ username: 'two words' }, 'username'],
  [{ username: 'with:colon' }, 'username'],
  [{ email: 'nowhere' }, 'email'],
  [{ name: '' }, 'name'],
  [{ userType: 'KING' }, 'userType'],
  [{ roles: [newId()] }, 'roles'],
  [{ roles: [] }, 'roles'],
])('refuses a user form with the invalid value %j and names the field', async (changes, field) => {
  const answer = await create(await world.signIn('ADMIN'), changes);

  expect(answer.status).toBe(422);
  expect(answer.errors?.map((fault) => fault.field)).toEqual([field]);
});

test('a username is unique within an organization, ignoring case, but another organization can use it too', async () => {
  const [admin, elsewhere] = [await world.signIn('ADMIN'), await world.signIn('ADMIN')];
  await create(admin, { username: 'Taken' });

  const again = await create(admin, { username: 'taken' });
  const created = await create(elsewhere, { username: 'taken' });

  expect(again).toMatchObject({ status: 409, errors: [{ field: 'username' }] });
  expect(created.status).toBe(200);
});

test('when two administrators change a user simultaneously, the second gets a conflict and overwrites nothing', async () => {
  const { one, other } = await pairOfAdmins();
  const user = await createdBy(one);

  const first = await update(one, user, { name: 'First' });
  const second = await update(other, user, { name: 'Second' });

  expect([first.status, second.status]).toEqual([200, 409]);
  expect((await read(one, user.id)).name).toBe('First');
});

test('refuses to overwrite a profile if its owner changed it after the administrator opened it', async () => {
  const admin = await world.signIn('ADMIN');
  const user = await createdBy(admin);
  await world.owner.updateTable('users').set({ email: 'own@example.org' }).where('id', '=', user.id).execute();

  expect((await update(admin, user, { name: 'Late' })).status).toBe(409);
});

test.each<[string, (admin: Person, user: User) => Promise<{ status: number }>]>([
  ['deactivated', (admin, { id }) => admin.send(users.setStatus, { params: { id }, body: { active: false } })],
  ['given another type', (admin, user) => update(admin, user, { userType: 'REFERRING_PHYSICIAN' })],
  [
    'given other roles',
    async (admin, { id }) =>
      admin.send(users.setRoles, { params: { id }, body: { roles: [await roleWith(admin, ['study.view'])] } }),
  ],
])('the sessions of a user who is %s end immediately', async (_, act) => {
  const admin = await world.signIn('ADMIN');
  const person = await world.signIn('RADIOLOGIST', admin.tenant);

  const answer = await act(admin, await read(admin, person.userId));

  expect(answer.status).toBe(200);
  expect((await person.send(sessions.logout)).status).toBe(401);
});

test('a change of name or address does not end sessions', async () => {
  const admin = await world.signIn('ADMIN');
  const person = await world.signIn('RADIOLOGIST', admin.tenant);

  expect((await update(admin, await read(admin, person.userId), { name: 'Married' })).status).toBe(200);
  expect((await person.send(sessions.logout)).status).toBe(200);
});

test('notifies a user whose address or name an administrator has changed', async () => {
  const admin = await world.signIn('ADMIN');
  const person = await world.signIn('RADIOLOGIST', admin.tenant);

  await update(admin, await read(admin, person.userId), { name: 'Only Renamed' });
  await update(admin, await read(admin, person.userId), { email: 'mine@elsewhere.example' });

  const notices = await world.inTenant(admin.tenant, ({ db }) =>
    db.selectFrom('notifications').select('title').where('user_id', '=', person.userId).execute(),
  );
  expect(notices).toEqual([
    { title: 'An administrator changed your name' },
    { title: 'An administrator changed your e-mail address' },
  ]);
});

test('a changed user type gives its default role unless roles are chosen', async () => {
  const admin = await world.signIn('ADMIN');
  const user = await createdBy(admin);
  const limited = await roleWith(admin, ['study.view']);

  const swapped = await update(admin, user, { userType: 'REFERRING_PHYSICIAN' });
  const chosen = await update(admin, swapped.data, { userType: 'RADIOLOGIST', roles: [limited] });

  expect(swapped.data.roles.map(({ name }) => name)).toEqual(['Referring physician']);
  expect(chosen.data.permissions).toEqual(['study.view']);
});

test('refuses to change a user of a higher type, or to give a higher type', async () => {
  const admin = await world.signIn('ADMIN');
  const superAdmin = await world.signIn('SUPER_ADMIN', admin.tenant);
  const user = await read(admin, superAdmin.userId);
  const params = { id: user.id };
  const below = await createdBy(admin);

  const attempts = await Promise.all([
    update(admin, user, { name: 'Mine' }),
    admin.send(users.setStatus, { params, body: { active: false } }),
    admin.send(users.setRoles, { params, body: { roles: [await roleOf(admin, 'RADIOLOGIST')] } }),
    admin.send(users.resetPassword, { params }),
    admin.send(users.remove, { params }),
    create(admin, { userType: 'SUPER_ADMIN' }),
    update(admin, below, { userType: 'SUPER_ADMIN' }),
    create(admin, { roles: [await roleOf(admin, 'SUPER_ADMIN')] }),
    admin.send(users.setRoles, { params: { id: below.id }, body: { roles: [await roleOf(admin, 'SUPER_ADMIN')] } }),
  ]);

  expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 403));
  expect(await read(admin, user.id)).toEqual(user);
  expect(await read(admin, below.id)).toEqual(below);
});

test('refuses to change a user of a higher type or to give this type, even if its role adds no rights', async () => {
  const admin = await world.signIn('ADMIN');
  const superAdmin = await world.signIn('SUPER_ADMIN', admin.tenant);
  const roleOfAdmin = await roleOf(admin, 'ADMIN');
  await world.inTenant(admin.tenant, ({ db }) =>
    db.updateTable('user_roles').set({ role_id: roleOfAdmin }).where('user_id', '=', superAdmin.userId).execute(),
  );
  const user = await read(admin, superAdmin.userId);

  const attempts = await Promise.all([
    update(admin, user, { email: 'mine@example.org' }),
    admin.send(users.resetPassword, { params: { id: user.id } }),
    create(admin, { userType: 'SUPER_ADMIN', roles: [roleOfAdmin] }),
    update(admin, await createdBy(admin), { userType: 'SUPER_ADMIN', roles: [roleOfAdmin] }),
  ]);

  expect(user.permissions).not.toContain('tenant.manage');
  expect(attempts.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
});

test('users cannot change their own rights, or their own account without the password', async () => {
  const admin = await world.signIn('ADMIN');
  await world.signIn('ADMIN', admin.tenant);
  const me = await read(admin, admin.userId);
  const params = { id: me.id };
  const more = await roleWith(admin, ['report.finalize']);

  const ofRights = await Promise.all([
    update(admin, me, { userType: 'RADIOLOGIST' }),
    admin.send(users.setRoles, { params, body: { roles: [more, ...me.roles.map(({ id }) => id)] } }),
    admin.send(users.setStatus, { params, body: { active: false } }),
    admin.send(users.remove, { params }),
  ]);
  const ofAccount = await Promise.all([
    update(admin, me, { email: 'stolen@example.org' }),
    admin.send(users.resetPassword, { params }),
  ]);

  expect(ofRights.map(({ status, message }) => ({ status, message }))).toEqual(
    ofRights.map(() => ({ status: 403, message: ownRights() })),
  );
  expect(ofAccount.map(({ status, message }) => ({ status, message }))).toEqual(
    ofAccount.map(() => ({ status: 403, message: ownAccount() })),
  );
  expect(await read(admin, me.id)).toEqual(me);
});

test('an administrator cannot change a user who has rights that the administrator cannot give', async () => {
  const admin = await world.signIn('ADMIN');
  const maker = await world.signIn('SUPER_ADMIN', admin.tenant);
  const keeper = await createdBy(maker, { userType: 'ADMIN', roles: [await roleWith(admin, ['role.manage'])] });

  const reset = await admin.send(users.resetPassword, { params: { id: keeper.id } });
  const changed = await update(admin, keeper, { email: 'mine@example.org' });

  expect([reset.status, changed.status]).toEqual([403, 403]);
});

test.each<[UserType, Permission]>([
  ['PATIENT', 'study.view'],
  ['REFERRING_PHYSICIAN', 'report.finalize'],
  ['REFERRING_PHYSICIAN', 'user.manage'],
  ['RADIOLOGIST', 'role.manage'],
  ['ADMIN', 'tenant.manage'],
])('no user can give a user of type %s the permission %s', async (userType, permission) => {
  const maker = await world.signIn('SUPER_ADMIN');
  const role = await roleWith(maker, [permission]);

  const answer = await create(maker, { userType, roles: [role] });

  expect(answer).toMatchObject({ status: 422, errors: [{ field: 'roles' }] });
});

test.each<[string, (by: Person, last: Person) => Promise<{ status: number }>]>([
  ['deactivated', (by, { userId }) => by.send(users.setStatus, { params: { id: userId }, body: { active: false } })],
  ['deleted', (by, { userId }) => by.send(users.remove, { params: { id: userId } })],
  ['made a radiologist', async (by, { userId }) => update(by, await read(by, userId), { userType: 'RADIOLOGIST' })],
  [
    'given a role without the right to manage users',
    async (by, { userId }) =>
      by.send(users.setRoles, { params: { id: userId }, body: { roles: [await roleOf(by, 'RADIOLOGIST')] } }),
  ],
])('the last active administrator of an organization cannot be %s', async (_, act) => {
  const last = await world.signIn('ADMIN');
  const visitor = await world.signIn('SUPER_ADMIN');
  const send: Person['send'] = (endpoint, sent) =>
    visitor.send(endpoint, { ...sent, headers: { 'x-tenantid': last.tenant.subdomain } });
  const before = await read(last, last.userId);

  const answer = await act({ ...visitor, tenant: last.tenant, send }, last);

  expect(answer).toMatchObject({ status: 409, error: 'user.last_administrator' });
  expect(await read(last, last.userId)).toEqual(before);
});

test('when two administrators deactivate each other simultaneously, one call is always refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { one, other } = await pairOfAdmins();
    const end = (by: Person, { userId }: Person) =>
      by.send(users.setStatus, { params: { id: userId }, body: { active: false } });

    const answers = await Promise.all([end(one, other), end(other, one)]);

    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses[0]).toBe(200);
    expect([401, 403, 409]).toContain(statuses[1]);
    const active = await world.owner
      .selectFrom('users')
      .select('id')
      .where('tenant_id', '=', one.tenant.id)
      .where('is_active', '=', true)
      .execute();
    expect(active).toHaveLength(1);
  }
});

test('deletes a user without records, and deactivates a user with records', async () => {
  const admin = await world.signIn('ADMIN');
  const person = await world.signIn('RADIOLOGIST', admin.tenant);
  const fresh = await createdBy(admin);
  const contact = await createdBy(admin);
  await world.inTenant(admin.tenant, ({ db }) =>
    db.insertInto('critical_contacts').values({ rung: 'LEAD', user_id: contact.id }).execute(),
  );
  const remove = async (id: string) => (await admin.send(users.remove, { params: { id } })).data;

  expect(await remove(fresh.id)).toEqual({ outcome: 'DELETED', user: null });
  expect(await remove(contact.id)).toMatchObject({ outcome: 'DEACTIVATED', user: { active: false } });
  expect(await remove(person.userId)).toMatchObject({ outcome: 'DEACTIVATED', user: { active: false } });
  expect((await admin.send(users.get, { params: { id: fresh.id } })).status).toBe(404);
  expect((await person.send(sessions.logout)).status).toBe(401);
});

test('a password reset makes a link that works once, and ends earlier links', async () => {
  const admin = await world.signIn('ADMIN');
  const user = await createdBy(admin);
  const reset = async () => (await admin.send(users.resetPassword, { params: { id: user.id } })).data.link ?? '';
  const check = async (link: string) =>
    (await world.send(passwordLinks.check, { body: { token: link.split('#')[1] } })).status;

  const [first, second] = [await reset(), await reset()];

  expect([await check(first), await check(second)]).toEqual([404, 200]);
  await admin.send(users.setStatus, { params: { id: user.id }, body: { active: false } });
  expect((await admin.send(users.resetPassword, { params: { id: user.id } })).status).toBe(409);
});

test('the audit log records changes of a user with their author and without personal values', async () => {
  const admin = await world.signIn('ADMIN');
  const user = await createdBy(admin, { name: 'Vera Secret', email: 'vera@secret.example' });
  const renamed = await update(admin, user, { name: 'Vera Other', email: 'other@secret.example' });
  await update(admin, renamed.data, { userType: 'REFERRING_PHYSICIAN', active: false });
  for (const active of [true, false, true]) {
    await admin.send(users.setStatus, { params: { id: user.id }, body: { active } });
  }
  await admin.send(users.resetPassword, { params: { id: user.id } });
  await admin.send(users.remove, { params: { id: user.id } });

  const all = await auditOf(admin, user.id);
  const entries = all.filter(({ action }) => action !== 'signing.hold');

  expect(all.length - entries.length).toBe(4);
  expect(entries.map(({ action }) => action)).toEqual([
    'user.create',
    'user.update',
    'user.update',
    'user.activate',
    'user.deactivate',
    'user.activate',
    'user.reset_password',
    'user.delete',
  ]);
  expect(entries[1]?.detail).toMatchObject({ fields: 'name, email' });
  expect(entries[2]?.detail).toMatchObject({
    fields: 'userType, active, roles',
    userTypeBefore: 'RADIOLOGIST',
    userType: 'REFERRING_PHYSICIAN',
    active: false,
  });
  expect(new Set(all.map(({ username }) => username))).toEqual(new Set([admin.username]));
  expect(JSON.stringify(all)).not.toMatch(/vera|secret\.example/i);
});

test('only a super administrator can see and create users of another organization, which audits the call', async () => {
  const [boss, admin] = [await world.signIn('SUPER_ADMIN'), await world.signIn('ADMIN')];
  const otherTenant = await world.owner
    .selectFrom('tenants')
    .select('public_id')
    .where('id', '=', admin.tenant.id)
    .executeTakeFirstOrThrow();
  const params = { id: otherTenant.public_id };
  const stranger = await world.signIn('ADMIN');

  const seen = await boss.send(users.ofTenant, { params });
  const own = await admin.send(users.ofTenant, { params });
  const refused = await stranger.send(users.ofTenant, { params });
  const unknown = await stranger.send(users.ofTenant, { params: { id: newId() } });
  const planted = await create(stranger, { tenantId: otherTenant.public_id });
  const created = await create(boss, { tenantId: otherTenant.public_id });

  expect(seen.data.content.map(({ id }) => id)).toEqual([admin.userId]);
  expect(own.data).toEqual(seen.data);
  expect({ ...refused, traceId: '' }).toEqual({ ...unknown, traceId: '' });
  expect([refused.status, planted.status]).toEqual([404, 404]);
  expect(created.data.user.tenant.id).toBe(otherTenant.public_id);
  const entries = await auditOf(admin, created.data.user.id);
  expect(new Set(entries.map(({ username }) => username))).toEqual(new Set([boss.username]));
  expect((await auditOf(admin, boss.session.id)).map(({ action }) => action)).toContain('tenant.enter');
});

test('refuses to create a user in a suspended organization or to move a user there', async () => {
  const [boss, admin] = [await world.signIn('SUPER_ADMIN'), await world.signIn('ADMIN')];
  const { public_id: tenantId } = await world.owner
    .updateTable('tenants')
    .set({ suspended_at: world.sql`now()` })
    .where('id', '=', admin.tenant.id)
    .returning('public_id')
    .executeTakeFirstOrThrow();
  const fresh = await createdBy(boss, { username: 'staying' });

  const created = await create(boss, { tenantId });
  const moved = await boss.send(users.setTenant, { params: { id: fresh.id }, body: { tenantId } });

  const refused = { status: 409, error: 'tenant.suspended', message: expect.stringContaining('Resume it first') };
  expect([created, moved]).toMatchObject([refused, refused]);
  expect(await read(boss, fresh.id)).toMatchObject({ username: 'staying' });
  expect((await boss.send(users.ofTenant, { params: { id: tenantId } })).data.content).toHaveLength(1);
});

test('a user without records can move to another organization, and a user with records cannot', async () => {
  const [boss, admin] = [await world.signIn('SUPER_ADMIN'), await world.signIn('ADMIN')];
  const person = await world.signIn('RADIOLOGIST', boss.tenant);
  const fresh = await createdBy(boss, { username: 'moving' });
  const { public_id: tenantId } = await world.owner
    .selectFrom('tenants')
    .select('public_id')
    .where('id', '=', admin.tenant.id)
    .executeTakeFirstOrThrow();
  const move = (id: string) => boss.send(users.setTenant, { params: { id }, body: { tenantId } });

  const moved = await move(fresh.id);
  const refused = await move(person.userId);

  expect(moved.data.user).toMatchObject({ username: 'moving', tenant: { id: tenantId } });
  expect(moved.data.user.roles.map(({ name }) => name)).toEqual(['Radiologist']);
  expect(moved.data.invitation?.link).toMatch(/^\/set-password#/);
  expect((await boss.send(users.get, { params: { id: fresh.id } })).status).toBe(404);
  expect(refused).toMatchObject({ status: 409, message: expect.stringContaining('Deactivate the user here') });
  expect((await read(boss, person.userId)).active).toBe(true);
});

test.each(['system', 'System'])(
  'refuses the username %s, which the audit log uses for the server',
  async (username) => {
    const admin = await world.signIn('ADMIN');

    expect(await create(admin, { username })).toMatchObject({ status: 422, errors: [{ field: 'username' }] });
  },
);

test('a user whose provider sent an invalid name can get another role, but cannot get another invalid name', async () => {
  const admin = await world.signIn('ADMIN');
  const user = await createdBy(admin);
  const as = { username: "o'brien@clinic.example", email: '', name: 'x'.repeat(180) };
  await world.owner.updateTable('users').set(as).where('id', '=', user.id).execute();
  const known = await read(admin, user.id);

  const moved = await update(admin, known, { department: 'Annexe', userType: 'REFERRING_PHYSICIAN' });
  const renamed = await update(admin, await read(admin, user.id), { username: 'o"brien', email: 'no address' });

  expect(moved).toMatchObject({ status: 200, data: { ...as, userType: 'REFERRING_PHYSICIAN' } });
  expect(renamed).toMatchObject({ status: 422, errors: [{ field: 'username' }, { field: 'email' }] });
});

test('a change of credentials by an administrator is audited, notifies the owner and needs no confirmation', async () => {
  const admin = await world.signIn('ADMIN');
  const doctor = await world.signIn('RADIOLOGIST', admin.tenant);

  const withCredentials = await update(admin, await read(admin, doctor.userId), { credentials: ' MD, FACR ' });
  const unchanged = await update(admin, withCredentials.data, { department: 'Annexe' });
  const refused = await update(admin, unchanged.data, { credentials: 'MD\u202e' });
  const long = await update(admin, unchanged.data, { credentials: 'x'.repeat(61) });

  expect(withCredentials).toMatchObject({ status: 200, data: { credentials: 'MD, FACR', isHeld: false } });
  expect(unchanged.data.credentials).toBe('MD, FACR');
  for (const answer of [refused, long]) {
    expect(answer).toMatchObject({ status: 422, errors: [{ field: 'credentials' }] });
  }
  expect(await auditOf(admin, doctor.userId)).toContainEqual(
    expect.objectContaining({ action: 'user.update', detail: expect.objectContaining({ fields: 'credentials' }) }),
  );
  const { rows } = await sql<{ title: string }>`
    select title from notifications where user_id = ${doctor.userId}`.execute(world.owner);
  expect(rows).toContainEqual({ title: 'An administrator changed your credentials' });
});

test('a username is the same in every Unicode form that a keyboard produces', async () => {
  const admin = await world.signIn('ADMIN');
  const [composed, apart] = ['nguyễn.huế', 'nguyễn.huế'.normalize('NFD')];

  expect((await createdBy(admin, { username: apart })).username).toBe(composed);
  expect(await create(admin, { username: composed })).toMatchObject({ status: 409, error: 'user.taken' });
});

test('two simultaneous moves of users in opposite directions do not deadlock', async () => {
  const both = [await world.signIn('SUPER_ADMIN'), await world.signIn('SUPER_ADMIN')] as const;
  const tenants = await world.owner.selectFrom('tenants').select(['id', 'public_id']).execute();
  const fresh = await Promise.all(both.map((boss, index) => createdBy(boss, { username: `across.${index}` })));
  const move = (boss: Person, at: number, { tenant }: Person) =>
    boss.send(users.setTenant, {
      params: { id: fresh[at]?.id ?? '' },
      body: { tenantId: tenants.find(({ id }) => id === tenant.id)?.public_id },
    });

  const moved = await Promise.all([move(both[0], 0, both[1]), move(both[1], 1, both[0])]);

  expect(moved).toMatchObject([{ status: 200 }, { status: 200 }]);
  expect((await both[0].send(users.list)).data.content.map(({ username }) => username)).toContain('across.1');
});

test('the list of users is exported as CSV with its filters and order, and formulas do not run', async () => {
  const admin = await world.signIn('ADMIN');
  await createdBy(admin, { name: '=2+5' });
  await createdBy(admin, { name: 'Zoe' });
  const exportedBy = async (person: Person, query: string) =>
    (await person.request({ method: 'GET', url: `${userExport.path}?${query}` })).body.split('\r\n').slice(1, -1);

  const lines = await exportedBy(admin, 'userType=RADIOLOGIST&sort=name,desc&active=');

  expect(lines).toEqual([expect.stringMatching(/^"Zoe"/), expect.stringMatching(/^"'=2\+5"/)]);
  expect(await exportedBy(admin, 'query=zoe')).toHaveLength(1);
  expect((await exportedBy(await world.signIn('ADMIN'), '')).join('')).not.toContain('Zoe');
  const entries = await world.inTenant(admin.tenant, ({ db }) =>
    db.selectFrom('audit_entries').select('detail').where('action', '=', 'user.exportList').orderBy('id').execute(),
  );
  expect(entries).toMatchObject([{ detail: { users: 2 } }, { detail: { users: 1 } }]);
});
