import { singleSignOn } from '@radwork/contract/identity/single-sign-on';
import { ownOrganization } from '@radwork/contract/identity/tenants';
import { afterAll, expect, test } from 'vitest';
import { createVault } from '#core/installation/vault.ts';
import { reachingThisMachine } from '#test/import-steps.ts';
import { formFor, singleSignOnSteps } from '#test/single-sign-on-steps.ts';
import { radworkAddress, startOidcProvider } from '#test/oidc-provider.ts';
import { createWorld, type Person, type Tenant } from '#test/world.ts';
import { resealClientSecrets } from './stored-settings.ts';

const world = await createWorld({ ...reachingThisMachine, PUBLIC_URL: radworkAddress });
const provider = await startOidcProvider();
const { setUp, change, somebody, signIn, refusal } = singleSignOnSteps(world, provider);
afterAll(provider.stop);

const secretOf = async ({ id }: Tenant) => {
  const row = await world.owner
    .selectFrom('single_sign_on')
    .select('client_secret')
    .where('tenant_id', '=', id)
    .executeTakeFirstOrThrow();
  return row.client_secret;
};

/** Gives a user a second factor. When a second factor is required, a user without it may do nothing else. */
const enrolled = (person: Person) =>
  person.inScope(({ db }) =>
    db
      .insertInto('second_factors')
      .values({
        user_id: person.userId,
        sealed_key: '',
        recovery_salt: Buffer.alloc(16),
        confirmed_at: world.sql`now()`,
      })
      .execute(),
  );

test('returns the saved settings without the secret, and stores the secret sealed', async () => {
  const { tenant, admin } = await setUp({ label: 'North account' });

  const answer = await admin.send(singleSignOn.read);

  expect(answer.data).toMatchObject({
    label: 'North account',
    hasClientSecret: true,
    redirectAddress: `${radworkAddress}/api/auth/sso/callback`,
    revision: 1,
  });
  expect(JSON.stringify(answer)).not.toContain(provider.clientSecret);
  expect(await secretOf(tenant)).toMatch(/^v1\./);
  expect(await secretOf(tenant)).not.toContain(provider.clientSecret);
});

test('an empty secret keeps the stored secret only if the provider has the same origin', async () => {
  const { tenant, admin } = await setUp();
  await change(admin, { label: 'Renamed' });
  expect((await signIn(tenant, somebody())).user.userType).toBe('RADIOLOGIST');

  const moved = await change(admin, { issuer: 'https://thief.example' });

  expect(moved.data.hasClientSecret).toBe(false);
  expect(await secretOf(tenant)).toBe(null);
  await change(admin, { issuer: provider.issuer });
  expect(await refusal(tenant, somebody())).toBe('client_refused');
});

test('resealing seals the client secret with a new key', async () => {
  const { tenant } = await setUp();
  const before = await secretOf(tenant);
  const count = await resealClientSecrets(world.owner, world.context.vault);

  expect(count).toBe(0);
  expect(await secretOf(tenant)).toBe(before);
  const { secretKey } = world.context;
  const newer = { ...secretKey, hmac: (text: string) => secretKey.hmac(`newer ${text}`) };
  expect(await resealClientSecrets(world.owner, createVault(newer, [secretKey]))).toBeGreaterThan(0);
  expect(await secretOf(tenant)).not.toBe(before);
});

test('when two users change the same settings, the second gets a conflict and overwrites nothing', async () => {
  const { admin } = await setUp();
  await change(admin, { label: 'First' });

  const second = await admin.send(singleSignOn.save, { body: { ...formFor(provider), label: 'Second', revision: 1 } });

  expect(second).toMatchObject({ status: 409, error: 'single_sign_on.changed' });
  expect((await admin.send(singleSignOn.read)).data.label).toBe('First');
});

test('reports missing and invalid values at their fields', async () => {
  const { admin } = await setUp();

  const wrong = await change(admin, { issuer: 'not an address', label: '', scopes: 'email', usernameClaim: '' });

  expect(wrong.status).toBe(422);
  expect(wrong.errors?.map(({ field }) => field)).toEqual(expect.arrayContaining(['issuer', 'usernameClaim']));
  for (const [changes, field] of [
    [{ label: '' }, 'label'],
    [{ clientId: '' }, 'clientId'],
    [{ scopes: 'email' }, 'scopes'],
    [{ fallbackType: null }, 'fallbackType'],
    [{ isOn: false, isPasswordAllowed: false }, 'isPasswordAllowed'],
  ] as const) {
    expect(await change(admin, changes)).toMatchObject({ status: 422, errors: [{ field }] });
  }
});

test('refuses to turn off passwords while no active administrator has a password', async () => {
  const { admin, tenant } = await setUp();
  await world.owner.updateTable('users').set({ password_hash: null }).where('tenant_id', '=', tenant.id).execute();
  // Neither a deactivated administrator nor a user of another type counts.
  const former = await world.signIn('ADMIN', tenant);
  await world.owner.updateTable('users').set({ is_active: false }).where('id', '=', former.userId).execute();
  await world.signIn('RADIOLOGIST', tenant);

  const refused = await change(admin, { isPasswordAllowed: false });

  expect(refused).toMatchObject({ status: 422, errors: [{ field: 'isPasswordAllowed' }] });
});

test('if the organization requires a second factor, the provider must confirm it', async () => {
  const { admin } = await setUp();
  const demand = async (secondFactorPolicy: 'EVERYBODY' | 'OPTIONAL') => {
    const { data } = await admin.send(ownOrganization.read);
    return admin.send(ownOrganization.save, { body: { ...data, secondFactorPolicy } });
  };
  const field = ({ errors = [] }: { errors?: { field: string }[] | undefined }) => errors.map((error) => error.field);

  const without = await demand('EVERYBODY');
  await change(admin, { requiredAmr: 'mfa' });
  const vouched = await demand('EVERYBODY');
  await enrolled(admin);
  const refused = await change(admin, { requiredAmr: '' });
  const off = await change(admin, { requiredAmr: '', isOn: false });

  expect([without.status, field(without)]).toEqual([422, ['secondFactorPolicy']]);
  expect(vouched.status).toBe(200);
  expect([refused.status, field(refused)]).toEqual([422, ['requiredAmr']]);
  expect(off.status).toBe(200);
});

test('a connection test gives the reason of a failure', async () => {
  const { admin } = await setUp();
  const test = async (issuer: string) => (await admin.send(singleSignOn.test, { body: { issuer } })).data;
  const other = await startOidcProvider();
  await other.stop();

  expect(await test(provider.issuer)).toMatchObject({
    isOk: true,
    message: expect.stringContaining('OpenID provider found, 1 key.'),
  });
  expect(await test('https://nobody.invalid')).toMatchObject({ isOk: false, cause: 'DNS' });
  expect(await test(other.issuer)).toMatchObject({ isOk: false, cause: 'CONNECTION_REFUSED' });
  expect(await test(provider.issuer.replace('http:', 'https:'))).toMatchObject({ isOk: false });
  expect(await test(`${provider.issuer}/deeper`)).toMatchObject({
    isOk: false,
    cause: 'WRONG_SERVICE',
    message: expect.stringContaining('No OpenID provider'),
  });
  expect(await test(provider.issuer.replace('127.0.0.1', 'localhost'))).toMatchObject({ isOk: false });
  expect(await test('http://10.0.0.1')).toMatchObject({ isOk: false, cause: 'REFUSED_BY_POLICY' });
});

test('a connection test checks the client and its secret', async () => {
  const { admin } = await setUp();
  const { issuer, clientId, clientSecret } = provider;
  const test = async (client: { clientId: string; clientSecret: string; issuer?: string }) =>
    (await admin.send(singleSignOn.test, { body: { issuer, ...client } })).data;

  expect(await test({ clientId, clientSecret })).toMatchObject({
    isOk: true,
    message: expect.stringContaining('The client ID and secret are accepted.'),
  });
  expect(await test({ clientId, clientSecret: '' }), 'the stored secret').toMatchObject({ isOk: true });
  expect(await test({ clientId, clientSecret: 'wrong' })).toMatchObject({
    isOk: false,
    message: 'The provider was found but rejected this client. Check the client ID and client secret.',
  });
  expect(await test({ clientId: 'unknown', clientSecret })).toMatchObject({ isOk: false });
  expect(await test({ clientId: '', clientSecret: '' })).toMatchObject({
    isOk: true,
    message: expect.stringContaining('enter the client ID'),
  });
});

test('a connection test does not send the stored secret to a provider at another origin', async () => {
  const { admin } = await setUp();
  const other = await startOidcProvider();

  const { data } = await admin.send(singleSignOn.test, {
    body: { issuer: other.issuer, clientId: other.clientId, clientSecret: '' },
  });

  expect(data).toMatchObject({ isOk: false, message: expect.stringContaining('without a secret') });
  await other.stop();
});

test('a connection test reports an untested client if the provider checks the code before the secret', async () => {
  const careless = await startOidcProvider();
  careless.tamper({ refusal: () => ({ error: 'invalid_grant' }) });
  const { admin } = await setUp();

  const { data } = await admin.send(singleSignOn.test, {
    body: { issuer: careless.issuer, clientId: careless.clientId, clientSecret: 'wrong' },
  });

  expect(data).toMatchObject({ isOk: true, message: expect.stringContaining('could not be tested') });
  await careless.stop();
});

test('a connection test refuses a provider that lacks PKCE with S256 or names another issuer', async () => {
  const otherProvider = await startOidcProvider();
  const { admin } = await setUp();
  const test = async () => (await admin.send(singleSignOn.test, { body: { issuer: otherProvider.issuer } })).data;
  otherProvider.tamper({ discovery: (body) => ({ ...body, code_challenge_methods_supported: ['plain'] }) });
  expect(await test()).toMatchObject({ isOk: false, message: expect.stringContaining('PKCE') });
  otherProvider.tamper({ discovery: (body) => ({ ...body, issuer: 'https://other.example' }) });
  expect(await test()).toMatchObject({ isOk: false, message: expect.stringContaining('another issuer') });
  await otherProvider.stop();
});
