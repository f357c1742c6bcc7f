import { reports } from '@radwork/contract/reading/reports';
import { singleSignOn } from '@radwork/contract/identity/single-sign-on';
import { signedInAgainPath } from '@radwork/contract/identity/signed-in-again-path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { hashPassword } from '#core/access/passwords.ts';
import { reachingThisMachine } from '#test/import-steps.ts';
import { radworkAddress, startOidcProvider } from '#test/oidc-provider.ts';
import { reportSteps, reportText, signature } from '#test/report-steps.ts';
import { singleSignOnSteps } from '#test/single-sign-on-steps.ts';
import { createWorld, type Person, type Tenant } from '#test/world.ts';

const world = await createWorld({ ...reachingThisMachine, PUBLIC_URL: radworkAddress });
const provider = await startOidcProvider();
const { setUp, somebody, signIn, travel, showAgain, failureOf, ticketOf, exchange } = singleSignOnSteps(
  world,
  provider,
);
const { begin, finalize, auditedActions } = reportSteps(world);
afterAll(provider.stop);
afterEach(() => provider.tamper({}));

const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;

/** A user without a password who signed in at the provider an hour ago, and a report that this user has to sign. */
const readerOfProvider = async () => {
  const { tenant } = await setUp();
  const reader = await world.signIn('RADIOLOGIST', tenant);
  const subject = somebody();
  await world.inTenant(tenant, ({ db }) =>
    db
      .insertInto('user_identities')
      .values({ id: newId(), issuer: provider.issuer, subject, user_id: reader.userId })
      .execute(),
  );
  await world.owner
    .updateTable('sessions')
    .set({ authenticated_at: world.sql`now() - interval '1 hour'`, is_single_sign_on: true })
    .where('id', '=', reader.session.id)
    .execute();
  return { tenant, reader, subject, ...(await begin(reader)) };
};

/** Requires the password at each signature, and removes the password of this user. */
const askEachTime = async (tenant: Tenant, { userId }: Person) => {
  await world.owner.updateTable('tenants').set({ signing_proof: 'PASSWORD' }).where('id', '=', tenant.id).execute();
  await world.owner.updateTable('users').set({ password_hash: null }).where('id', '=', userId).execute();
};

/** Begins a second session of the same user. */
const exchangeOf = async (tenant: Tenant, subject: string) => {
  const { page, cookie } = await travel(tenant, subject);
  return exchange(ticketOf(page), cookie);
};

const confirm = (person: Person, ticket: string) => person.send(singleSignOn.confirm, { body: { ticket } });

test('a user without a password signs in at the provider again, and can then sign', async () => {
  const { tenant, reader, subject, id } = await readerOfProvider();
  const before = await finalize(reader, id);

  const { authorization, page } = await showAgain(tenant, subject);
  const confirmed = await confirm(reader, ticketOf(page));

  expect(before).toMatchObject({ status: 403, error: 'session.reauthenticate' });
  expect([authorization.get('prompt'), authorization.get('max_age')]).toEqual(['login', '0']);
  expect(page.pathname).toBe(signedInAgainPath);
  expect(confirmed.status).toBe(200);
  expect(await finalize(reader, id)).toMatchObject({ status: 200, data: { status: 'FINALIZED' } });
  expect(await auditedActions(reader)).toContain('session.reauthenticate');
});

test('refuses an earlier sign-in at the provider where a new sign-in is required', async () => {
  const { tenant, reader, subject, id } = await readerOfProvider();
  provider.tamper({ token: (claims) => ({ ...claims, auth_time: secondsAgo(600) }) });
  const silent = await showAgain(tenant, subject);
  provider.tamper({ token: (claims) => ({ ...claims, auth_time: undefined }) });
  const withoutTime = await showAgain(tenant, subject);

  expect([failureOf(silent.page), failureOf(withoutTime.page)]).toEqual(['not_again', 'not_again']);
  expect(await finalize(reader, id)).toMatchObject({ status: 403 });
});

test('a correct password that is no longer allowed gets its own message', async () => {
  const { tenant, reader, id } = await readerOfProvider();
  const password = 'correct horse battery';
  await world.owner
    .updateTable('users')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', reader.userId)
    .execute();
  await world.owner
    .updateTable('single_sign_on')
    .set({ is_password_allowed: false })
    .where('tenant_id', '=', tenant.id)
    .execute();

  const passwordError = async (typedPassword: string) =>
    (await finalize(reader, id, { password: typedPassword })).errors?.[0]?.message;

  expect(await passwordError('another one altogether')).toBe('The password is wrong');
  expect(await passwordError(password)).toContain('Sign in with single sign-on');
});

test('a sign-in of another person does not confirm the user and creates no account', async () => {
  const { tenant, reader, id } = await readerOfProvider();
  const colleague = somebody();
  await signIn(tenant, colleague);

  const colleagueSignIn = await showAgain(tenant, colleague);
  const refused = await confirm(reader, ticketOf(colleagueSignIn.page));
  const stranger = await showAgain(tenant, somebody());

  expect(refused).toMatchObject({ status: 409, error: 'sso.other_person' });
  expect(failureOf(stranger.page)).toBe('other_person');
  expect(await finalize(reader, id)).toMatchObject({ status: 403 });
});

test('a deactivated user who signs in at the provider sees the reason and gets no ticket', async () => {
  const { tenant, reader, subject } = await readerOfProvider();
  await world.owner.updateTable('users').set({ is_active: false }).where('id', '=', reader.userId).execute();

  const { page } = await showAgain(tenant, subject);

  expect([failureOf(page), ticketOf(page)]).toEqual(['inactive', '']);
});

test('a ticket for a signature works once and opens no session; a ticket for a session confirms no user', async () => {
  const { tenant, reader, subject } = await readerOfProvider();
  const { page } = await showAgain(tenant, subject);
  const ordinary = await travel(tenant, subject);

  expect(await exchange(ticketOf(page), '')).toMatchObject({ status: 401, error: 'sso.not_known' });
  expect(await confirm(reader, ticketOf(ordinary.page))).toMatchObject({ status: 409, error: 'sso.not_known' });
  expect(await confirm(reader, ticketOf(page))).toMatchObject({ status: 200 });
  expect(await confirm(reader, ticketOf(page))).toMatchObject({ status: 409, error: 'sso.used' });
});

test('one new sign-in at the provider is enough for one report if each signature requires the password', async () => {
  const { tenant, reader, subject, id } = await readerOfProvider();
  await askEachTime(tenant, reader);
  const other = await begin(reader);
  const before = await finalize(reader, id);
  const { page } = await showAgain(tenant, subject);
  await confirm(reader, ticketOf(page));
  const unsigned = await finalize(reader, id, { signatureData: undefined });

  const answers = await Promise.all([finalize(reader, id), finalize(reader, other.id)]);

  const proofRequired = { status: 403, error: 'session.reauthenticate', errors: [{ field: 'password' }] };
  expect(before).toMatchObject(proofRequired);
  // If the signature fails, the sign-in can be used for the next attempt.
  expect(unsigned).toMatchObject({ status: 422, errors: [{ field: 'signatureData' }] });
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403]));
});

test('a sign-in at the provider that one session used is not accepted in another session', async () => {
  const { tenant, reader, subject, id } = await readerOfProvider();
  await askEachTime(tenant, reader);
  const { page } = await showAgain(tenant, subject);
  await confirm(reader, ticketOf(page));
  const { data } = await exchangeOf(tenant, subject);
  await world.owner
    .updateTable('sessions')
    .set({ provider_shown_at: world.sql`(select provider_shown_at from sessions where id = ${reader.session.id})` })
    .where('user_id', '=', reader.userId)
    .execute();
  const other = await begin(reader);

  const first = await finalize(reader, id);
  const second = await world.send(reports.finalize, {
    params: { id: other.id },
    body: { content: reportText, signatureData: signature },
    headers: { authorization: `Bearer ${data.token}` },
  });

  expect(first.status).toBe(200);
  expect(second).toMatchObject({ status: 403, error: 'session.reauthenticate' });
});

test('in a session of single sign-on, the sign-in time is the time of authentication at the provider', async () => {
  const { tenant, subject, reader } = await readerOfProvider();
  provider.tamper({ token: (claims) => ({ ...claims, auth_time: secondsAgo(3 * 3600) }) });

  await signIn(tenant, subject);

  const latest = await world.inTenant(tenant, ({ db }) =>
    db
      .selectFrom('sessions')
      .select('authenticated_at')
      .where('user_id', '=', reader.userId)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow(),
  );
  expect(Date.now() - Date.parse(latest.authenticated_at)).toBeGreaterThan(2.9 * 3600_000);
});
