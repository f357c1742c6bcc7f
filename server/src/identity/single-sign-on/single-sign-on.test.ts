import { sessions } from '@radwork/contract/identity/sessions';
import { singleSignOn } from '@radwork/contract/identity/single-sign-on';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { hashPassword } from '#core/access/passwords.ts';
import { reachingThisMachine } from '#test/import-steps.ts';
import { radworkAddress, startOidcProvider } from '#test/oidc-provider.ts';
import { singleSignOnSteps } from '#test/single-sign-on-steps.ts';
import { createWorld, type Tenant } from '#test/world.ts';

const world = await createWorld({ ...reachingThisMachine, PUBLIC_URL: radworkAddress });
const provider = await startOidcProvider();
const steps = singleSignOnSteps(world, provider);
const { setUp, change, somebody, start, comeBack, exchange, travel, failureOf, ticketOf, signIn, refusal } = steps;
afterAll(provider.stop);
beforeEach(() => provider.tamper({}));

const auditOf = (tenant: Tenant, action: string) =>
  world.inTenant(tenant, ({ db }) =>
    db.selectFrom('audit_entries').selectAll().where('action', '=', action).orderBy('id').execute(),
  );

const usersOf = (tenant: Tenant) =>
  world.inTenant(tenant, ({ db }) => db.selectFrom('users').select(['id', 'username', 'user_type']).execute());

test('a new user gets an account and a session, and the audit log records single sign-on', async () => {
  const { tenant } = await setUp();
  const subject = somebody({ name: 'Dr Ada Byron', email: 'ada@example.org' });

  const { user, token, tenant: signedInTenant } = await signIn(tenant, subject);

  expect(user).toMatchObject({ name: 'Dr Ada Byron', email: 'ada@example.org', userType: 'RADIOLOGIST' });
  expect(signedInTenant.subdomain).toBe(tenant.subdomain);
  const validated = await world.send(sessions.validate, { body: { token } });
  expect(validated.data.user).toEqual(user);
  expect(await auditOf(tenant, 'session.begin')).toMatchObject([
    { user_id: user.id, outcome: 'SUCCESS', detail: { how: 'single sign-on' } },
  ]);
  expect(await auditOf(tenant, 'user.create')).toMatchObject([{ entity_id: user.id }]);
});

test('a subject remains the same user when the names of the person change', async () => {
  const { tenant } = await setUp();
  const subject = somebody();
  const first = await signIn(tenant, subject);
  provider.people.set(subject, { preferred_username: 'somebody.else', name: 'Renamed', email: 'other@example.org' });

  const again = await signIn(tenant, subject);

  expect(again.user).toEqual(first.user);
});

test('sends the browser to the provider with code, PKCE, state, nonce and an HttpOnly cookie', async () => {
  const { tenant } = await setUp();

  const { headers } = await world.request({ method: 'GET', url: `/api/auth/sso/${tenant.subdomain}/start` });

  const authorization = new URL(String(headers.location)).searchParams;
  expect(Object.fromEntries(authorization)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    scope: 'openid profile email',
    redirect_uri: `${radworkAddress}/api/auth/sso/callback`,
  });
  expect(authorization.get('code_challenge')).toMatch(/^[\w-]{43}$/);
  expect(authorization.get('nonce')).toMatch(/^[\w-]{43}$/);
  expect(authorization.get('state')).toMatch(/\.[\w-]{43}$/);
  expect(headers['set-cookie']).toMatch(
    /^sso-[\da-f]{12}=[\w-]{43}; Path=\/api\/auth\/sso; HttpOnly; SameSite=Lax; Max-Age=660; Secure$/,
  );
  expect(headers['cache-control']).toBe('no-store');
});

test('the stored data of a sign-in in progress cannot be used to sign in', async () => {
  const { tenant } = await setUp();
  const { location, cookie } = await start(tenant);
  const { page } = await (async () => ({
    page: await comeBack(await provider.signIn(location, somebody()), cookie),
  }))();

  const { rows } = await sql<{ row: string }>`
    select to_jsonb(a)::text as row from sso_attempts a where tenant_id = ${tenant.id}`.execute(world.owner);

  const authorization = new URL(location).searchParams;
  const secrets = [authorization.get('state'), authorization.get('nonce'), cookie.split('=')[1], ticketOf(page)];
  expect(rows.length).toBe(1);
  expect(secrets.every((text) => text && text.length > 40)).toBe(true);
  for (const text of secrets) expect(rows[0]?.row).not.toContain(text);
});

test('after signing in, the user returns to the requested page, but never to another site', async () => {
  const { tenant } = await setUp();
  const subject = somebody();
  const leadsTo = async (redirect: string) => (await travel(tenant, subject, { redirect })).page.searchParams;

  expect((await leadsTo('/studies?status=PENDING')).get('redirect')).toBe('/studies?status=PENDING');
  for (const elsewhere of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)']) {
    expect((await leadsTo(elsewhere)).has('redirect')).toBe(false);
  }
});

test('a ticket appears only in the URL fragment, and no URL contains a session token', async () => {
  const { tenant } = await setUp();

  const { page, cookie } = await travel(tenant, somebody());

  const { data } = await exchange(ticketOf(page), cookie);
  expect(page.search).toBe('');
  expect(page.href).not.toContain(data.token);
});

test('a ticket works only once', async () => {
  const { tenant } = await setUp();
  const { page, cookie } = await travel(tenant, somebody());
  await exchange(ticketOf(page), cookie);

  const again = await exchange(ticketOf(page), cookie);

  expect(again).toMatchObject({ status: 401, error: 'sso.used' });
});

test('only one of three simultaneous calls with the same ticket gets a session', async () => {
  const { tenant } = await setUp();
  const { page, cookie } = await travel(tenant, somebody());

  const answers = await Promise.all([1, 2, 3].map(() => exchange(ticketOf(page), cookie)));

  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401, 401]);
});

test('refuses a ticket in another browser or after a minute', async () => {
  const { tenant } = await setUp();
  const first = await travel(tenant, somebody());
  const other = await start(tenant);
  expect(await exchange(ticketOf(first.page), other.cookie)).toMatchObject({ status: 401, error: 'sso.other_browser' });
  expect(await exchange(ticketOf(first.page), '')).toMatchObject({ status: 401, error: 'sso.other_browser' });

  await sql`update sso_attempts set ticket_expires_at = ticket_expires_at - interval '61 seconds'
    where tenant_id = ${tenant.id}`.execute(world.owner);

  expect(await exchange(ticketOf(first.page), first.cookie)).toMatchObject({ status: 401, error: 'sso.expired' });
});

test('refuses an invented ticket and a ticket of another organization', async () => {
  const [{ tenant }, { tenant: elsewhere }] = [await setUp(), await setUp()];
  const { page, cookie } = await travel(tenant, somebody());
  const moved = ticketOf(page).replace(tenant.subdomain, elsewhere.subdomain);

  for (const ticket of ['x', `${tenant.subdomain}.${'x'.repeat(43)}`, moved]) {
    expect(await exchange(ticket, cookie)).toMatchObject({ status: 401, error: 'sso.not_known' });
  }
});

test('an authorization code works only once, and so does a state', async () => {
  const { tenant } = await setUp();
  const { location, cookie } = await start(tenant);
  const back = await provider.signIn(location, somebody());
  await comeBack(back, cookie);

  expect(failureOf(await comeBack(back, cookie))).toBe('used');
});

test('refuses the return from the provider in another browser, and then accepts it in the original browser', async () => {
  const { tenant } = await setUp();
  const { location, cookie } = await start(tenant);
  const back = await provider.signIn(location, somebody());
  const other = await start(tenant);

  expect(failureOf(await comeBack(back, ''))).toBe('other_browser');
  expect(failureOf(await comeBack(back, other.cookie))).toBe('other_browser');
  expect(failureOf(await comeBack(back, cookie.replace(/=.*/, `=${other.cookie.split('=')[1]}`)))).toBe(
    'other_browser',
  );
  expect(failureOf(await comeBack(back, cookie))).toBe(null);
});

test('refuses the code of another sign-in, because state, cookie and code belong together', async () => {
  const { tenant } = await setUp();
  const [victim, attacker] = [await start(tenant), await start(tenant)];
  const stolen = new URL(await provider.signIn(attacker.location, somebody()));
  stolen.searchParams.set('state', new URL(victim.location).searchParams.get('state') ?? '');

  // The provider refuses the code, because it was issued for another code challenge.
  expect(failureOf(await comeBack(stolen.href, victim.cookie))).toBe('not_known');
});

test('a sign-in that took longer than ten minutes must start again', async () => {
  const { tenant } = await setUp();
  const { location, cookie } = await start(tenant);
  const back = await provider.signIn(location, somebody());
  await sql`update sso_attempts set expires_at = expires_at - interval '10 minutes' where tenant_id = ${tenant.id}`.execute(
    world.owner,
  );

  expect(failureOf(await comeBack(back, cookie))).toBe('expired');
});

test('refuses an invented state without an audit entry', async () => {
  const { tenant } = await setUp();

  for (const state of ['', 'x', `${tenant.subdomain}.${'x'.repeat(43)}`, `nobody.${'x'.repeat(43)}`]) {
    const page = await comeBack(`${radworkAddress}/api/auth/sso/callback?${new URLSearchParams({ state })}`, '');
    expect(failureOf(page)).toBe('not_known');
  }
  expect(await auditOf(tenant, 'session.refuse')).toEqual([]);
});

test('refuses an answer in the name of another issuer (mix-up)', async () => {
  const { tenant } = await setUp();
  const { location, cookie } = await start(tenant);
  const back = new URL(await provider.signIn(location, somebody()));
  back.searchParams.set('iss', 'https://other.example');

  expect(failureOf(await comeBack(back.href, cookie))).toBe('provider_wrong');
});

test('a change of the settings ends the sign-ins in progress', async () => {
  const { tenant, admin } = await setUp();
  const { location, cookie } = await start(tenant);
  const back = await provider.signIn(location, somebody());
  expect(await change(admin, { label: 'Other' })).toMatchObject({ status: 200 });

  expect(failureOf(await comeBack(back, cookie))).toBe('not_known');
});

test.each([
  ['turned off', { isOn: false }],
  ['changed', { label: 'Other' }],
])('refuses a sign-in if the settings are %s while the provider answers', async (_what, changes) => {
  const { tenant, admin } = await setUp();
  const subject = somebody();
  await signIn(tenant, subject);
  provider.tamper({ meanwhile: () => change(admin, changes) });

  expect(await refusal(tenant, subject)).toBe('not_known');
});

test.each([
  ['another nonce', { nonce: 'another' }],
  ['no nonce', { nonce: undefined }],
  ['another audience', { aud: 'another-client' }],
  ['another issuer', { iss: 'https://other.example' }],
  ['no subject', { sub: undefined }],
])('refuses an ID token with %s', async (_what, wrong) => {
  const { tenant } = await setUp();
  provider.tamper({ token: (claims) => ({ ...claims, ...wrong }) });

  expect(await refusal(tenant, somebody())).toBe('provider_wrong');
  expect(await auditOf(tenant, 'session.refuse')).toMatchObject([
    { outcome: 'FAILURE', detail: { reason: 'provider_wrong', how: 'single sign-on' } },
  ]);
});

test('an expired or future ID token is reported as a clock problem, with a tolerance of one minute', async () => {
  const { tenant } = await setUp();
  const now = Math.floor(Date.now() / 1000);

  provider.tamper({ token: (claims) => ({ ...claims, exp: now - 120 }) });
  expect(await refusal(tenant, somebody())).toBe('clock');
  provider.tamper({ token: (claims) => ({ ...claims, nbf: now + 120 }) });
  expect(await refusal(tenant, somebody())).toBe('clock');
  provider.tamper({ token: (claims) => ({ ...claims, exp: now - 30 }) });
  expect(await refusal(tenant, somebody())).toBe(null);
});

test('refuses an ID token that no key of the provider has signed', async () => {
  const { tenant } = await setUp();
  provider.tamper({ answer: (body) => ({ ...body, id_token: String(body['id_token']).replace(/\.[^.]+$/, '.AAAA') }) });
  expect(await refusal(tenant, somebody())).toBe('provider_wrong');

  const unsigned = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
  provider.tamper({
    answer: (body) => ({
      ...body,
      id_token: String(body['id_token'])
        .replace(/^[^.]+/, unsigned)
        .replace(/[^.]+$/, ''),
    }),
  });
  expect(await refusal(tenant, somebody())).toBe('provider_wrong');
});

test('refuses userinfo about another subject', async () => {
  const { tenant } = await setUp();
  const subject = somebody();
  provider.tamper({ token: (claims) => ({ ...claims, sub: 'somebody else' }) });

  expect(await refusal(tenant, subject)).toBe('provider_wrong');
  expect((await usersOf(tenant)).length).toBe(1);
});

test('after the provider changes its keys, the next sign-in works', async () => {
  const { tenant } = await setUp();
  const subject = somebody();
  await signIn(tenant, subject);

  provider.rotateKeys();

  expect((await signIn(tenant, subject)).user.username).toBe(provider.people.get(subject)?.['preferred_username']);
});

test('the sign-in page shows that the provider refused or that the user canceled', async () => {
  const { tenant } = await setUp();
  const refusedWith = async (error: string) => {
    const { location, cookie } = await start(tenant);
    const state = new URL(location).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ error, state, iss: provider.issuer, error_description: '<b>PWNED</b>' });
    const page = await comeBack(`${radworkAddress}/api/auth/sso/callback?${query}`, cookie);
    expect(page.href).not.toContain('PWNED');
    return failureOf(page);
  };

  expect(await refusedWith('access_denied')).toBe('denied');
  expect(await refusedWith('temporarily_unavailable')).toBe('provider_away');
  expect(await refusedWith('unauthorized_client')).toBe('client_refused');
});

test('a wrong client secret gets its own reason', async () => {
  const { tenant } = await setUp({ clientSecret: 'wrong' });

  expect(await refusal(tenant, somebody())).toBe('client_refused');
});

test('an unavailable provider gets its own reason, before and after the sign-in there', async () => {
  const gone = await startOidcProvider();
  const away = singleSignOnSteps(world, gone);
  const { tenant } = await away.setUp();
  const { location, cookie } = await away.start(tenant, '/studies');
  const back = await gone.signIn(location, away.somebody());
  await gone.stop();

  expect(failureOf(await comeBack(back, cookie))).toBe('provider_away');
  const { location: next } = await start(tenant, '/studies');
  expect(next).toBe('/login?redirect=%2Fstudies#sso-failure=provider_away');
});

test('one person with the same provider at two tenants is two separate users', async () => {
  const [north, south] = [await setUp(), await setUp()];
  const subject = somebody();

  const [northern, southern] = [await signIn(north.tenant, subject), await signIn(south.tenant, subject)];

  expect(northern.user.id).not.toBe(southern.user.id);
  expect([northern.tenant.subdomain, southern.tenant.subdomain]).toEqual([
    north.tenant.subdomain,
    south.tenant.subdomain,
  ]);
  expect((await usersOf(south.tenant)).map(({ id }) => id)).not.toContain(northern.user.id);
  await world.owner.updateTable('users').set({ is_active: false }).where('id', '=', southern.user.id).execute();
  expect(await refusal(south.tenant, subject)).toBe('inactive');
  expect((await signIn(north.tenant, subject)).user.id).toBe(northern.user.id);
});

test('the same subject at another provider is another user', async () => {
  const { tenant, admin } = await setUp();
  const subject = somebody();
  const known = await signIn(tenant, subject);
  const next = await startOidcProvider();
  onTestFinished(next.stop);
  next.people.set(subject, { name: 'Somebody else', preferred_username: `else.${subject.slice(-12)}` });
  const { issuer, clientId, clientSecret } = next;
  expect(await change(admin, { issuer, clientId, clientSecret })).toMatchObject({ status: 200 });

  const { user } = await singleSignOnSteps(world, next).signIn(tenant, subject);

  expect(user).toMatchObject({ name: 'Somebody else' });
  expect(user.id).not.toBe(known.user.id);
});

test('refuses the return from the provider of one tenant in the name of another tenant', async () => {
  const [north, south] = [await setUp(), await setUp()];
  const { location, cookie } = await start(north.tenant);
  const back = new URL(await provider.signIn(location, somebody()));
  const state = back.searchParams.get('state') ?? '';
  back.searchParams.set('state', state.replace(north.tenant.subdomain, south.tenant.subdomain));

  expect(failureOf(await comeBack(back.href, cookie))).toBe('not_known');
});

test('a suspended tenant neither offers nor accepts single sign-on', async () => {
  const { tenant } = await setUp();
  const subject = somebody();
  const { page, cookie } = await travel(tenant, subject);
  await world.owner
    .updateTable('tenants')
    .set({ suspended_at: sql`now()` })
    .where('id', '=', tenant.id)
    .execute();

  expect(await exchange(ticketOf(page), cookie)).toMatchObject({ status: 401 });
  expect((await start(tenant)).location).toBe('/login#sso-failure=off');
  const offer = await world.send(singleSignOn.offer, { query: { organization: tenant.subdomain } });
  expect(offer.data.isOn).toBe(false);
});

test('refuses a deactivated user, even between the return and the session', async () => {
  const { tenant } = await setUp();
  const subject = somebody();
  const { user } = await signIn(tenant, subject);
  const { page, cookie } = await travel(tenant, subject);
  await world.owner.updateTable('users').set({ is_active: false }).where('id', '=', user.id).execute();

  expect(await exchange(ticketOf(page), cookie)).toMatchObject({ status: 401 });
  expect(await refusal(tenant, subject)).toBe('inactive');
});

test('only an administrator can connect a new identity with a user, even if name or e-mail address is the same', async () => {
  const { tenant, admin } = await setUp();
  const local = await world.signIn('RADIOLOGIST', tenant);
  const subject = somebody({ preferred_username: local.username.toUpperCase(), email: local.session.email });

  expect(await refusal(tenant, subject)).toBe('not_linked');
  const { data: arrivals } = await admin.send(singleSignOn.arrivals);
  expect(arrivals).toMatchObject([{ subject, isNameTaken: true }]);
  const params = { arrivalId: arrivals[0]?.id ?? '' };
  const linked = await admin.send(singleSignOn.link, { params, body: { username: local.username } });
  expect(linked).toMatchObject({ status: 200, data: { subject, username: local.username } });

  expect((await signIn(tenant, subject)).user.id).toBe(local.userId);
  expect((await admin.send(singleSignOn.arrivals)).data).toEqual([]);
  expect(await auditOf(tenant, 'identity.link')).toMatchObject([{ user_id: admin.userId }]);
});

test('an administrator must connect an identity whose name is reserved for the server', async () => {
  const { tenant } = await setUp();

  expect(await refusal(tenant, somebody({ preferred_username: 'system' }))).toBe('not_linked');
});

test('an identity with the e-mail address of another user gets its own account', async () => {
  const { tenant } = await setUp();
  const local = await world.signIn('RADIOLOGIST', tenant);

  const { user } = await signIn(tenant, somebody({ email: local.session.email }));

  expect(user.id).not.toBe(local.userId);
});

test.each([false, 'false'])('ignores an e-mail address that the provider has not verified (%j)', async (verified) => {
  const { tenant } = await setUp();

  const { user } = await signIn(tenant, somebody({ email: 'ceo@example.org', email_verified: verified }));

  expect(user.email).toBe('');
});

test('if new users are refused, the administrator sees their identities and can dismiss them', async () => {
  const { tenant, admin } = await setUp({ isEnrolling: false });
  const subject = somebody({ name: 'Dr New' });

  expect(await refusal(tenant, subject)).toBe('unknown');
  expect(await refusal(tenant, subject)).toBe('unknown');

  const { data: arrivals } = await admin.send(singleSignOn.arrivals);
  expect(arrivals).toMatchObject([{ subject, name: 'Dr New', isNameTaken: false }]);
  const params = { arrivalId: arrivals[0]?.id ?? '' };
  expect(await admin.send(singleSignOn.dismiss, { params })).toMatchObject({ status: 200 });
  expect((await admin.send(singleSignOn.arrivals)).data).toEqual([]);
  expect((await usersOf(tenant)).length).toBe(1);
});

test('a disconnected user loses their session and can no longer sign in as that user', async () => {
  const { tenant, admin } = await setUp();
  const subject = somebody();
  const { token } = await signIn(tenant, subject);
  const { data: identities } = await admin.send(singleSignOn.identities);

  const params = { identityId: identities[0]?.id ?? '' };
  expect(await admin.send(singleSignOn.unlink, { params })).toMatchObject({ status: 200 });

  expect(await world.send(sessions.validate, { body: { token } })).toMatchObject({ status: 401 });
  expect(await refusal(tenant, subject)).toBe('not_linked');
});

test('refuses to connect an identity with a super administrator, a patient or a connected user', async () => {
  const { tenant, admin } = await setUp({ isEnrolling: false });
  const [operator, patient, linked] = [
    await world.signIn('SUPER_ADMIN', tenant),
    await world.signIn('PATIENT', tenant),
    await world.signIn('RADIOLOGIST', tenant),
  ];
  await refusal(tenant, somebody());
  await refusal(tenant, somebody());
  const { data: arrivals } = await admin.send(singleSignOn.arrivals);
  const link = (username: string, index = 0) =>
    admin.send(singleSignOn.link, { params: { arrivalId: arrivals[index]?.id ?? '' }, body: { username } });

  expect(await link(operator.username)).toMatchObject({ status: 422, errors: [{ field: 'username' }] });
  expect(await link(patient.username)).toMatchObject({ status: 422, errors: [{ field: 'username' }] });
  expect(await link('nobody at all')).toMatchObject({ status: 422, errors: [{ field: 'username' }] });
  expect(await link(linked.username)).toMatchObject({ status: 200 });
  expect(await link(linked.username, 1)).toMatchObject({ status: 409 });
});

test('refuses to connect or disconnect a user whose rights the administrator could not give', async () => {
  const { tenant, admin } = await setUp({ isEnrolling: false });
  const keeper = await world.signIn('ADMIN', tenant);
  const id = newId();
  await world.inTenant(tenant, async ({ db }) => {
    await db
      .insertInto('roles')
      .values({ id, name: 'Keeper of roles', permissions: ['role.manage'] })
      .execute();
    await db.insertInto('user_roles').values({ user_id: keeper.userId, role_id: id }).execute();
  });
  await refusal(tenant, somebody());
  const { data: arrivals } = await admin.send(singleSignOn.arrivals);
  const params = { arrivalId: arrivals[0]?.id ?? '' };
  const link = (by: typeof admin) => by.send(singleSignOn.link, { params, body: { username: keeper.username } });

  expect(await link(admin)).toMatchObject({
    status: 403,
    message: expect.stringContaining('permissions that you cannot'),
  });
  const boss = await world.signIn('SUPER_ADMIN', tenant);
  const linked = await link(boss);
  const unlink = (by: typeof admin) => by.send(singleSignOn.unlink, { params: { identityId: linked.data.id } });

  expect([(await unlink(admin)).status, (await unlink(boss)).status]).toEqual([403, 200]);
});

test('refuses a ticket of a user that was issued before the user was disconnected', async () => {
  const { tenant, admin } = await setUp();
  const subject = somebody();
  await signIn(tenant, subject);
  const { page, cookie } = await travel(tenant, subject);
  const { data: identities } = await admin.send(singleSignOn.identities);
  await admin.send(singleSignOn.unlink, { params: { identityId: identities[0]?.id ?? '' } });

  expect(await exchange(ticketOf(page), cookie)).toMatchObject({ status: 401, error: 'sso.expired' });
});

test('refuses single sign-on for a user who has become a super administrator', async () => {
  const { tenant } = await setUp();
  const subject = somebody();
  const { user } = await signIn(tenant, subject);
  await world.owner.updateTable('users').set({ user_type: 'SUPER_ADMIN' }).where('id', '=', user.id).execute();

  expect(await refusal(tenant, subject)).toBe('operator');
});

test('an identity without a user name gets its own reason', async () => {
  const { tenant } = await setUp({ usernameClaim: 'nickname' });

  expect(await refusal(tenant, somebody())).toBe('no_claims');
});

test('refuses a sign-in whose acr or amr is weaker than the organization requires', async () => {
  const { tenant, admin } = await setUp({ requiredAmr: 'otp hwk' });
  const subject = somebody();
  expect(await refusal(tenant, subject, { amr: ['pwd'] })).toBe('weak');
  expect(await refusal(tenant, subject)).toBe('weak');
  expect(await refusal(tenant, subject, { amr: ['pwd', 'otp'] })).toBe(null);

  expect(await change(admin, { requiredAmr: '', requiredAcr: 'urn:two-factors' })).toMatchObject({ status: 200 });
  const { location } = await start(tenant);
  expect(new URL(location).searchParams.get('acr_values')).toBe('urn:two-factors');
  expect(await refusal(tenant, subject, { acr: 'urn:one-factor' })).toBe('weak');
  expect(await refusal(tenant, subject, { acr: 'urn:two-factors' })).toBe(null);
});

test('with passwords turned off, only administrators can use them, and all users can use the provider', async () => {
  const { tenant, admin } = await setUp({ isPasswordAllowed: false });
  const reader = await world.signIn('RADIOLOGIST', tenant);
  const password = 'correct horse battery';
  await world.owner
    .updateTable('users')
    .set({ password_hash: await hashPassword(password) })
    .where('tenant_id', '=', tenant.id)
    .execute();
  const login = ({ username }: { username: string }, typedPassword = password) =>
    world.send(sessions.login, {
      body: { username, password: typedPassword },
      headers: { 'x-tenantid': tenant.subdomain },
    });

  expect(await login(admin)).toMatchObject({ status: 200 });
  expect(await login(reader)).toMatchObject({ status: 401, error: 'session.single_sign_on' });
  expect(await login(reader, 'wrong')).toMatchObject({ status: 401, message: 'Invalid username or password' });
  const basic = Buffer.from(`${tenant.subdomain}/${reader.username}:${password}`).toString('base64');
  const software = await world.request({
    method: 'GET',
    url: '/dicom-web/studies',
    headers: { authorization: `Basic ${basic}` },
  });
  expect(software.statusCode).toBe(401);
  expect((await signIn(tenant, somebody())).user.userType).toBe('RADIOLOGIST');
  expect(await change(admin, { isOn: true, isPasswordAllowed: true })).toMatchObject({ status: 200 });
  expect(await login(reader)).toMatchObject({ status: 200 });
});

test('the sign-in page learns only the label of single sign-on, and nothing of unknown organizations', async () => {
  const { tenant } = await setUp({ label: 'North account' });
  const without = await world.newTenant();
  const offerTo = async (organization: string) =>
    (await world.send(singleSignOn.offer, { query: { organization } })).data;

  expect(await offerTo(tenant.subdomain.toUpperCase())).toEqual({
    isOn: true,
    subdomain: tenant.subdomain,
    label: 'North account',
  });
  expect(await offerTo(without.subdomain)).toEqual(await offerTo('nobody'));
  // If there are several organizations, callers who are not signed in learn no name of an organization.
  expect(await offerTo('')).toEqual({ isOn: false, subdomain: '', label: '' });
});
