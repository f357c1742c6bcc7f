import { sessions } from '@radwork/contract/identity/sessions';
import { studies } from '@radwork/contract/imaging/studies';
import { hash } from '@node-rs/argon2';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { hashPassword } from '#core/access/passwords.ts';
import { createUser } from '#identity/user-records/create-user.ts';
import { createWorld, type Tenant } from '#test/world.ts';

const world = await createWorld();
const password = 'correct horse battery';
const passwordHash = await hashPassword(password);

/** A hash that takes little time, for tests with dozens of sign-ins. */
const quickHash = await hash(password, { memoryCost: 64, timeCost: 1 });

const enroll = async (tenant: Tenant, username: string, asHash = passwordHash) =>
  world.inTenant(tenant, (scope) =>
    createUser(scope, {
      username,
      name: 'Rosa',
      email: 'rosa@example.org',
      userType: 'RADIOLOGIST',
      passwordHash: asHash,
    }),
  );

const logIn = (username: string, typedPassword: string, subdomain?: string, address?: string) =>
  world.request({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username, password: typedPassword },
    headers: { ...(subdomain && { 'x-tenantid': subdomain }) },
    ...(address && { remoteAddress: address }),
  });

const signInsOf = (tenant: Tenant) =>
  world.inTenant(tenant, ({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['action', 'outcome', 'username', 'user_id', 'user_type', 'detail'])
      .orderBy('id')
      .execute(),
  );

test('the correct password opens a session with user and permissions', async () => {
  const tenant = await world.newTenant();
  await enroll(tenant, 'rosa.login');

  const answer = (await logIn('ROSA.login', password, tenant.subdomain)).json();

  expect(answer).toMatchObject({
    code: 200,
    data: { user: { username: 'rosa.login' }, tenant: { subdomain: tenant.subdomain } },
  });
  expect(answer.data.token).toMatch(/^[\w-]{43}$/);
  expect(answer.data.roles[0].permissions).toContainEqual({ name: 'report.finalize' });
  expect(JSON.stringify(answer)).not.toMatch(/argon2|hash/);
});

test('an unknown name and a wrong password get the same answer', async () => {
  const tenant = await world.newTenant();
  await enroll(tenant, 'rosa.same');

  const wrong = await logIn('rosa.same', 'not it at all', tenant.subdomain);
  const unknown = await logIn('nobody.here', 'not it at all', tenant.subdomain);

  const { traceId: _, ...refusal } = wrong.json();
  expect(unknown.json()).toMatchObject(refusal);
  expect(refusal).toMatchObject({ code: 401, message: 'Invalid username or password' });
});

test('name and password match in every Unicode form that a keyboard produces', async () => {
  const tenant = await world.newTenant();
  const [composed, apart] = ['Nguyễn Văn An ở Huế', 'Nguyễn Văn An ở Huế'.normalize('NFD').replaceAll(' ', '\u00a0')];
  const hashes = { of: await hashPassword(apart), before: await hash(apart) };
  const open = async (username: string, typedPassword: string) =>
    (await logIn(username, typedPassword, tenant.subdomain)).statusCode;
  const set = (passwordHash: string) =>
    world.owner.updateTable('users').set({ password_hash: passwordHash }).where('tenant_id', '=', tenant.id).execute();
  await enroll(tenant, 'nguyễn.an');

  await set(hashes.of);
  expect(await open('nguyễn.an', composed)).toBe(200);
  expect(await open('nguyễn.an'.normalize('NFD'), apart)).toBe(200);
  expect(await open('nguyễn.an', 'Nguyen Van An o Hue')).toBe(401);
  await set(hashes.before);
  expect(await open('nguyễn.an', apart)).toBe(200);
});

test('refuses a name that exists in two tenants until the tenant is named', async () => {
  const [north, south] = [await world.newTenant(), await world.newTenant()];
  await enroll(north, 'rosa.twice');
  await enroll(south, 'rosa.twice');

  const guessed = await logIn('rosa.twice', password);
  const named = await logIn('rosa.twice', password, south.subdomain);

  expect(guessed.statusCode).toBe(401);
  expect(named.json().data.tenant.subdomain).toBe(south.subdomain);
});

test('delays the caller who guesses a password, not the owner of the account', async () => {
  const tenant = await world.newTenant();
  await enroll(tenant, 'rosa.brake');
  for (let guess = 0; guess < 5; guess++) await logIn('rosa.brake', 'wrong password', tenant.subdomain, '10.0.0.66');

  const guesser = await logIn('rosa.brake', password, tenant.subdomain, '10.0.0.66');
  const owner = await logIn('rosa.brake', password, tenant.subdomain, '10.0.0.7');

  expect(guesser.statusCode).toBe(429);
  expect(Number(guesser.headers['retry-after'])).toBeGreaterThan(0);
  expect(owner.statusCode).toBe(200);
});

test('delays simultaneous guesses like successive guesses', async () => {
  const tenant = await world.newTenant();
  await enroll(tenant, 'rosa.flood');

  const answers = await Promise.all(
    Array.from({ length: 12 }, () => logIn('rosa.flood', 'wrong password', tenant.subdomain, '10.0.0.67')),
  );

  expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(5);
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(7);
});

test('limits attempts in the same way for known and unknown names, whatever organization they name', async () => {
  const [tenant, other] = [await world.newTenant(), await world.newTenant()];
  await enroll(tenant, 'rosa.known');
  const answersFor = async (username: string, address: string) => {
    const subdomains = [
      undefined,
      undefined,
      other.subdomain,
      tenant.subdomain,
      undefined,
      tenant.subdomain,
      'nowhere',
    ];
    const answers = [];
    for (const subdomain of [...subdomains, other.subdomain, undefined]) {
      const { statusCode, headers, body } = await logIn(username, 'wrong password', subdomain, address);
      const { traceId: _, ...told } = JSON.parse(body);
      answers.push({ statusCode, retryAfter: headers['retry-after'] === undefined, told });
    }
    return answers;
  };

  const known = await answersFor('rosa.known', '10.0.1.1');

  expect(known.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429]);
  expect(await answersFor('nobody.known', '10.0.1.2')).toEqual(known);
});

test('guesses for one name count together in every spelling', async () => {
  const tenant = await world.newTenant();
  await enroll(tenant, 'kim.brake');
  const spellings = ['kim.brake', 'KIM.brake', '\u212aim.brake', 'kım.brake', 'kim.bra\u212ae'];
  for (const name of spellings) await logIn(name, 'wrong password', tenant.subdomain, '10.0.1.3');

  expect((await logIn('kim.brake', password, tenant.subdomain, '10.0.1.3')).statusCode).toBe(429);
});

test('checks 30 of 45 simultaneous guesses for 45 names from one network, and refuses the rest', async () => {
  const tenant = await world.newTenant();
  const names = Array.from({ length: 45 }, (_, at) => `spray.${at}`);
  for (const name of names.slice(4)) await enroll(tenant, name, quickHash);

  const answers = await Promise.all(
    names.map((name, at) => logIn(name, 'wrong password', at % 2 ? tenant.subdomain : undefined, '10.0.1.4')),
  );

  expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(30);
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(15);
});

test('all users of a hospital can sign in at the same moment with the correct passwords', async () => {
  const tenant = await world.newTenant();
  const names = Array.from({ length: 40 }, (_, at) => `rosa.morning${at}`);
  for (const name of names) await enroll(tenant, name, quickHash);

  const answers = await Promise.all(names.map((name) => logIn(name, password, tenant.subdomain, '10.0.1.5')));

  expect(answers.map(({ statusCode }) => statusCode)).toEqual(names.map(() => 200));
});

test('a correct password does not reset the guesses at another organization', async () => {
  const [tenant, own] = [await world.newTenant(), await world.newTenant()];
  await enroll(tenant, 'rosa.two');
  await enroll(own, 'rosa.two');
  for (let guess = 0; guess < 4; guess++) await logIn('rosa.two', 'wrong password', tenant.subdomain, '10.0.1.6');

  expect((await logIn('rosa.two', password, own.subdomain, '10.0.1.6')).statusCode).toBe(200);
  await logIn('rosa.two', 'wrong password', tenant.subdomain, '10.0.1.6');

  expect((await logIn('rosa.two', password, tenant.subdomain, '10.0.1.6')).statusCode).toBe(429);
});

test('an unknown name is refused as slowly as a wrong password, and both refusals are audited', async () => {
  const [tenant, operators] = [await world.newTenant(), await world.signIn('SUPER_ADMIN')];
  await enroll(tenant, 'rosa.timed');
  const refusedIn = async (username: string, subdomain: string | undefined, address: string) => {
    const start = performance.now();
    expect((await logIn(username, 'wrong password', subdomain, address)).statusCode).toBe(401);
    return performance.now() - start;
  };
  await refusedIn('rosa.timed', undefined, '10.0.2.0');

  const ratios: number[] = [];
  for (let pair = 0; pair < 9; pair++) {
    const subdomain = [undefined, tenant.subdomain][pair % 2];
    const unknown = await refusedIn('nobody.timed', subdomain, `10.0.3.${pair}`);
    ratios.push((await refusedIn('rosa.timed', subdomain, `10.0.4.${pair}`)) / unknown);
  }

  const median = ratios.toSorted((one, other) => one - other)[4];
  expect(median).toBeGreaterThan(0.6);
  expect(median).toBeLessThan(1.7);
  const places = await world.owner
    .selectFrom('audit_entries')
    .select('tenant_id')
    .where('username', '=', 'unknown name')
    .where('address', 'like', '10.0.3.%')
    .execute();
  expect(places).toHaveLength(9);
  expect(places.filter(({ tenant_id }) => tenant_id === operators.tenant.id)).toHaveLength(5);
});

test('audits a sign-in under its user, and a wrong password without a user', async () => {
  const tenant = await world.newTenant();
  const userId = await enroll(tenant, 'rosa.noted');

  await logIn('rosa.noted', 'wrong password', tenant.subdomain);
  await logIn('rosa.noted', password, tenant.subdomain);

  expect(await signInsOf(tenant)).toMatchObject([
    { action: 'session.refuse', outcome: 'FAILURE', username: 'rosa.noted', user_id: null, detail: { userId } },
    { action: 'session.begin', outcome: 'SUCCESS', username: 'rosa.noted', user_id: userId, user_type: 'RADIOLOGIST' },
  ]);
});

test('audits an unknown name at the sign-in page, without the typed text', async () => {
  const tenant = await world.newTenant();

  await logIn('my-secret-by-mistake', 'wrong password', tenant.subdomain);

  expect(await signInsOf(tenant)).toMatchObject([
    { action: 'session.refuse', outcome: 'FAILURE', username: 'unknown name', user_id: null, detail: null },
  ]);
  expect(JSON.stringify(await signInsOf(tenant))).not.toContain('my-secret');
});

test('audits the lock of an account once a minute, even for many attempts', async () => {
  const tenant = await world.newTenant();
  const userId = await enroll(tenant, 'rosa.held');
  for (let guess = 0; guess < 8; guess++) await logIn('rosa.held', 'wrong password', tenant.subdomain, '10.0.0.68');

  const entries = await signInsOf(tenant);

  expect(entries.map(({ action }) => action)).toEqual([...Array(5).fill('session.refuse'), 'session.lock']);
  expect(entries.at(-1)).toMatchObject({ outcome: 'FAILURE', user_id: null, detail: { userId } });
});

test('guesses from many addresses of a network or without an organization are delayed too', async () => {
  const tenant = await world.newTenant();
  await enroll(tenant, 'rosa.network');
  for (let guess = 0; guess < 5; guess++) {
    const subdomain = guess % 2 ? tenant.subdomain : undefined;
    await logIn('rosa.network', 'wrong password', subdomain, `2001:db8:0:7::${guess}`);
  }

  expect((await logIn('rosa.network', password, tenant.subdomain, '2001:db8:0:7:ffff::1')).statusCode).toBe(429);
  expect((await logIn('rosa.network', password, tenant.subdomain, '2001:db8:0:8::1')).statusCode).toBe(200);
});

test('signing out ends the session immediately', async () => {
  const person = await world.signIn();

  await person.send(sessions.logout);

  expect(await person.send(studies.list)).toMatchObject({ status: 401 });
  expect(await world.send(sessions.validate, { body: { token: person.token } })).toMatchObject({ status: 401 });
});

test('accepts a stored token only for its own user', async () => {
  const { token, username } = await world.signIn();

  const own = await world.send(sessions.validate, { body: { token, username } });
  const other = await world.send(sessions.validate, { body: { token, username: 'somebody.else' } });

  expect(own).toMatchObject({ code: 200, data: { token, user: { username } } });
  expect(other).toMatchObject({ code: 401 });
});

test('deactivating a user ends the session', async () => {
  const person = await world.signIn();

  await world.inTenant(person.tenant, ({ db }) =>
    db.updateTable('users').set({ is_active: false }).where('id', '=', person.userId).execute(),
  );

  expect(await person.send(studies.list)).toMatchObject({ status: 401 });
});

test('an idle session expires, and polling does not extend it', async () => {
  const person = await world.signIn();
  const idleFor = (minutes: number) =>
    world.inTenant(person.tenant, ({ db }) =>
      db
        .updateTable('sessions')
        .set({ last_seen_at: sql`now() - make_interval(mins => ${minutes})` })
        .execute(),
    );

  await idleFor(29);
  const poll = await person.send(studies.list, { headers: { 'x-poll': '1' } });
  await idleFor(31);
  const late = await person.send(studies.list);

  expect([poll.status, late.status]).toEqual([200, 401]);
});

test('a header that names another tenant does not change the tenant of a user', async () => {
  const person = await world.signIn('ADMIN');
  const other = await world.newTenant();

  const answer = await person.send(studies.list, { headers: { 'x-tenantid': other.subdomain } });

  expect(answer).toMatchObject({ status: 403 });
});

test('a super administrator may enter another tenant, and the visit is audited in that tenant', async () => {
  const superAdmin = await world.signIn('SUPER_ADMIN');
  const other = await world.newTenant();

  const answer = await superAdmin.send(studies.list, { headers: { 'x-tenantid': other.subdomain } });

  expect(answer.status).toBe(200);
  const entries = await world.inTenant(other, ({ db }) =>
    // Leaves out reads by HTTP Basic, because their audit entries are written later.
    db.selectFrom('audit_entries').select('username').where('action', '=', 'tenant.enter').execute(),
  );
  expect(entries).toEqual([{ username: superAdmin.username }]);
});

test('a super administrator without the right to manage organizations can enter only their own organization', async () => {
  const superAdmin = await world.signIn('SUPER_ADMIN');
  const other = await world.newTenant();
  await world.inTenant(superAdmin.tenant, async ({ db }) => {
    const admin = await db
      .selectFrom('roles')
      .select('id')
      .where('built_in_for', '=', 'ADMIN')
      .executeTakeFirstOrThrow();
    await db.updateTable('user_roles').set({ role_id: admin.id }).where('user_id', '=', superAdmin.userId).execute();
  });

  const [foreign, own] = [
    await superAdmin.send(studies.list, { headers: { 'x-tenantid': other.subdomain } }),
    await superAdmin.send(studies.list),
  ];

  expect([foreign.status, own.status]).toEqual([403, 200]);
});

test('ending a session clears the image cache of the browser, but not its unsaved text', async () => {
  const tenant = await world.newTenant();
  const person = await world.signIn('RADIOLOGIST', tenant);
  const everywhere = await world.signIn('RADIOLOGIST', tenant);
  const post = (url: string, headers: Record<string, string>, payload?: object) =>
    world.request({ method: 'POST', url, headers, ...(payload && { payload }) });
  const as = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });

  const answers = [
    await post('/api/auth/logout', as(person)),
    await post('/api/account/sessions/end', as(everywhere), { which: 'ALL' }),
    await world.request({ method: 'GET', url: '/api/studies', headers: as(person) }),
    await world.request({ method: 'GET', url: '/dicom-web/studies', headers: as(person) }),
    await post('/api/auth/validate', {}, { token: person.token }),
    await post('/api/auth/forget', {}, { what: 'CACHE' }),
  ];
  const strangers = [
    await world.request({ method: 'GET', url: '/api/studies' }),
    await logIn('nobody.here', 'not it at all', tenant.subdomain),
    // Forms and images on other websites can send such requests.
    await post('/api/auth/forget', {}),
    await world.request({
      method: 'POST',
      url: '/api/auth/forget',
      headers: { 'content-type': 'text/plain' },
      payload: '{"what":"CACHE"}',
    }),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 401, 401, 401, 200]);
  // "storage" would delete text that the user has not saved yet.
  expect(answers.map(({ headers }) => headers['clear-site-data'])).toEqual(Array(6).fill('"cache"'));
  // If the server cleared the cache here, another website could clear it again and again.
  expect(strangers.map(({ headers }) => headers['clear-site-data'])).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('only the holder of the token of an ended session learns why the session ended', async () => {
  const tenant = await world.newTenant();
  const signedIn = async () => world.signIn('RADIOLOGIST', tenant);
  const [inactive, revoked, expired] = [await signedIn(), await signedIn(), await signedIn()];
  const suspended = await world.signIn();
  const { owner } = world;
  await owner.updateTable('users').set({ is_active: false }).where('id', '=', inactive.userId).execute();
  await revoked.send(sessions.logout);
  await owner
    .updateTable('sessions')
    .set({ expires_at: world.sql`now()` })
    .where('user_id', '=', expired.userId)
    .execute();
  await owner
    .updateTable('tenants')
    .set({ suspended_at: world.sql`now()` })
    .where('id', '=', suspended.tenant.id)
    .execute();
  const answersTo = async (token: string) => {
    const refused = await world.send(sessions.logout, { headers: { authorization: `Bearer ${token}` } });
    const validated = await world.send(sessions.validate, { body: { token } });
    return [refused.status, refused.error, validated.error];
  };

  expect(await answersTo(inactive.token)).toEqual([401, 'session.user_inactive', 'session.user_inactive']);
  expect(await answersTo(revoked.token)).toEqual([401, 'session.revoked', 'session.revoked']);
  expect(await answersTo(expired.token)).toEqual([401, 'session.expired', 'session.expired']);
  expect(await answersTo(suspended.token)).toEqual([401, 'session.tenant_suspended', 'session.tenant_suspended']);
  expect(await answersTo('x'.repeat(43))).toEqual([401, 'session.missing', 'session.missing']);
});
