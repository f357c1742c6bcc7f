import { account } from '@radwork/contract/identity/accounts';
import { live } from '@radwork/contract/identity/live';
import { sessions } from '@radwork/contract/identity/sessions';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, onTestFinished, test, vi } from 'vitest';
import { secretKeyOf } from '#core/installation/secret-key.ts';
import { createVault } from '#core/installation/vault.ts';
import { accountSteps, codeOf, password, wrongCodeOf } from '#test/account-steps.ts';
import { contractCalls } from '#test/contract-calls.ts';
import { createWorld } from '#test/world.ts';
import { resealSecondFactors } from './reseal-accounts.ts';
import { sealedKeyColumn } from '#identity/credentials/second-factor-code.ts';

const world = await createWorld();
const { logIn, newOwner, enrol, later, setPolicy, audited, told: notificationTitles } = accountSteps(world);

const needed = { status: 403, error: 'session.second_factor_needed' };

test('a second factor is required at sign-in only after its first code was confirmed', async () => {
  const rosa = await newOwner();
  const { data: enrollment } = await rosa.send(account.beginSecondFactor, { body: { currentPassword: password } });
  const unconfirmed = await rosa.logIn();
  const wrong = await rosa.send(account.confirmSecondFactor, { body: { code: wrongCodeOf(enrollment.key) } });

  const confirmed = await rosa.send(account.confirmSecondFactor, { body: { code: codeOf(enrollment.key) } });
  const without = await rosa.logIn();
  const withCode = await rosa.logIn({ code: codeOf(enrollment.key, 1) });

  expect(enrollment.uri).toMatch(/^otpauth:\/\/totp\/Radwork:/);
  expect([unconfirmed.statusCode, withCode.statusCode]).toEqual([200, 200]);
  expect(wrong).toMatchObject({ status: 422, errors: [{ field: 'code' }] });
  expect(confirmed.data.recoveryCodes).toHaveLength(10);
  expect(without.json()).toMatchObject({
    code: 401,
    error: 'session.second_factor',
    message: 'Enter the code from your authenticator app',
  });
  expect(without.payload).not.toContain('token');
  expect(withCode.json().data.user.secondFactor).toBe('SET');
  expect(await notificationTitles(rosa)).toContain('A second factor was set up');
  expect(await audited(rosa)).toContain('second_factor.enrol');
});

test('setting up a second factor requires the password', async () => {
  const rosa = await newOwner();

  const without = await rosa.send(account.beginSecondFactor, { body: {} });
  const wrong = await rosa.send(account.beginSecondFactor, { body: { currentPassword: 'a guess of mine' } });

  expect([without.status, wrong.status]).toEqual([422, 422]);
  expect(wrong.errors).toEqual([{ field: 'currentPassword', message: 'The password is wrong' }]);
});

test('a wrong password gets the same answer whether or not the account has a second factor or a code was sent', async () => {
  const [plain, factored] = [await newOwner(), await newOwner()];
  const { key } = await enrol(factored);
  const wrong = { given: 'not it at all' };

  const answers = await Promise.all([
    plain.logIn(wrong),
    factored.logIn(wrong),
    factored.logIn({ ...wrong, code: codeOf(key, 1) }),
  ]);

  const bodies = answers.map((answer) => ({ ...answer.json(), traceId: '' }));
  expect(bodies[1]).toEqual(bodies[0]);
  expect(bodies[2]).toEqual(bodies[0]);
  // The call with the wrong password did not use up the code.
  expect((await factored.logIn({ code: codeOf(key, 1) })).statusCode).toBe(200);
});

test('a code works only once, even in two simultaneous sign-ins', async () => {
  const rosa = await newOwner();
  const { key } = await enrol(rosa);
  await later(rosa);
  const code = codeOf(key);

  const answers = await Promise.all(
    ['10.1.0.1', '10.1.0.2', '10.1.0.3'].map((address) => rosa.logIn({ code, address })),
  );
  const again = await rosa.logIn({ code, address: '10.1.0.4' });

  expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 401, 401]);
  expect(again.statusCode).toBe(401);
});

test('accepts the code of one time step before or after the current one, and no other', async () => {
  // Stops the clock in the middle of a time step.
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 });
  onTestFinished(() => void vi.useRealTimers());
  const rosa = await newOwner();
  const { key } = await enrol(rosa);
  const tryStep = async (step: number) => {
    await later(rosa);
    return (await rosa.logIn({ code: codeOf(key, step), address: `10.1.1.${step + 10}` })).statusCode;
  };

  expect([await tryStep(-1), await tryStep(0), await tryStep(1)]).toEqual([200, 200, 200]);
  expect([await tryStep(-2), await tryStep(2)]).toEqual([401, 401]);
});

test('five wrong codes lock the second factor for fifteen minutes from every address, and its owner is notified', async () => {
  const rosa = await newOwner();
  const { key, recoveryCodes } = await enrol(rosa);
  const code = wrongCodeOf(key);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, guess) => rosa.logIn({ code, address: `10.1.2.${guess}` })),
  );

  const right = await rosa.logIn({ code: codeOf(key, 1), address: '10.1.2.20' });
  const recovery = await rosa.logIn({ code: recoveryCodes[0] ?? '', address: '10.1.2.21' });

  expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(4);
  expect(right.json()).toMatchObject({
    code: 429,
    message: 'Too many wrong codes. Your second factor is locked. Try again in 15 minutes.',
  });
  expect(recovery.statusCode).toBe(429);
  expect(await notificationTitles(rosa)).toContain('Your second factor is locked for 15 minutes');
  expect(await rosa.isIn()).toBe(true);
  await later(rosa);
  expect((await rosa.logIn({ code: codeOf(key, 1), address: '10.1.2.22' })).statusCode).toBe(200);
});

test('wrong codes count like wrong passwords, and a correct password does not reset the count of wrong codes', async () => {
  const rosa = await newOwner();
  const { key } = await enrol(rosa);
  for (let guess = 0; guess < 5; guess++) {
    await later(rosa);
    await rosa.logIn({ code: wrongCodeOf(key), address: '10.1.3.1' });
    await later(rosa);
    await rosa.logIn({ address: '10.1.3.2' });
  }
  await later(rosa);

  const guesser = await rosa.logIn({ code: codeOf(key), address: '10.1.3.1' });
  const owner = await rosa.logIn({ code: codeOf(key), address: '10.1.3.3' });

  expect([guesser.statusCode, owner.statusCode]).toEqual([429, 200]);
});

test('a recovery code works once in any spelling, and the other codes remain valid', async () => {
  const rosa = await newOwner();
  const { recoveryCodes } = await enrol(rosa);
  const [first = '', second = ''] = recoveryCodes;

  const typed = await rosa.logIn({ code: first.toLowerCase().replaceAll('-', ' ') });
  const again = await rosa.logIn({ code: first });
  const race = await Promise.all(['10.1.4.1', '10.1.4.2'].map((address) => rosa.logIn({ code: second, address })));

  expect([typed.statusCode, again.statusCode]).toEqual([200, 401]);
  expect(race.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 401]);
  expect((await rosa.send(account.read)).data.secondFactor).toMatchObject({ isSet: true, recoveryCodesLeft: 8 });
  expect(await notificationTitles(rosa)).toContain('A recovery code was used');
  const { rows } = await world.sql<{ text: string }>`
    select to_jsonb(r)::text || to_jsonb(f)::text as text from recovery_codes r join second_factors f
      on f.user_id = r.user_id where r.user_id = ${rosa.userId}`.execute(world.owner);
  expect(rows.some(({ text }) => text.includes(first) || text.includes(first.replaceAll('-', '')))).toBe(false);
});

test('new recovery codes require password and code, and invalidate the old codes', async () => {
  const rosa = await newOwner();
  const { key, recoveryCodes } = await enrol(rosa);
  const ask = (body: object) => rosa.send(account.renewRecoveryCodes, { body });

  const withoutPassword = await ask({ code: codeOf(key, 1) });
  const wrong = await ask({ currentPassword: password, code: wrongCodeOf(key) });
  const renewed = await ask({ currentPassword: password, code: codeOf(key, 1) });

  expect(withoutPassword.errors?.[0]?.field).toBe('currentPassword');
  expect(wrong).toMatchObject({ status: 422, errors: [{ field: 'code' }] });
  expect(renewed.data.recoveryCodes).toHaveLength(10);
  expect((await rosa.logIn({ code: recoveryCodes[0] ?? '' })).statusCode).toBe(401);
  expect((await rosa.logIn({ code: renewed.data.recoveryCodes[0] ?? '' })).statusCode).toBe(200);
});

test('turning off the second factor requires password and code; sign-in then requires only the password', async () => {
  const rosa = await newOwner();
  const { key } = await enrol(rosa);
  const body = { currentPassword: password, code: codeOf(key, 1) };

  const without = await rosa.send(account.removeSecondFactor, {
    body: { ...body, currentPassword: 'a guess of mine' },
  });
  const guessed = await rosa.send(account.removeSecondFactor, { body: { ...body, code: wrongCodeOf(key) } });
  const removed = await rosa.send(account.removeSecondFactor, { body });

  expect([without.status, guessed.status, removed.status]).toEqual([422, 422, 200]);
  expect((await rosa.logIn()).statusCode).toBe(200);
  expect(await notificationTitles(rosa)).toContain('Your second factor was turned off');
});

test('refuses to set up a second factor while another is set', async () => {
  const rosa = await newOwner();
  await enrol(rosa);

  const enrollment = await rosa.send(account.beginSecondFactor, { body: { currentPassword: password } });

  expect(enrollment).toMatchObject({ status: 409, error: 'second_factor.set' });
});

test('an administrator can reset the second factor of other users, but not of a higher user type', async () => {
  const rosa = await newOwner();
  await enrol(rosa);
  const admin = await newOwner('ADMIN', rosa.tenant);
  const superAdmin = await newOwner('SUPER_ADMIN', rosa.tenant);
  await enrol(superAdmin);
  const stranger = await newOwner('ADMIN');
  const reset = (by: typeof admin, { userId }: { userId: string }) =>
    by.send(account.resetSecondFactor, { params: { id: userId } });

  const refused = [await reset(rosa, admin), await reset(stranger, rosa), await reset(admin, superAdmin)];
  const own = await reset(superAdmin, superAdmin);
  const done = await reset(admin, rosa);
  const again = await reset(admin, rosa);

  expect(refused.map(({ status }) => status)).toEqual([403, 404, 403]);
  expect([own.status, done.status, again.status]).toEqual([409, 200, 409]);
  expect((await rosa.logIn()).statusCode).toBe(200);
  expect((await superAdmin.logIn()).statusCode).toBe(401);
  expect(await audited(rosa)).toContain('second_factor.reset');
  expect(await notificationTitles(rosa)).toContain('An administrator reset your second factor');
});

const basic = ({ tenant, username }: { tenant: { subdomain: string }; username: string }) => ({
  authorization: `Basic ${Buffer.from(`${tenant.subdomain}/${username}:${password}`).toString('base64')}`,
});

test('refuses HTTP Basic with a message for an account with a second factor', async () => {
  const rosa = await newOwner();
  const ask = () => world.request({ method: 'GET', url: '/dicom-web/studies', headers: basic(rosa) });
  const before = await ask();
  await enrol(rosa);
  // On a running server, the database announces the change. Servers in tests do not listen, and would ask the database
  // again only after ten seconds.
  world.context.sessions.forget();

  const after = await ask();

  expect(before.statusCode).toBe(200);
  expect(after.json()).toMatchObject({ code: 403, error: 'session.second_factor' });
  expect(after.json().message).toContain('HTTP Basic cannot be used with a second factor');
});

test('a user who must set up a second factor can call nothing else', async () => {
  const superAdmin = await newOwner('SUPER_ADMIN');
  const elsewhere = await world.newTenant();
  const authorization = `Bearer ${superAdmin.token}`;
  const { rows } = await world.sql<{ id: string }>`select gen_random_uuid() as id`.execute(world.owner);
  expect((await superAdmin.send(studies.list)).status).toBe(200);
  await setPolicy(superAdmin.tenant, 'ADMINISTRATORS');
  world.context.sessions.forget();

  const letIn: string[] = [];
  const signingOut = 'POST /api/auth/logout';
  for (const call of contractCalls.filter(({ can, name }) => can !== 'public' && name !== signingOut)) {
    const url = call.url.replaceAll(/:\w+/g, rows[0]?.id ?? '').replace('*', '00091010');
    for (const headers of [{ authorization }, { authorization, 'x-tenantid': elsewhere.subdomain }]) {
      const { statusCode, payload } = await world.request({ method: call.method, url, headers });
      if (statusCode !== 403 || !payload.includes('session.second_factor_needed')) letIn.push(call.name);
    }
  }

  expect([...new Set(letIn)].toSorted()).toEqual([
    'GET /api/account',
    'POST /api/account/second-factor',
    'POST /api/account/second-factor/confirm',
  ]);
  const other = await world.request({ method: 'GET', url: '/dicom-web/studies', headers: basic(superAdmin) });
  expect(other.json()).toMatchObject({ code: 403, error: 'session.second_factor_needed' });
  const stream = await world.request({ method: 'GET', url: live.path, headers: { authorization } });
  expect(stream.statusCode).toBe(403);
  expect((await superAdmin.send(sessions.logout)).status).toBe(200);
});

test('a user sets up a required second factor right after signing in, and can then make all calls', async () => {
  const tenant = await world.newTenant();
  await setPolicy(tenant, 'EVERYBODY');
  const rosa = await newOwner('REFERRING_PHYSICIAN', tenant);

  const before = await rosa.send(studies.list);
  const { data: enrollment } = await rosa.send(account.beginSecondFactor, { body: {} });
  await rosa.send(account.confirmSecondFactor, { body: { code: codeOf(enrollment.key) } });
  const after = await rosa.send(studies.list);

  expect(before).toMatchObject(needed);
  expect(after.status).toBe(200);
  const { data } = await world.send(sessions.validate, { body: { token: rosa.token } });
  expect(data.user.secondFactor).toBe('SET');
});

test('a session that is no longer recent cannot set up a second factor without the password', async () => {
  const tenant = await world.newTenant();
  await setPolicy(tenant, 'EVERYBODY');
  const rosa = await newOwner('RADIOLOGIST', tenant);
  await world.owner
    .updateTable('sessions')
    .set({ authenticated_at: world.sql`now() - interval '16 minutes'` })
    .where('user_id', '=', rosa.userId)
    .execute();

  const without = await rosa.send(account.beginSecondFactor, { body: {} });
  const right = await rosa.send(account.beginSecondFactor, { body: { currentPassword: password } });

  expect([without.status, right.status]).toEqual([422, 200]);
});

test.each([
  ['OPTIONAL', [200, 200]],
  ['ADMINISTRATORS', [200, 403]],
  ['EVERYBODY', [403, 403]],
] as const)(
  'under the second-factor policy %s, a radiologist and an administrator without a second factor get %j',
  async (policy, expected) => {
    const tenant = await world.newTenant();
    await setPolicy(tenant, policy);
    const people = [await newOwner('RADIOLOGIST', tenant), await newOwner('ADMIN', tenant)];

    const answers = await Promise.all(people.map((person) => person.send(studies.list)));

    expect(answers.map(({ status }) => status)).toEqual(expected);
  },
);

test('a session of single sign-on requires no second factor of ours', async () => {
  const tenant = await world.newTenant();
  await setPolicy(tenant, 'EVERYBODY');
  const rosa = await newOwner('RADIOLOGIST', tenant);
  const token = await world.inTenant(tenant, ({ db }) =>
    world.context.sessions.begin(db, rosa.userId, { address: '127.0.0.1', userAgent: '' }, { isSingleSignOn: true }),
  );

  expect((await rosa.send(studies.list, {}, token)).status).toBe(200);
  expect((await rosa.send(studies.list)).status).toBe(403);
});

test('after a change of SECRET_KEY, a second factor is sealed with the new key and its codes still work', async () => {
  const rosa = await newOwner();
  const { key } = await enrol(rosa);
  const newKey = secretKeyOf('another secret of this installation, long enough');
  const vault = createVault(newKey, [world.context.secretKey]);

  const count = await resealSecondFactors(world.owner, vault);
  const again = await resealSecondFactors(world.owner, vault);

  const { sealed_key, tenant_id } = await world.owner
    .selectFrom('second_factors')
    .select(['sealed_key', 'tenant_id'])
    .where('user_id', '=', rosa.userId)
    .executeTakeFirstOrThrow();
  expect(count).toBeGreaterThan(0);
  expect(again).toBe(0);
  expect(createVault(newKey).open(sealed_key, sealedKeyColumn(tenant_id, rosa.userId))).toBe(key);
  // Restores the keys that other tests in this file have sealed.
  await resealSecondFactors(world.owner, createVault(world.context.secretKey, [newKey]));
  await later(rosa);
  expect(
    (await logIn(rosa.username, password, { code: codeOf(key), subdomain: rosa.tenant.subdomain })).statusCode,
  ).toBe(200);
});
