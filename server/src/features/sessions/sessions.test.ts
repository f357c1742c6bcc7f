import { sessions } from '@radwork/contract/sessions';
import { studies } from '@radwork/contract/studies';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { hashPassword } from '#core/passwords.ts';
import { createUser } from '#features/users/service.ts';
import { createWorld, type Tenant } from '#test/world.ts';

const world = await createWorld();
const password = 'correct horse battery';
const passwordHash = await hashPassword(password);

const enrol = async (tenant: Tenant, username: string) =>
  world.inTenant(tenant, (scope) =>
    createUser(scope, { username, name: 'Rosa', email: 'rosa@example.org', userType: 'RADIOLOGIST', passwordHash }),
  );

const logIn = (username: string, given: string, subdomain?: string, address?: string) =>
  world.request({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username, password: given },
    headers: { ...(subdomain && { 'x-tenantid': subdomain }) },
    ...(address && { remoteAddress: address }),
  });

test('the right password opens a session that says who one is and what one may do', async () => {
  const tenant = await world.newTenant();
  await enrol(tenant, 'rosa.login');

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
  await enrol(tenant, 'rosa.same');

  const wrong = await logIn('rosa.same', 'not it at all', tenant.subdomain);
  const unknown = await logIn('nobody.here', 'not it at all', tenant.subdomain);

  const { traceId: _, ...refusal } = wrong.json();
  expect(unknown.json()).toMatchObject(refusal);
  expect(refusal).toMatchObject({ code: 401, message: 'Invalid username or password' });
});

test('a name that two tenants use is refused until the tenant is named', async () => {
  const [north, south] = [await world.newTenant(), await world.newTenant()];
  await enrol(north, 'rosa.twice');
  await enrol(south, 'rosa.twice');

  const guessed = await logIn('rosa.twice', password);
  const named = await logIn('rosa.twice', password, south.subdomain);

  expect(guessed.statusCode).toBe(401);
  expect(named.json().data.tenant.subdomain).toBe(south.subdomain);
});

test('guessing is slowed down for the guesser and not for the owner of the account', async () => {
  const tenant = await world.newTenant();
  await enrol(tenant, 'rosa.brake');
  for (let guess = 0; guess < 5; guess++) await logIn('rosa.brake', 'wrong password', tenant.subdomain, '10.0.0.66');

  const guesser = await logIn('rosa.brake', password, tenant.subdomain, '10.0.0.66');
  const owner = await logIn('rosa.brake', password, tenant.subdomain, '10.0.0.7');

  expect(guesser.statusCode).toBe(429);
  expect(Number(guesser.headers['retry-after'])).toBeGreaterThan(0);
  expect(owner.statusCode).toBe(200);
});

test('guesses that are sent together are slowed down like those that come one after another', async () => {
  const tenant = await world.newTenant();
  await enrol(tenant, 'rosa.flood');

  const answers = await Promise.all(
    Array.from({ length: 12 }, () => logIn('rosa.flood', 'wrong password', tenant.subdomain, '10.0.0.67')),
  );

  expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(5);
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(7);
});

test('a sign-in and a wrong password are written down, the latter under no user', async () => {
  const tenant = await world.newTenant();
  const userId = await enrol(tenant, 'rosa.noted');

  await logIn('rosa.noted', 'wrong password', tenant.subdomain);
  await logIn('rosa.noted', password, tenant.subdomain);

  const entries = await world.inTenant(tenant, ({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['action', 'outcome', 'username', 'user_id', 'user_type', 'detail'])
      .orderBy('id')
      .execute(),
  );
  expect(entries).toMatchObject([
    { action: 'session.refuse', outcome: 'FAILURE', username: 'rosa.noted', user_id: null, detail: { userId } },
    { action: 'session.begin', outcome: 'SUCCESS', username: 'rosa.noted', user_id: userId, user_type: 'RADIOLOGIST' },
  ]);
});

test('signing out ends the session at once', async () => {
  const person = await world.signIn();

  await person.send(sessions.logout);

  expect(await person.send(studies.list)).toMatchObject({ status: 401 });
  expect(await world.send(sessions.validate, { body: { token: person.token } })).toMatchObject({ status: 401 });
});

test('a kept token is validated for its own user only', async () => {
  const { token, username } = await world.signIn();

  const own = await world.send(sessions.validate, { body: { token, username } });
  const other = await world.send(sessions.validate, { body: { token, username: 'somebody.else' } });

  expect(own).toMatchObject({ code: 200, data: { token, user: { username } } });
  expect(other).toMatchObject({ code: 401 });
});

test('a deactivated user is out', async () => {
  const person = await world.signIn();

  await world.inTenant(person.tenant, ({ db }) =>
    db.updateTable('users').set({ is_active: false }).where('id', '=', person.userId).execute(),
  );

  expect(await person.send(studies.list)).toMatchObject({ status: 401 });
});

test('an idle session ends, and a poll does not keep it awake', async () => {
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

test('the header cannot name another tenant', async () => {
  const person = await world.signIn('ADMIN');
  const other = await world.newTenant();

  const answer = await person.send(studies.list, { headers: { 'x-tenantid': other.subdomain } });

  expect(answer).toMatchObject({ status: 403 });
});

test('a super administrator may enter another tenant, and it is written down there', async () => {
  const superAdmin = await world.signIn('SUPER_ADMIN');
  const other = await world.newTenant();

  const answer = await superAdmin.send(studies.list, { headers: { 'x-tenantid': other.subdomain } });

  expect(answer.status).toBe(200);
  const entries = await world.inTenant(other, ({ db }) =>
    db.selectFrom('audit_entries').select(['action', 'username']).execute(),
  );
  expect(entries).toEqual([{ action: 'tenant.enter', username: superAdmin.username }]);
});
