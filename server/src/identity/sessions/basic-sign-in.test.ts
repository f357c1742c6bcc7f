import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { hashPassword } from '#core/access/passwords.ts';
import { createUser } from '#identity/user-records/create-user.ts';
import { form, image } from '#test/multipart-upload.ts';
import { createWorld, type Tenant } from '#test/world.ts';

const world = await createWorld();
const password = 'correct: horse bättery';
const [passwordHash, anotherHash] = [await hashPassword(password), await hashPassword('something else entirely')];

const enroll = async (
  username: string,
  {
    tenant,
    userType = 'RADIOLOGIST' as const,
  }: { tenant?: Tenant; userType?: 'RADIOLOGIST' | 'REFERRING_PHYSICIAN' | 'SUPER_ADMIN' } = {},
) => {
  const home = tenant ?? (await world.newTenant());
  const person = { username, name: 'Rosa', email: 'rosa@example.org', userType, passwordHash };
  const userId = await world.inTenant(home, (scope) => createUser(scope, person));
  return { tenant: home, userId, name: `${home.subdomain}/${username}` };
};

const basic = (name: string, typedPassword = password) => ({
  authorization: `Basic ${Buffer.from(`${name}:${typedPassword}`).toString('base64')}`,
});

const ask = (headers: Record<string, string>, { url = '/dicom-web/studies', remoteAddress = '127.0.0.1' } = {}) =>
  world.request({ method: 'GET', url, headers, remoteAddress });

const statusOf = ({ statusCode }: { statusCode: number }) => statusCode;

/** Changes a user in the database, as another server would. */
const change = (
  { tenant, userId }: { tenant: Tenant; userId: string },
  columns: { is_active?: boolean; password_hash?: string },
) => world.inTenant(tenant, ({ db }) => db.updateTable('users').set(columns).where('id', '=', userId).execute());

test('other software signs in with name and password without creating a session', async () => {
  const rosa = await enroll('rosa.basic');

  const answers = await Promise.all([ask(basic(rosa.name)), ask(basic(rosa.name)), ask(basic(rosa.name))]);

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  const { sessions, entries, user } = await world.inTenant(rosa.tenant, async ({ db }) => ({
    sessions: await db.selectFrom('sessions').select('id').execute(),
    entries: await db
      .selectFrom('audit_entries')
      .select(['action', 'username', 'user_id', 'detail'])
      // Leaves out reads, because their audit entries are written later.
      .where('action', 'like', 'session.%')
      .execute(),
    user: await db.selectFrom('users').select('last_login_at').executeTakeFirstOrThrow(),
  }));
  expect(sessions).toEqual([]);
  expect(entries).toEqual([
    { action: 'session.begin', username: 'rosa.basic', user_id: rosa.userId, detail: { scheme: 'Basic' } },
  ]);
  expect(user.last_login_at).not.toBeNull();
});

test('files stored by other software are audited under the user who signed in', async () => {
  const rosa = await enroll('rosa.stores');
  const { payload, headers } = form(image());

  const answer = await world.request({
    method: 'POST',
    url: '/dicom-web/studies',
    payload,
    headers: { ...headers, ...basic(rosa.name) },
  });

  expect(answer.statusCode).toBe(200);
  const entry = await world.inTenant(rosa.tenant, ({ db }) =>
    db.selectFrom('audit_entries').select('user_id').where('action', '=', 'study.store').executeTakeFirstOrThrow(),
  );
  expect(entry.user_id).toBe(rosa.userId);
});

test('the name or a header may name the tenant; if neither does, the name must be unique', async () => {
  const north = await enroll('rosa.twice');
  const south = await enroll('rosa.twice');
  const tenantOf = (subdomain: string) => ({ 'x-tenantid': subdomain });

  expect((await ask(basic(north.name))).statusCode).toBe(200);
  expect((await ask(basic(north.name.toUpperCase()))).statusCode).toBe(200);
  expect((await ask({ ...basic('rosa.twice'), ...tenantOf(south.tenant.subdomain) })).statusCode).toBe(200);
  expect((await ask(basic('rosa.twice'))).statusCode).toBe(401);
  expect((await ask({ ...basic(north.name), ...tenantOf(south.tenant.subdomain) })).statusCode).toBe(403);
});

test('a refused call names the authentication scheme to other software, but never to a browser', async () => {
  const rosa = await enroll('rosa.browser');

  const refused = [
    await ask({}),
    await ask(basic(rosa.name, 'wrong password')),
    await ask(basic('nobody.at.all', 'wrong password')),
    await ask({ authorization: 'Basic !' }),
    await ask({ authorization: 'Basic Og==' }),
  ];
  const onApi = [
    await ask({}, { url: '/api/qido-rs/studies' }),
    await ask(basic(rosa.name), { url: '/api/qido-rs/studies' }),
  ];

  for (const { statusCode, headers } of refused) {
    expect([statusCode, headers['www-authenticate']]).toEqual([
      401,
      'Basic realm="Radwork", charset="UTF-8", Bearer realm="Radwork"',
    ]);
  }
  for (const { statusCode, headers } of onApi) {
    expect([statusCode, headers['www-authenticate']]).toEqual([401, undefined]);
  }
});

test('a bulk data URI accepts a password but does not ask for it', async () => {
  const rosa = await enroll('rosa.bulk');
  const url = '/api/wado-rs/studies/1.2/series/1.2/instances/1.2/bulkdata/00091010';

  const known = await ask(basic(rosa.name), { url });
  const unknown = await ask({}, { url });

  expect(known.statusCode).toBe(404);
  expect([unknown.statusCode, unknown.headers['www-authenticate']]).toEqual([401, undefined]);
});

test('refuses a password that a browser sends from a page of another site', async () => {
  const rosa = await enroll('rosa.lured');
  const from = (site: string) => ({ ...basic(rosa.name), 'sec-fetch-site': site });

  const answers = [await ask(from('cross-site')), await ask(from('same-site')), await ask(from('none'))];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 200]);
});

test('refuses control characters in a name or password', async () => {
  expect(await ask(basic('rosa\u0000', 'x')).then(({ statusCode }) => statusCode)).toBe(400);
});

test('a sign-in by password has the permissions of its user', async () => {
  const referrer = await enroll('rosa.refers', { userType: 'REFERRING_PHYSICIAN' });
  const { payload, headers } = form(image());

  const answer = await world.request({
    method: 'POST',
    url: '/dicom-web/studies',
    payload,
    headers: { ...headers, ...basic(referrer.name) },
  });

  expect(answer.statusCode).toBe(403);
});

test('only a super administrator who names another tenant can enter it with a password', async () => {
  const superAdmin = await enroll('rosa.super', { userType: 'SUPER_ADMIN' });
  const other = await world.newTenant();

  const answer = await ask({ ...basic(superAdmin.name), 'x-tenantid': other.subdomain });

  expect(answer.statusCode).toBe(200);
  const entries = await world.inTenant(other, ({ db }) =>
    db.selectFrom('audit_entries').select('username').where('action', '=', 'tenant.enter').execute(),
  );
  expect(entries).toEqual([{ username: 'rosa.super' }]);
});

test('delays a caller who guesses passwords, as at sign-in, but delays no other caller', async () => {
  const rosa = await enroll('rosa.guessed');
  const guesser = { remoteAddress: '10.0.0.71' };
  for (let guess = 0; guess < 5; guess++) await ask(basic(rosa.name, `wrong ${guess}`), guesser);

  const limited = await ask(basic(rosa.name), guesser);
  const atSignIn = await world.request({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username: 'rosa.guessed', password },
    headers: { 'x-tenantid': rosa.tenant.subdomain },
    ...guesser,
  });

  expect([limited.statusCode, atSignIn.statusCode]).toEqual([429, 429]);
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask(basic(rosa.name))).statusCode).toBe(200);
});

test('refuses a caller who must wait, even with a cached password', async () => {
  const rosa = await enroll('rosa.remembered');
  const guesser = { remoteAddress: '10.0.0.72' };
  expect([await ask(basic(rosa.name)), await ask(basic(rosa.name), guesser)].map(statusOf)).toEqual([200, 200]);
  for (let guess = 0; guess < 5; guess++) await ask(basic(rosa.name, `wrong ${guess}`), guesser);

  const guessed = await ask(basic(rosa.name), guesser);

  expect(statusOf(guessed)).toBe(429);
  expect(statusOf(await ask(basic(rosa.name)))).toBe(200);
});

test('access ends immediately after a new password, a deactivation of the user or a suspension of the tenant', async () => {
  const [changed, inactive, suspended] = [
    await enroll('rosa.changed'),
    await enroll('rosa.left'),
    await enroll('rosa.gone'),
  ];
  const all = [changed, inactive, suspended];
  const statuses = async () => Promise.all(all.map(async ({ name }) => (await ask(basic(name))).statusCode));
  expect(await statuses()).toEqual([200, 200, 200]);

  await change(changed, { password_hash: anotherHash ?? '' });
  await change(inactive, { is_active: false });
  await world.owner
    .updateTable('tenants')
    .set({ suspended_at: sql`now()` })
    .where('id', '=', suspended.tenant.id)
    .execute();

  expect(await statuses()).toEqual([401, 401, 401]);
});

test('refuses a cached password after the organization disables passwords', async () => {
  const rosa = await enroll('rosa.elsewhere');
  expect(statusOf(await ask(basic(rosa.name)))).toBe(200);

  await world.inTenant(rosa.tenant, ({ db }) =>
    db.insertInto('single_sign_on').values({ is_on: true, is_password_allowed: false }).execute(),
  );

  expect(statusOf(await ask(basic(rosa.name)))).toBe(401);
});

test('drops a cached password when the database announces a change of the user', async () => {
  const stop = world.context.sessions.listen(world.url);
  await expect.poll(() => world.context.sessions.accessVersion()).toBeDefined();
  const rosa = await enroll('rosa.heard');
  expect((await ask(basic(rosa.name))).statusCode).toBe(200);
  const before = world.context.sessions.accessVersion();

  await change(rosa, { is_active: false });
  await expect.poll(() => world.context.sessions.accessVersion()).not.toBe(before);

  expect((await ask(basic(rosa.name))).statusCode).toBe(401);
  await stop();
});

test('the removal of a role applies from the next call', async () => {
  const rosa = await enroll('rosa.roleless');
  expect((await ask(basic(rosa.name))).statusCode).toBe(200);

  await world.inTenant(rosa.tenant, ({ db }) =>
    db.deleteFrom('user_roles').where('user_id', '=', rosa.userId).execute(),
  );

  expect((await ask(basic(rosa.name))).statusCode).toBe(403);
});
