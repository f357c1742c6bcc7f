import { defaultPermissions, type UserType, userTypes, builtInRoleNames } from '@radwork/contract/core/access';
import { account } from '@radwork/contract/identity/accounts';
import { type Tenant, tenants } from '@radwork/contract/identity/tenants';
import { type User, users } from '@radwork/contract/identity/users';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, signIn, visit } from '#test/screen.tsx';

const idOf = (type: UserType) => `0193d4a0-0000-7000-8000-00000000000${userTypes.indexOf(type)}`;

const choices = userTypes.map((type) => ({
  id: idOf(type),
  name: builtInRoleNames[type],
  builtInFor: type,
  permissions: [...defaultPermissions[type]],
}));

const person = (changes: Partial<User> = {}): User => {
  const userType = changes.userType ?? 'RADIOLOGIST';
  return {
    id: '0193d4a0-0000-7000-8000-0000000000aa',
    username: 'r.costa',
    name: 'Rosa Costa',
    email: 'rosa@north.example',
    userType,
    roles: [{ id: idOf(userType), name: builtInRoleNames[userType] }],
    permissions: [...defaultPermissions[userType]],
    tenant: { id: 't1', name: 'North Clinic' },
    active: true,
    specialization: '',
    department: '',
    credentials: '',
    createdAt: '2026-11-01T09:00:00Z',
    lastLoginAt: '2026-11-20T09:30:00Z',
    hasPassword: true,
    hasSecondFactor: true,
    isHeld: false,
    groups: [],
    isLimited: false,
    revision: 3,
    ...changes,
  };
};

const page = (content: User[]) => ({ content, totalElements: content.length, totalPages: 1, number: 0, size: 25 });

const open = (address: string, people: User[], ...answers: Parameters<typeof visit>[1][]) =>
  visit(
    address,
    answer(users.list, () => page(people)),
    answer(users.roleChoices, () => choices),
    answer(users.get, ({ url }) => people.find(({ id }) => url.pathname.endsWith(id)) ?? person()),
    ...answers,
  );

const sentTo = (calls: { url: URL; method: string; body: unknown }[], method: string, path: string) =>
  calls.filter((call) => call.method === method && call.url.pathname.endsWith(path)).map(({ body }) => body);

test('a row of the user list shows name, roles and access, and for super administrators the organization', async () => {
  signIn('ADMIN');
  open('/users', [person()]);

  const row = within(await screen.findByRole('row', { name: /r\.costa/ }));

  for (const text of ['Rosa Costa', 'rosa@north.example', 'Yes', '2026-11-20 09:30', 'On']) {
    expect(row.getByText(text)).toBeDefined();
  }
  expect(row.getAllByText('Radiologist')).toHaveLength(2);
  expect(screen.queryByRole('columnheader', { name: 'Organization' })).toBeNull();
});

test('a new user in the list moves no row under the pointer', async () => {
  signIn('ADMIN');
  let people = [person()];
  const { client } = visit(
    '/users',
    answer(users.list, () => page(people)),
    answer(users.roleChoices, () => choices),
  );
  await userEvent.hover(await screen.findByText('Rosa Costa'));

  people = [person({ id: '0193d4a0-0000-7000-8000-0000000000ab', username: 'a.new', name: 'Ana New' }), ...people];
  await act(() => client.invalidateQueries({ queryKey: ['users'] }));

  expect(await screen.findByText('The list has changed.')).toBeDefined();
  expect(screen.queryByText('Ana New')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Update list' }));
  expect(await screen.findByText('Ana New')).toBeDefined();
});

test('the address of the user list sets search, filters and page', async () => {
  signIn('SUPER_ADMIN');
  const { calls } = open('/users?query=costa&userType=RADIOLOGIST&active=true&sort=email,desc&page=2', [person()]);
  await screen.findByRole('columnheader', { name: 'Organization' });

  const [request] = calls.filter(({ url }) => url.pathname === '/api/users');
  expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual({
    query: 'costa',
    userType: 'RADIOLOGIST',
    active: 'true',
    sort: 'email,desc',
    page: '2',
    size: '25',
  });
});

test('filters that the user chooses appear in the address', async () => {
  signIn('ADMIN');
  const { address } = open('/users', [person()]);
  await screen.findByRole('row', { name: /r\.costa/ });

  await userEvent.selectOptions(screen.getByLabelText('Active'), 'false');

  await waitFor(() => expect(address()).toBe('/users?active=false'));
});

test('an address with a user ID opens that user over the list', async () => {
  signIn('ADMIN');
  open(`/users/${person().id}`, [person()]);

  const drawer = within(await screen.findByRole('dialog', { name: 'User' }));

  expect(await drawer.findByLabelText(/Username/)).toHaveProperty('value', 'r.costa');
  expect(drawer.getByText('approve or return reports of other users')).toBeDefined();
});

test('the form shows the permissions of the chosen type and roles before saving', async () => {
  signIn('ADMIN');
  open(`/users/${person().id}`, [person()]);
  const drawer = within(await screen.findByRole('dialog', { name: 'User' }));

  await userEvent.selectOptions(await drawer.findByLabelText(/Type/), 'REFERRING_PHYSICIAN');

  expect(drawer.queryByText('approve or return reports of other users')).toBeNull();
  expect(drawer.getByRole('checkbox', { name: 'Referring physician' })).toHaveProperty('checked', true);
  expect(drawer.getByRole('checkbox', { name: 'Radiologist' })).toHaveProperty('disabled', true);
});

test("the user form offers no types and roles above the administrator's own", async () => {
  signIn('ADMIN');
  open(`/users/${person().id}`, [person()]);
  const drawer = within(await screen.findByRole('dialog', { name: 'User' }));

  const types = within(await drawer.findByLabelText(/Type/)).getAllByRole('option');

  expect(types.map(({ textContent }) => textContent)).not.toContain('Super administrator');
  expect(drawer.getByRole('checkbox', { name: 'Super administrator' })).toHaveProperty('disabled', true);
});

test('a new user is saved with roles, and the invitation link is shown once', async () => {
  signIn('ADMIN');
  const link = `/set-password#${'x'.repeat(43)}`;
  const { calls } = open(
    '/users',
    [person()],
    answer(users.create, () => ({ user: person({ username: 'new.one' }), invitation: { sentTo: null, link } })),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Create user' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Create user' }));
  await userEvent.type(await drawer.findByLabelText(/Username/), 'new.one');
  await userEvent.type(drawer.getByLabelText(/^Name/), 'New One');
  await userEvent.type(drawer.getByLabelText(/E-mail/), 'new@north.example');

  await userEvent.click(drawer.getByRole('button', { name: 'Create user' }));

  expect(await screen.findByLabelText('Link')).toHaveProperty('value', `${window.location.origin}${link}`);
  expect(screen.getByText(/The link is shown only once/)).toBeDefined();
  expect(sentTo(calls, 'POST', '/api/users')).toEqual([
    expect.objectContaining({ username: 'new.one', roles: [idOf('RADIOLOGIST')], isInvited: true }),
  ]);
});

test('the user form shows errors at their fields, before sending and from the server', async () => {
  signIn('ADMIN');
  const errors = [{ field: 'username', message: 'This username is taken in your organization' }];
  const { calls } = open('/users', [person()], refuse(users.create, 409, 'Taken', { errors: errors }));
  await userEvent.click(await screen.findByRole('button', { name: 'Create user' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Create user' }));
  await userEvent.type(await drawer.findByLabelText(/Username/), 'ab');
  await userEvent.click(drawer.getByRole('button', { name: 'Create user' }));

  expect(drawer.getByText('Use at least 3 characters')).toBeDefined();
  expect(sentTo(calls, 'POST', '/api/users')).toEqual([]);

  await userEvent.type(drawer.getByLabelText(/Username/), 'c');
  await userEvent.type(drawer.getByLabelText(/^Name/), 'New One');
  await userEvent.type(drawer.getByLabelText(/E-mail/), 'new@north.example');
  await userEvent.click(drawer.getByRole('button', { name: 'Create user' }));
  expect(await drawer.findByText(errors[0]?.message ?? '')).toBeDefined();
});

test('deactivating a user asks first and says that the sessions end', async () => {
  signIn('ADMIN');
  const { calls } = open(
    '/users',
    [person()],
    answer(users.setStatus, () => person({ active: false })),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Deactivate r.costa' }));
  const question = within(await screen.findByRole('dialog', { name: 'Deactivate Rosa Costa (r.costa)?' }));
  expect(question.getByText(/signed out everywhere now/)).toBeDefined();
  expect(question.getByText(/need another assignee/)).toBeDefined();
  expect(sentTo(calls, 'PUT', '/status')).toEqual([]);
  await userEvent.click(question.getByRole('button', { name: 'Deactivate' }));

  await waitFor(() => expect(sentTo(calls, 'PUT', '/status')).toEqual([{ active: false }]));
});

test('the form shows why a user cannot be changed', async () => {
  signIn('ADMIN');
  const { calls } = open('/users', [person({ userType: 'SUPER_ADMIN' })]);
  const button = await screen.findByRole('button', { name: 'Deactivate r.costa' });

  await userEvent.click(button);
  await userEvent.hover(button);

  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(await screen.findByText('This user has a higher user type than you')).toBeDefined();
  expect(sentTo(calls, 'PUT', '/status')).toEqual([]);
});

test('a user list that cannot be loaded shows a message', async () => {
  signIn('ADMIN');
  visit(
    '/users',
    refuse(users.list, 500, 'Server error occurred'),
    answer(users.roleChoices, () => choices),
  );
  expect(await screen.findByText('Failed to load users')).toBeDefined();
});

test('a user list without matches offers to clear the filters', async () => {
  signIn('ADMIN');
  const { address } = open('/users?query=nobody', []);

  await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));

  await waitFor(() => expect(address()).toBe('/users'));
});

const drawerOf = async (user: User, ...answers: Parameters<typeof visit>[1][]) => {
  const opened = open(`/users/${user.id}`, [user], ...answers);
  return { ...opened, drawer: within(await screen.findByRole('dialog', { name: 'User' })) };
};

test('resetting a lost second factor asks for a confirmation that states the effect', async () => {
  signIn('ADMIN');
  const { calls, drawer } = await drawerOf(
    person(),
    answer(account.resetSecondFactor, () => undefined),
  );
  await userEvent.click(await drawer.findByRole('button', { name: 'Reset second factor' }));

  const question = within(await screen.findByRole('dialog', { name: 'Reset the second factor of Rosa Costa?' }));
  expect(question.getByText(/authenticator app and recovery codes stop working/)).toBeDefined();
  expect(sentTo(calls, 'POST', '/reset-second-factor')).toEqual([]);
  await userEvent.click(question.getByRole('button', { name: 'Reset second factor' }));

  await waitFor(() => expect(sentTo(calls, 'POST', '/reset-second-factor')).toHaveLength(1));
  expect(await screen.findByText('Second factor of Rosa Costa reset')).toBeDefined();
});

test('the form of a user without a second factor does not offer to reset it', async () => {
  signIn('ADMIN');
  const { drawer } = await drawerOf(person({ hasSecondFactor: false }));

  expect(await drawer.findByText(/^Off\. Only the user/)).toBeDefined();
  expect(drawer.queryByRole('button', { name: 'Reset second factor' })).toBeNull();
});

const south = { id: 't2', name: 'South Clinic' };
const clinic = (known: { id: string; name: string }): Tenant => ({
  ...known,
  subdomain: known.id,
  timeZone: 'UTC',
  locale: 'en-GB',
  storageQuotaBytes: null,
  isActive: true,
  suspendedAt: null,
  suspendedReason: '',
  createdAt: '2026-11-01T09:00:00Z',
  storedBytes: 0,
  activeUsers: 1,
  superAdministrators: 0,
  isHome: false,
  isUsed: true,
  revision: 1,
});
const organizations = answer(tenants.list, () => ({
  content: [clinic({ id: 't1', name: 'North Clinic' }), clinic(south)],
  totalElements: 2,
  totalPages: 1,
  number: 0,
  size: 50,
}));

test("a super administrator moves a user to another organization after a warning, and gets the user's link", async () => {
  signIn('SUPER_ADMIN');
  const link = `/set-password#${'y'.repeat(43)}`;
  const { calls, drawer } = await drawerOf(
    person(),
    organizations,
    answer(users.setTenant, () => ({ user: person({ tenant: south }), invitation: { sentTo: null, link } })),
  );
  await userEvent.click(await drawer.findByRole('combobox', { name: 'Other organization' }));
  await userEvent.click(await screen.findByRole('option', { name: 'South Clinic' }));
  expect(screen.queryByRole('option', { name: 'North Clinic' })).toBeNull();
  await userEvent.click(drawer.getByRole('button', { name: 'Move' }));

  const question = within(await screen.findByRole('dialog', { name: 'Move Rosa Costa to South Clinic?' }));
  expect(question.getByText(/Password, second factor and roles are lost/)).toBeDefined();
  expect(sentTo(calls, 'PUT', '/tenant')).toEqual([]);
  await userEvent.click(question.getByRole('button', { name: 'Move user' }));

  expect(await screen.findByLabelText('Link')).toHaveProperty('value', `${window.location.origin}${link}`);
  expect(sentTo(calls, 'PUT', '/tenant')).toEqual([{ tenantId: 't2' }]);
});

test('a user with records cannot be moved to another organization, and the form says why', async () => {
  signIn('SUPER_ADMIN');
  const { drawer } = await drawerOf(
    person(),
    organizations,
    refuse(users.setTenant, 409, 'This user has records here'),
  );
  await userEvent.click(await drawer.findByRole('combobox', { name: 'Other organization' }));
  await userEvent.click(await screen.findByRole('option', { name: 'South Clinic' }));
  await userEvent.click(drawer.getByRole('button', { name: 'Move' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Move user' }));

  expect(await drawer.findByText('This user has records here')).toBeDefined();
});

test('an administrator cannot move a user to another organization', async () => {
  signIn('ADMIN');
  const { drawer } = await drawerOf(person());

  await drawer.findByLabelText(/Username/);
  expect(drawer.queryByRole('combobox', { name: 'Other organization' })).toBeNull();
});

test('the first field of a new user gets the focus, even when the roles load late', async () => {
  signIn('ADMIN');
  const { promise: roles, resolve: come } = Promise.withResolvers<typeof choices>();
  visit(
    '/users',
    answer(users.list, () => page([person()])),
    answer(users.roleChoices, () => roles),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Create user' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Create user' }));
  await waitFor(() => expect(document.activeElement).toBe(drawer.getByRole('button', { name: 'Close' })));

  come(choices);

  const first = await drawer.findByLabelText(/Username/);
  expect(document.activeElement).toBe(first);
});

test('Escape in the form of a new user asks before it discards input', async () => {
  signIn('ADMIN');
  open('/users', [person()]);
  await userEvent.click(await screen.findByRole('button', { name: 'Create user' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Create user' }));
  await userEvent.type(await drawer.findByLabelText(/Username/), 'new.one');

  await userEvent.keyboard('{Escape}');
  const question = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
  await userEvent.click(question.getByRole('button', { name: 'Cancel' }));

  expect(drawer.getByLabelText(/Username/)).toHaveProperty('value', 'new.one');
});

test('the question before discarding changes of a user appears only once', async () => {
  signIn('ADMIN');
  const { drawer, address } = await drawerOf(person());
  await userEvent.type(await drawer.findByLabelText(/Department/), 'Chest');

  await userEvent.click(drawer.getByRole('button', { name: 'Cancel' }));
  const question = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
  await userEvent.click(question.getByRole('button', { name: 'Leave' }));

  await waitFor(() => expect(address()).toBe('/users'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('saving a user sends the revision with which the form was opened, even if others save meanwhile', async () => {
  signIn('ADMIN');
  let stored = person();
  const { calls } = visit(
    `/users/${stored.id}`,
    answer(users.list, () => page([stored])),
    answer(users.roleChoices, () => choices),
    answer(users.get, () => stored),
    answer(account.resetSecondFactor, () => undefined),
    answer(users.update, () => stored),
  );
  const drawer = within(await screen.findByRole('dialog', { name: 'User' }));
  await userEvent.type(await drawer.findByLabelText(/Department/), 'Chest');
  stored = person({ revision: 4, specialization: 'Theirs', hasSecondFactor: false });
  await userEvent.click(drawer.getByRole('button', { name: 'Reset second factor' }));
  const question = within(await screen.findByRole('dialog', { name: /^Reset the second factor/ }));
  await userEvent.click(question.getByRole('button', { name: 'Reset second factor' }));
  await drawer.findByText(/^Off\./);

  await userEvent.click(drawer.getByRole('button', { name: 'Save' }));

  await waitFor(() => expect(sentTo(calls, 'PUT', stored.id)).toEqual([expect.objectContaining({ revision: 3 })]));
});

test('a single sign-on user can be saved with a username that new users cannot have and without e-mail', async () => {
  signIn('ADMIN');
  const userWithOddName = person({ username: "o'brien@clinic.example", email: '' });
  const { calls } = visit(
    `/users/${userWithOddName.id}`,
    answer(users.list, () => page([userWithOddName])),
    answer(users.roleChoices, () => choices),
    answer(users.get, () => userWithOddName),
    answer(users.update, () => userWithOddName),
  );
  const drawer = within(await screen.findByRole('dialog', { name: 'User' }));
  await userEvent.type(await drawer.findByLabelText(/Department/), 'Chest');
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }));

  const sent = expect.objectContaining({ username: userWithOddName.username, email: '', department: 'Chest' });
  await waitFor(() => expect(sentTo(calls, 'PUT', userWithOddName.id)).toEqual([sent]));
});
