import type { Permission } from '@radwork/contract/core/access';
import { singleSignOn, type SingleSignOnForm } from '@radwork/contract/identity/single-sign-on';
import { users } from '@radwork/contract/identity/users';
import { afterAll, expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { reachingThisMachine } from '#test/import-steps.ts';
import { radworkAddress, startOidcProvider } from '#test/oidc-provider.ts';
import { singleSignOnSteps } from '#test/single-sign-on-steps.ts';
import { createWorld, type Tenant } from '#test/world.ts';

const world = await createWorld({ ...reachingThisMachine, PUBLIC_URL: radworkAddress });
const provider = await startOidcProvider();
const { setUp, change, somebody, signIn, refusal } = singleSignOnSteps(world, provider);
afterAll(provider.stop);

const byGroups: Partial<SingleSignOnForm> = {
  groupsClaim: 'groups',
  fallbackType: null,
  rules: [
    { value: 'readers', userType: 'RADIOLOGIST', roleIds: [] },
    { value: 'referrers', userType: 'REFERRING_PHYSICIAN', roleIds: [] },
  ],
};
const withAdmins: Partial<SingleSignOnForm> = {
  ...byGroups,
  isAdminByClaim: true,
  rules: [{ value: 'admins', userType: 'ADMIN', roleIds: [] }, ...(byGroups.rules ?? [])],
};

const setGroups = (subject: string, groups: unknown) =>
  provider.people.set(subject, { ...provider.people.get(subject), groups });

const newRole = async (tenant: Tenant, permissions: Permission[]): Promise<string> => {
  const id = newId();
  await world.inTenant(tenant, ({ db }) =>
    db
      .insertInto('roles')
      .values({ id, name: `Role ${id}`, permissions })
      .execute(),
  );
  return id;
};

const auditOf = (tenant: Tenant, action: string) =>
  world.inTenant(tenant, ({ db }) =>
    db.selectFrom('audit_entries').select(['entity_id', 'detail']).where('action', '=', action).orderBy('id').execute(),
  );

test('type and roles of a user follow their groups at each sign-in, and the audit log records the change', async () => {
  const { tenant } = await setUp(byGroups);
  const subject = somebody({ groups: ['staff', 'readers'] });
  const first = await signIn(tenant, subject);
  expect(first.user.userType).toBe('RADIOLOGIST');

  setGroups(subject, ['referrers']);
  const second = await signIn(tenant, subject);

  expect(second.user).toEqual({ ...first.user, userType: 'REFERRING_PHYSICIAN' });
  expect(second.roles.map(({ name }) => name)).toEqual(['Referring physician']);
  expect(await auditOf(tenant, 'user.renew')).toMatchObject([
    { entity_id: first.user.id, detail: { from: 'RADIOLOGIST', to: 'REFERRING_PHYSICIAN' } },
  ]);
});

test('the first rule with an exactly matching group applies, even if the groups are inside another claim', async () => {
  const { tenant, admin } = await setUp(byGroups);

  expect((await signIn(tenant, somebody({ groups: ['referrers', 'readers'] }))).user.userType).toBe('RADIOLOGIST');
  expect((await signIn(tenant, somebody({ groups: 'referrers' }))).user.userType).toBe('REFERRING_PHYSICIAN');
  expect(await refusal(tenant, somebody({ groups: ['Readers', 'reader', 'readers '] }))).toBe('no_group');
  expect(await change(admin, { groupsClaim: 'realm_access.roles' })).toMatchObject({ status: 200 });
  const inside = somebody({ realm_access: { roles: ['readers'] } });
  expect((await signIn(tenant, inside)).user.userType).toBe('RADIOLOGIST');
});

test('a user without a group cannot sign in unless the settings have a fallback type', async () => {
  const { tenant, admin } = await setUp(byGroups);
  const subject = somebody({ groups: ['readers'] });
  await signIn(tenant, subject);
  setGroups(subject, undefined);

  expect(await refusal(tenant, subject)).toBe('no_group');
  expect(await refusal(tenant, somebody())).toBe('no_group');

  expect(await change(admin, { fallbackType: 'REFERRING_PHYSICIAN' })).toMatchObject({ status: 200 });
  expect((await signIn(tenant, subject)).user.userType).toBe('REFERRING_PHYSICIAN');
});

test('a group gives only roles of its tenant, and a deleted role gives nothing', async () => {
  const { tenant, admin } = await setUp();
  const roleId = await newRole(tenant, ['study.view']);
  const rules = [{ value: 'readers', userType: 'RADIOLOGIST' as const, roleIds: [roleId] }];
  expect(await change(admin, { ...byGroups, rules })).toMatchObject({ status: 200 });
  const subject = somebody({ groups: ['readers'] });

  const { roles, user } = await signIn(tenant, subject);

  expect(roles).toMatchObject([{ name: `Role ${roleId}`, permissions: [{ name: 'study.view' }] }]);
  await world.owner.deleteFrom('user_roles').where('user_id', '=', user.id).execute();
  await world.owner.deleteFrom('roles').where('id', '=', roleId).execute();
  expect(await refusal(tenant, subject)).toBe('no_group');
});

test("an outdated user form cannot return rights that the user's groups have removed", async () => {
  const { tenant, admin } = await setUp(byGroups);
  const [reads, looks] = [await newRole(tenant, ['report.view', 'study.view']), await newRole(tenant, ['study.view'])];
  await change(admin, {
    rules: [
      { value: 'readers', userType: 'RADIOLOGIST', roleIds: [reads] },
      { value: 'guests', userType: 'RADIOLOGIST', roleIds: [looks] },
    ],
  });
  const subject = somebody({ groups: ['readers'] });
  const { user } = await signIn(tenant, subject);
  const { data: opened } = await admin.send(users.get, { params: { id: user.id } });

  setGroups(subject, ['guests']);
  await signIn(tenant, subject);
  const { id, username, name, email, userType, specialization, revision } = opened;
  const form = { username, name, email, userType, specialization, department: 'Annexe', revision };
  const saved = await admin.send(users.update, {
    params: { id },
    body: { ...form, roles: opened.roles.map((role) => role.id) },
  });

  expect(saved).toMatchObject({ status: 409, error: 'user.changed' });
  const { data: now } = await admin.send(users.get, { params: { id } });
  expect(now.roles.map((role) => role.id)).toEqual([looks]);
});

test('the audit log records changes of the rules for groups', async () => {
  const { tenant, admin } = await setUp(byGroups);
  const reads = await newRole(tenant, ['study.view']);
  await change(admin, { rules: [{ value: 'readers', userType: 'RADIOLOGIST', roleIds: [reads] }] });
  await change(admin, { label: 'Another button' });

  const details = (await auditOf(tenant, 'single_sign_on.update')).map(({ detail }) => detail);

  expect(details[0]).toMatchObject({
    groupsBefore: '',
    groups: 'readers: RADIOLOGIST; referrers: REFERRING_PHYSICIAN',
  });
  expect(details.slice(1)).toEqual([
    {
      groupsBefore: 'readers: RADIOLOGIST; referrers: REFERRING_PHYSICIAN',
      groups: `readers: RADIOLOGIST (Role ${reads})`,
    },
    { label: 'Another button' },
  ]);
});

test('a group no longer gives a role that gained administrative rights', async () => {
  const { tenant, admin } = await setUp();
  const roleId = await newRole(tenant, ['study.view']);
  const rules = [{ value: 'readers', userType: 'RADIOLOGIST' as const, roleIds: [roleId] }];
  await change(admin, { ...byGroups, rules });
  await world.owner
    .updateTable('roles')
    .set({ permissions: ['user.manage'] })
    .where('id', '=', roleId)
    .execute();

  expect(await refusal(tenant, somebody({ groups: ['readers'] }))).toBe('no_group');
});

test('a group rule cannot give a user more rights than the user type may have', async () => {
  const { tenant, admin } = await setUp();
  const [signs, looks] = [await newRole(tenant, ['report.finalize']), await newRole(tenant, ['study.view'])];
  const rulesGiving = (...roleIds: string[]) => [
    { value: 'referrers', userType: 'REFERRING_PHYSICIAN' as const, roleIds },
  ];

  expect(await change(admin, { ...byGroups, rules: rulesGiving(looks, signs) })).toMatchObject({
    status: 422,
    errors: [
      {
        field: 'rules.0.roleIds',
        message: expect.stringContaining('Users of this type cannot have these permissions'),
      },
    ],
  });

  expect(await change(admin, { ...byGroups, rules: rulesGiving(looks) })).toMatchObject({ status: 200 });
  await world.owner
    .updateTable('roles')
    .set({ permissions: ['study.view', 'audit.view'] })
    .where('id', '=', looks)
    .execute();
  expect(await refusal(tenant, somebody({ groups: ['referrers'] }))).toBe('no_group');
});

test('groups make administrators only if the tenant allows it, and never super administrators', async () => {
  const { tenant, admin } = await setUp(byGroups);
  const rules = withAdmins.rules ?? [];
  expect(await change(admin, { rules })).toMatchObject({ status: 422, errors: [{ field: 'rules.0.userType' }] });
  const above = [{ value: 'admins', userType: 'SUPER_ADMIN' as 'ADMIN', roleIds: [] }];
  expect(await change(admin, { rules: above, isAdminByClaim: true })).toMatchObject({ status: 422 });
  for (const [permission, isAdminByClaim] of [
    ['tenant.manage', true],
    ['role.manage', true],
    ['user.manage', false],
    ['config.manage', false],
  ] as const) {
    const roleIds = [await newRole(tenant, [permission])];
    const ruleList = [
      { value: 'x', userType: isAdminByClaim ? ('ADMIN' as const) : ('RADIOLOGIST' as const), roleIds },
    ];
    const refused = await change(admin, { rules: ruleList, isAdminByClaim });
    expect(refused).toMatchObject({ status: 422, errors: [{ field: 'rules.0.roleIds' }] });
  }

  expect(await change(admin, withAdmins)).toMatchObject({ status: 200 });
  expect((await signIn(tenant, somebody({ groups: ['admins'] }))).user.userType).toBe('ADMIN');
});

test('only the last administrator keeps their rights without a matching group', async () => {
  const { tenant, admin } = await setUp(withAdmins);
  const subject = somebody({ groups: ['admins'] });
  const { user } = await signIn(tenant, subject);
  const { owner } = world;
  await owner.updateTable('users').set({ is_active: false }).where('id', '=', admin.userId).execute();
  // This administrator has no right to manage users, and could not activate the last administrator again.
  const powerless = await world.signIn('ADMIN', tenant);
  const role_id = await newRole(tenant, ['config.manage']);
  await owner.updateTable('user_roles').set({ role_id }).where('user_id', '=', powerless.userId).execute();

  setGroups(subject, ['readers']);
  expect((await signIn(tenant, subject)).user.userType).toBe('ADMIN');
  setGroups(subject, []);
  expect((await signIn(tenant, subject)).user.userType).toBe('ADMIN');
  expect(await auditOf(tenant, 'user.keep_last_administrator')).toMatchObject([
    { entity_id: user.id },
    { entity_id: user.id },
  ]);

  await owner.updateTable('users').set({ is_active: true }).where('id', '=', admin.userId).execute();
  setGroups(subject, ['readers']);
  expect((await signIn(tenant, subject)).user.userType).toBe('RADIOLOGIST');
});

test('without a group rule for administrators, a user whom an administrator promoted stays an administrator', async () => {
  const { tenant, admin } = await setUp(byGroups);
  const subject = somebody({ groups: ['readers'] });
  const { user } = await signIn(tenant, subject);
  await world.owner.updateTable('users').set({ user_type: 'ADMIN' }).where('id', '=', user.id).execute();

  expect((await signIn(tenant, subject)).user.userType).toBe('ADMIN');
  expect(admin.session.userType).toBe('ADMIN');
});

test('only an administrator can change single sign-on, even if another user may change settings', async () => {
  const { tenant } = await setUp();
  const reader = await world.signIn('RADIOLOGIST', tenant);
  const roleId = await newRole(tenant, ['config.manage', 'user.manage']);
  await world.inTenant(tenant, ({ db }) =>
    db.insertInto('user_roles').values({ user_id: reader.userId, role_id: roleId }).execute(),
  );

  expect(await reader.send(singleSignOn.read)).toMatchObject({ status: 200 });
  expect(await change(reader, { label: 'Mine' })).toMatchObject({ status: 403 });
});

test('an administrator cannot let groups give rights that the administrator does not have', async () => {
  const { tenant } = await setUp();
  const lesser = await world.signIn('ADMIN', tenant);
  const setRole = async (permissions: Permission[]) => {
    const role_id = await newRole(tenant, permissions);
    await world.inTenant(tenant, async ({ db }) => {
      await db.deleteFrom('user_roles').where('user_id', '=', lesser.userId).execute();
      await db.insertInto('user_roles').values({ user_id: lesser.userId, role_id }).execute();
    });
    world.context.sessions.forget();
  };

  await setRole(['config.manage']);
  expect(await change(lesser, { label: 'Mine' })).toMatchObject({ status: 403, message: 'Access denied' });

  await setRole(['config.manage', 'user.manage']);
  expect(await change(lesser, { label: 'Mine' })).toMatchObject({ status: 200 });
  expect(await change(lesser, withAdmins)).toMatchObject({
    status: 403,
    message: expect.stringContaining('You cannot give permissions that you do not have'),
  });
});
