import { account } from '@radwork/contract/identity/accounts';
import { sessions } from '@radwork/contract/identity/sessions';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { hashPassword } from '#core/access/passwords.ts';
import { accountSteps, password } from '#test/account-steps.ts';
import { waitsForLock } from '#test/waits-for-lock.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const { newOwner, audited, told: notificationTitles } = accountSteps(world);

const fresh = 'quiet copper meadow';
const change = (userId: string, more: object = {}) => ({
  params: { id: userId },
  body: { currentPassword: password, newPassword: fresh, ...more },
});

test('changing the password requires the current password and ends all other sessions of the user', async () => {
  const rosa = await newOwner();
  const elsewhere: string = (await rosa.logIn()).json().data.token;

  const answer = await rosa.send(account.changePassword, change(rosa.userId));

  expect(answer.status).toBe(200);
  expect([await rosa.isIn(), await rosa.isIn(elsewhere)]).toEqual([true, false]);
  expect((await rosa.logIn()).statusCode).toBe(401);
  expect((await rosa.logIn({ given: fresh })).statusCode).toBe(200);
  expect(await audited(rosa)).toContain('password.change');
  expect(await notificationTitles(rosa)).toEqual(['Your password was changed']);
});

test('a wrong current password changes nothing, and the error is at its field', async () => {
  const rosa = await newOwner();

  const answer = await rosa.send(account.changePassword, change(rosa.userId, { currentPassword: 'a guess of mine' }));

  expect(answer).toMatchObject({
    status: 422,
    errors: [{ field: 'currentPassword', message: 'The password is wrong' }],
  });
  expect((await rosa.logIn()).statusCode).toBe(200);
});

test('wrong passwords on the account page count toward the same limit as at sign-in', async () => {
  const rosa = await newOwner();
  for (let guess = 0; guess < 5; guess++) {
    await rosa.send(account.changePassword, change(rosa.userId, { currentPassword: `guess number ${guess}` }));
  }

  const signedIn = await rosa.send(account.changePassword, change(rosa.userId));
  const atTheDoor = await rosa.logIn();

  expect([signedIn.status, atTheDoor.statusCode]).toEqual([429, 429]);
});

test('refuses a password that is easy to guess, with the reason at its field', async () => {
  const rosa = await newOwner();
  const refuse = async (newPassword: string) =>
    (await rosa.send(account.changePassword, change(rosa.userId, { newPassword }))).errors;

  expect(await refuse('too short')).toEqual([{ field: 'newPassword', message: 'Use at least 12 characters' }]);
  expect(await refuse('password1234')).toMatchObject([
    { field: 'newPassword', message: expect.stringContaining('too common') },
  ]);
  expect(await refuse(rosa.email)).toMatchObject([
    { field: 'newPassword', message: expect.stringContaining('mostly') },
  ]);
  expect(await refuse(password)).toEqual([{ field: 'newPassword', message: 'This is your current password' }]);
});

test('no user can change the password of another user, not even an administrator', async () => {
  const rosa = await newOwner();
  const admin = await newOwner('ADMIN', rosa.tenant);
  const stranger = await newOwner('ADMIN');

  const colleague = await admin.send(account.changePassword, change(rosa.userId));
  const foreign = await stranger.send(account.changePassword, change(rosa.userId));
  const nobody = await stranger.send(account.changePassword, change(newId()));

  expect([colleague.status, foreign.status, nobody.status]).toEqual([403, 404, 404]);
  expect((await rosa.logIn()).statusCode).toBe(200);
});

test('only one of two simultaneous password changes succeeds', async () => {
  const rosa = await newOwner();
  const other: string = (await rosa.logIn({ address: '10.0.0.9' })).json().data.token;

  const answers = await Promise.all([
    rosa.send(account.changePassword, change(rosa.userId)),
    rosa.send(account.changePassword, change(rosa.userId, { newPassword: 'garden lantern cellar' }), other),
  ]);

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const opens = await Promise.all([rosa.logIn({ given: fresh }), rosa.logIn({ given: 'garden lantern cellar' })]);
  expect(opens.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
});

test('refuses a sign-in during which the password changes', async () => {
  const rosa = await newOwner();
  const passwordHash = await hashPassword(fresh);
  let late: ReturnType<typeof rosa.logIn> | undefined;

  await world.inTenant(rosa.tenant, async ({ db }) => {
    await db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', rosa.userId).execute();
    late = rosa.logIn({ address: '10.0.0.12' });
    await waitsForLock(world);
  });

  expect((await late)?.statusCode).toBe(401);
});

const profile = { name: 'Rosa Lind', specialization: 'Chest', department: 'Radiology' };

test('a user changes their own credentials, and a form without this field does not change them', async () => {
  const rosa = await newOwner();
  const { revision } = (await rosa.send(account.read)).data;
  const body = { ...profile, email: rosa.email };

  const saved = await rosa.send(account.save, { body: { ...body, credentials: 'MD', revision } });
  const again = await rosa.send(account.save, { body: { ...body, department: 'CT', revision: saved.data.revision } });

  expect(saved.data.credentials).toBe('MD');
  expect(again.data).toMatchObject({ credentials: 'MD', department: 'CT' });
});

test('a user changes their name, and the next call shows it', async () => {
  const rosa = await newOwner();
  const { revision } = (await rosa.send(account.read)).data;

  const saved = await rosa.send(account.save, {
    body: { ...profile, name: ' Rosa Lind-Berg ', email: rosa.email, revision },
  });

  expect(saved.data).toMatchObject({ name: 'Rosa Lind-Berg', specialization: 'Chest', revision: revision + 1 });
  const { data } = await world.send(sessions.validate, {
    body: { token: rosa.token },
  });
  expect(data.user.name).toBe('Rosa Lind-Berg');
});

test('refuses a profile form that is older than the latest change', async () => {
  const rosa = await newOwner();
  const { revision } = (await rosa.send(account.read)).data;
  const body = { ...profile, email: rosa.email, revision };
  await rosa.send(account.save, { body });

  const late = await rosa.send(account.save, { body: { ...body, name: 'Another' } });

  expect(late).toMatchObject({ status: 409, error: 'account.changed' });
  expect((await rosa.send(account.read)).data.name).toBe('Rosa Lind');
});

test('changing the e-mail address requires the password, because password links are sent there', async () => {
  const rosa = await newOwner();
  const { revision } = (await rosa.send(account.read)).data;
  const body = { ...profile, email: 'attacker@example.org', revision };

  const without = await rosa.send(account.save, { body });
  const wrong = await rosa.send(account.save, { body: { ...body, currentPassword: 'a guess of mine' } });
  const right = await rosa.send(account.save, { body: { ...body, currentPassword: password } });

  expect([without.errors?.[0]?.field, wrong.errors?.[0]?.field]).toEqual(['currentPassword', 'currentPassword']);
  expect(right.data.email).toBe('attacker@example.org');
  expect(await notificationTitles(rosa)).toEqual(['Your e-mail address was changed']);
});

test.each([
  [{ name: ' ' }, 'name', 'Name is required'],
  [{ email: 'nobody' }, 'email', 'Enter an e-mail address'],
])('refuses an invalid profile form at its field: %o', async (more, field, message) => {
  const rosa = await newOwner();

  const answer = await rosa.send(account.save, { body: { ...profile, email: rosa.email, revision: 1, ...more } });

  expect(answer).toMatchObject({ status: 422, errors: [{ field, message }] });
});

test('a visiting super administrator sees and changes the account of their own organization', async () => {
  const superAdmin = await newOwner('SUPER_ADMIN');
  const other = await world.newTenant();
  const visiting = { headers: { 'x-tenantid': other.subdomain } };

  const read = await superAdmin.send(account.read, visiting);
  const changed = await superAdmin.send(account.changePassword, { ...change(superAdmin.userId), ...visiting });

  expect(read.data).toMatchObject({
    username: superAdmin.username,
    organization: `Clinic ${superAdmin.tenant.subdomain}`,
  });
  expect(changed.status).toBe(200);
  expect((await superAdmin.logIn({ given: fresh })).statusCode).toBe(200);
});

test('a user lists their sessions and ends one session, all others, or all', async () => {
  const rosa = await newOwner();
  const [phone, office, home]: string[] = await Promise.all(
    ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map(async (address) => (await rosa.logIn({ address })).json().data.token),
  );
  const colleague = await newOwner('RADIOLOGIST', rosa.tenant);

  const { data: list } = await rosa.send(account.sessions);
  const phoneId = list.find(({ address }) => address === '10.0.0.1')?.id ?? '';

  expect(list).toHaveLength(4);
  expect(list[0]).toMatchObject({ isCurrent: true, lastSeenAt: null, address: '127.0.0.1' });
  expect((await colleague.send(account.endSession, { params: { id: phoneId } })).status).toBe(404);
  expect((await rosa.send(account.endSession, { params: { id: phoneId } })).status).toBe(200);
  expect([await rosa.isIn(phone), await rosa.isIn(office)]).toEqual([false, true]);
  expect((await rosa.send(account.endSessions, { body: { which: 'OTHERS' } })).data).toEqual({ ended: 2 });
  expect([await rosa.isIn(), await rosa.isIn(office), await rosa.isIn(home)]).toEqual([true, false, false]);
  expect((await rosa.send(account.endSessions, { body: { which: 'ALL' } })).data).toEqual({ ended: 1 });
  expect(await rosa.send(studies.list)).toMatchObject({ status: 401 });
  expect(await colleague.isIn()).toBe(true);
});
