import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { account, passwordLinks } from '@radwork/contract/identity/accounts';
import { installTranslation } from '@radwork/contract/core/translate';
import { users } from '@radwork/contract/identity/users';
import fastify from 'fastify';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { resealMails, startMailing } from '#core/notifications/mail.ts';
import { translateReplies } from '#core/http/request-language.ts';
import { createVault } from '#core/installation/vault.ts';
import { accountSteps, codeOf, password } from '#test/account-steps.ts';
import { eventually } from '#test/eventually.ts';
import { startMailServer } from '#test/mail-server.ts';
import { createWorld, type Tenant, type World } from '#test/world.ts';
import { makePasswordLink } from '#identity/credentials/password-links.ts';
import { sendPasswordLink } from '#identity/credentials/send-password-link.ts';

const world = await createWorld();
afterAll(() => mailServer.close());
const { newOwner, enrol, audited, told: notificationTitles, later } = accountSteps(world);

const fresh = 'quiet copper meadow';
const tokenIn = (link: string) => link.split('#')[1] ?? '';
const linkFor = async ({ tenant, userId }: { tenant: Tenant; userId: string }, purpose: 'INVITE' | 'RESET' = 'RESET') =>
  tokenIn(await world.inTenant(tenant, (scope) => makePasswordLink(scope, userId, purpose)));
type Owner = Awaited<ReturnType<typeof newOwner>>;
const check = (token: string) => world.send(passwordLinks.check, { body: { token } });
const use = (token: string, newPassword = fresh) =>
  world.send(passwordLinks.use, { body: { token, password: newPassword } });

test('a password link names its account, sets the password once and ends all sessions', async () => {
  const rosa = await newOwner();
  const token = await linkFor(rosa);

  const { data: about } = await check(token);
  const used = await use(token);
  const again = await use(token, 'garden lantern cellar');

  expect(about).toEqual({
    username: rosa.username,
    organization: `Clinic ${rosa.tenant.subdomain}`,
    purpose: 'RESET',
  });
  expect(used.data).toEqual({ username: rosa.username, subdomain: rosa.tenant.subdomain });
  expect(again.status).toBe(404);
  expect(await rosa.isIn()).toBe(false);
  expect((await rosa.logIn({ given: fresh })).statusCode).toBe(200);
  expect((await rosa.logIn()).statusCode).toBe(401);
  expect(await audited(rosa)).toContain('password.set');
  expect(await notificationTitles(rosa)).toEqual(['Your password was set']);
});

test('an invited user has no password until they choose one', async () => {
  const rosa = await newOwner();
  await world.owner.updateTable('users').set({ password_hash: null }).where('id', '=', rosa.userId).execute();

  const before = await rosa.logIn();
  await use(await linkFor(rosa, 'INVITE'));

  expect(before.statusCode).toBe(401);
  expect((await rosa.logIn({ given: fresh })).statusCode).toBe(200);
});

test('only one of two simultaneous calls with a password link sets the password', async () => {
  const rosa = await newOwner();
  const token = await linkFor(rosa);

  const answers = await Promise.all([use(token, fresh), use(token, 'garden lantern cellar')]);

  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 404]);
});

test('an unknown, used, replaced or expired password link gets the same answer', async () => {
  const rosa = await newOwner();
  const used = await linkFor(rosa);
  await use(used);
  const old = await linkFor(rosa);
  const latest = await linkFor(rosa);
  await world.owner
    .updateTable('password_links')
    .set({ expires_at: world.sql`now() - interval '1 second'` })
    .where('user_id', '=', rosa.userId)
    .where('used_at', 'is', null)
    .execute();

  const tokens = ['x'.repeat(43), used, old, latest];
  const answers = await Promise.all(tokens.flatMap((token) => [check(token), use(token, 'garden lantern cellar')]));

  const bodies = new Set(answers.map((answer) => JSON.stringify({ ...answer, traceId: '' })));
  expect(answers).toHaveLength(8);
  expect([...bodies]).toEqual([expect.stringContaining('This link was used, replaced or has expired')]);
});

test('refuses the password link of a deactivated user or a suspended tenant', async () => {
  const [deactivated, suspended] = [await newOwner(), await newOwner()];
  const tokens = [await linkFor(deactivated), await linkFor(suspended)];
  await world.owner.updateTable('users').set({ is_active: false }).where('id', '=', deactivated.userId).execute();
  await world.owner
    .updateTable('tenants')
    .set({ suspended_at: world.sql`now()` })
    .where('id', '=', suspended.tenant.id)
    .execute();

  const answers = await Promise.all(tokens.map((token) => use(token)));

  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
});

test.each<[string, (owner: Owner) => Promise<unknown>]>([
  [
    'its owner changes the password',
    ({ send, userId }) =>
      send(account.changePassword, {
        params: { id: userId },
        body: { currentPassword: password, newPassword: 'garden lantern cellar' },
      }),
  ],
  [
    'its owner changes the address',
    async ({ send }) => {
      const { name, specialization, department, revision } = (await send(account.read)).data;
      const profile = { name, specialization, department, revision };
      const body = { ...profile, email: 'elsewhere@example.org', currentPassword: password };
      return send(account.save, { body });
    },
  ],
  [
    'an administrator changes the address',
    async ({ tenant, userId: id }) => {
      const admin = await world.signIn('ADMIN', tenant);
      const { data } = await admin.send(users.get, { params: { id } });
      const { username, name, userType, revision } = data;
      const body = { username, name, userType, revision, email: 'right@example.org' };
      return admin.send(users.update, { params: { id }, body });
    },
  ],
  [
    'its owner is deactivated, even if the owner is then activated again',
    async ({ tenant, userId: id }) => {
      const admin = await world.signIn('ADMIN', tenant);
      await admin.send(users.setStatus, { params: { id }, body: { active: false } });
      return admin.send(users.setStatus, { params: { id }, body: { active: true } });
    },
  ],
])('an earlier password link stops working when %s', async (_, act) => {
  const rosa = await newOwner();
  const token = await linkFor(rosa);

  expect(await act(rosa)).toMatchObject({ status: 200 });

  expect((await use(token)).status).toBe(404);
});

test('a refused password that is easy to guess does not use up the link', async () => {
  const rosa = await newOwner();
  const token = await linkFor(rosa);

  const refused = await use(token, 'password1234');

  expect(refused).toMatchObject({ status: 422, errors: [{ field: 'password' }] });
  expect((await use(token)).status).toBe(200);
});

test('a new password does not change the second factor', async () => {
  const rosa = await newOwner();
  const { key } = await enrol(rosa);
  await later(rosa);

  await use(await linkFor(rosa));

  expect((await rosa.logIn({ given: fresh })).json().error).toBe('session.second_factor');
  expect((await rosa.logIn({ given: fresh, code: codeOf(key) })).statusCode).toBe(200);
});

test('limits the calls for password links of one address to thirty a minute', async () => {
  const ask = () =>
    world.request({
      method: 'POST',
      url: '/api/auth/password-links/check',
      payload: { token: 'x' },
      remoteAddress: '10.2.0.1',
    });

  const answers = await Promise.all(Array.from({ length: 62 }, ask));

  expect(answers.some(({ statusCode }) => statusCode === 429)).toBe(true);
});

test('without a mail server, a reset returns the link, and requests for forgotten passwords are refused', async () => {
  const rosa = await newOwner();

  const sent = await world.inTenant(rosa.tenant, (scope) =>
    sendPasswordLink(scope, world.context, rosa.userId, 'RESET'),
  );
  const forgotten = await world.send(passwordLinks.forgot, { body: { username: rosa.username } });

  expect(sent).toEqual({ link: expect.stringMatching(/^\/set-password#[\w-]{43}$/) });
  expect((await world.send(passwordLinks.facts)).data).toEqual({ canSendMail: false });
  expect(forgotten).toMatchObject({ status: 409, error: 'mail.missing' });
});

/** A test world that sends mail to a server on this machine. */
const mailServer = await startMailServer({ refuses: ['unknown@example.org'] });
const mailing = await createWorld({
  SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
  MAIL_FROM: 'Radwork <radwork@example.org>',
  PUBLIC_URL: 'https://radwork.example.org',
});
const mailed = accountSteps(mailing);
const deliver = (to: World = mailing, errors: unknown[] = []) => {
  const stop = startMailing(to.context, to.url, { onError: (error) => errors.push(error), pauses: [1] });
  onTestFinished(stop);
  return errors;
};
const lettersTo = (address: string) => mailServer.received.filter(({ to }) => to.includes(address));
const forget = (username: string, subdomain?: string, remoteAddress = '127.0.0.1') =>
  mailing.request({
    method: 'POST',
    url: '/api/auth/forgot-password',
    payload: { username },
    headers: { ...(subdomain && { 'x-tenantid': subdomain }) },
    remoteAddress,
  });

test('mails a password link after the commit, and only the mail contains the token', async () => {
  const rosa = await mailed.newOwner();
  deliver();

  const sent = await mailing.inTenant(rosa.tenant, (scope) =>
    sendPasswordLink(scope, mailing.context, rosa.userId, 'INVITE'),
  );
  const undone = mailing.inTenant(rosa.tenant, async (scope) => {
    await sendPasswordLink(scope, mailing.context, rosa.userId, 'INVITE');
    throw new Error('not after all');
  });

  await expect(undone).rejects.toThrow('not after all');
  expect(sent).toEqual({ sentTo: rosa.email });
  await eventually(() => expect(lettersTo(rosa.email)).toHaveLength(1));
  const [letter] = lettersTo(rosa.email);
  const [, token = ''] = /https:\/\/radwork\.example\.org\/set-password#([\w-]{43})/.exec(letter?.text ?? '') ?? [];
  expect(letter?.from).toBe('radwork@example.org');
  expect((await mailing.send(passwordLinks.use, { body: { token, password: fresh } })).status).toBe(200);
});

test('writes a mail in the language of the organization', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-mail-'));
  onTestFinished(async () => {
    installTranslation(() => undefined);
    await rm(folder, { recursive: true });
  });
  const messages = {
    'If you did not request it, ignore this message. Your password stays the same.': ['Ihr Kennwort bleibt gleich.'],
  };
  await writeFile(join(folder, 'de.json'), JSON.stringify(messages));
  await writeFile(join(folder, 'languages.json'), JSON.stringify({ de: { page: '/de.js', server: 'de.json' } }));
  await translateReplies(fastify(), folder);
  const rosa = await mailed.newOwner();
  await mailing.owner.updateTable('tenants').set({ locale: 'de-AT' }).where('id', '=', rosa.tenant.id).execute();
  deliver();

  await mailing.inTenant(rosa.tenant, (scope) => sendPasswordLink(scope, mailing.context, rosa.userId, 'RESET'));

  await eventually(() => expect(lettersTo(rosa.email)).toHaveLength(1));
  expect(lettersTo(rosa.email)[0]?.text).toContain('Ihr Kennwort bleibt gleich.');
});

test('stores a waiting mail sealed, so that the database reveals no link', async () => {
  const rosa = await mailed.newOwner();

  const row = await mailing.inTenant(rosa.tenant, async (scope) => {
    await sendPasswordLink(scope, mailing.context, rosa.userId, 'RESET');
    return scope.db.selectFrom('mails').selectAll().executeTakeFirstOrThrow();
  });

  expect(row.sealed).toMatch(/^v1\./);
  expect(JSON.stringify(row)).not.toContain('set-password');
});

test('sends a waiting mail when the mail server is available again', async () => {
  const away = await startMailServer();
  await away.close();
  const settings = {
    SMTP_URL: `smtp://127.0.0.1:${away.port}`,
    MAIL_FROM: 'radwork@example.org',
    PUBLIC_URL: 'https://radwork.example.org',
  };
  const other = await createWorld(settings);
  const rosa = await accountSteps(other).newOwner();
  const errors = deliver(other);
  await other.inTenant(rosa.tenant, (scope) => sendPasswordLink(scope, other.context, rosa.userId, 'RESET'));
  await eventually(() => expect(errors.length).toBeGreaterThan(0));

  const back = await startMailServer({ port: away.port });
  onTestFinished(back.close);

  await eventually(() => expect(back.received.map(({ to }) => to)).toEqual([[rosa.email]]));
  await eventually(async () => {
    const mails = await other.inTenant(rosa.tenant, ({ db }) => db.selectFrom('mails').select('id').execute());
    expect(mails).toEqual([]);
  });
});

/** A test world whose SECRET_KEY changes while a mail waits. */
const keyChanges = async () => {
  const server = await startMailServer();
  onTestFinished(server.close);
  const other = await createWorld({
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: 'radwork@example.org',
    PUBLIC_URL: 'https://radwork.example.org',
  });
  const rosa = await accountSteps(other).newOwner();
  await other.inTenant(rosa.tenant, (scope) => sendPasswordLink(scope, other.context, rosa.userId, 'INVITE'));
  const { secretKey } = other.context;
  const newer = { ...secretKey, hmac: (text: string) => secretKey.hmac(`newer ${text}`) };
  const errors: unknown[] = [];
  const begin = () => {
    const context = { ...other.context, vault: createVault(newer) };
    onTestFinished(startMailing(context, other.url, { onError: (error) => errors.push(error), pauses: [1] }));
  };
  const waiting = () => other.inTenant(rosa.tenant, ({ db }) => db.selectFrom('mails').select('id').execute());
  return { other, rosa, server, errors, begin, waiting, both: createVault(newer, [secretKey]) };
};

test('after a change of SECRET_KEY, a waiting mail is sealed with the new key and sent', async () => {
  const { other, rosa, server, errors, begin, both } = await keyChanges();

  expect(await resealMails(other.owner, both)).toBe(1);
  expect(await resealMails(other.owner, both)).toBe(0);
  begin();

  await eventually(() => expect(server.received.map(({ to }) => to)).toEqual([[rosa.email]]));
  expect(errors).toEqual([]);
});

test('drops a waiting mail that no key can open, and logs once how to proceed', async () => {
  const { server, errors, begin, waiting } = await keyChanges();

  begin();

  await eventually(async () => expect(await waiting()).toEqual([]));
  expect(errors.map(String)).toEqual([expect.stringContaining('SECRET_KEY_PREVIOUS')]);
  expect(server.received).toEqual([]);
});

test('does not retry a mail that the mail server refuses permanently', async () => {
  const rosa = await mailed.newOwner();
  await mailing.owner
    .updateTable('users')
    .set({ email: 'unknown@example.org' })
    .where('id', '=', rosa.userId)
    .execute();
  const errors = deliver();

  await mailing.inTenant(rosa.tenant, (scope) => sendPasswordLink(scope, mailing.context, rosa.userId, 'RESET'));

  await eventually(async () => {
    const jobs = await mailing.inTenant(rosa.tenant, ({ db }) => db.selectFrom('jobs').select('id').execute());
    expect(jobs).toEqual([]);
  });
  expect(errors).toHaveLength(1);
});

test('a request for a forgotten password gets the same answer whether or not the account exists', async () => {
  const rosa = await mailed.newOwner();
  deliver();

  const known = await forget(rosa.username, rosa.tenant.subdomain, '10.3.0.1');
  const unknown = await forget('nobody.here', rosa.tenant.subdomain, '10.3.0.2');

  expect(known.payload).toBe(unknown.payload);
  expect(known.statusCode).toBe(200);
  await eventually(() => expect(lettersTo(rosa.email)).toHaveLength(1));
  expect(lettersTo(rosa.email)[0]?.text).toContain('for 30 minutes');
  expect((await rosa.logIn()).statusCode).toBe(200);
});

test('limits password links to three an hour per account and five requests a minute per address', async () => {
  const rosa = await mailed.newOwner();
  const linksOf = ({ tenant }: Pick<Owner, 'tenant'>) =>
    mailing.inTenant(tenant, ({ db }) => db.selectFrom('password_links').select('id').execute());
  const links = () => linksOf(rosa);

  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, at) => forget(rosa.username, rosa.tenant.subdomain, `10.3.1.${at}`)),
  );
  await eventually(async () => expect(await links()).toHaveLength(3));
  // The link of a later user is sent only when the fourth request has been decided.
  const later = await mailed.newOwner();
  await forget(rosa.username, rosa.tenant.subdomain, '10.3.1.9');
  await forget(later.username, later.tenant.subdomain, '10.3.1.10');
  await eventually(async () => expect(await linksOf(later)).toHaveLength(1));
  const flood = await Promise.all(Array.from({ length: 12 }, () => forget('nobody.here', undefined, '10.3.2.1')));

  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(flood.some(({ statusCode }) => statusCode === 429)).toBe(true);
  expect(await links()).toHaveLength(3);
});

test('sends no password link to a user of single sign-on, who has no password', async () => {
  const rosa = await mailed.newOwner();
  await mailing.owner.updateTable('users').set({ password_hash: null }).where('id', '=', rosa.userId).execute();

  await forget(rosa.username, rosa.tenant.subdomain, '10.3.3.1');
  const another = await mailed.newOwner();
  await forget(another.username, another.tenant.subdomain, '10.3.3.1');

  await eventually(async () => {
    const remainingLinks = await mailing.inTenant(another.tenant, ({ db }) =>
      db.selectFrom('password_links').select('id').execute(),
    );
    expect(remainingLinks).toHaveLength(1);
  });
  const links = await mailing.inTenant(rosa.tenant, ({ db }) => db.selectFrom('password_links').select('id').execute());
  expect(links).toEqual([]);
});

test('mails a notice of a changed password to the address of the account', async () => {
  const rosa = await mailed.newOwner();
  deliver();

  await rosa.send(account.changePassword, {
    params: { id: rosa.userId },
    body: { currentPassword: password, newPassword: fresh },
  });

  await eventually(() => expect(lettersTo(rosa.email)).toHaveLength(1));
  expect(lettersTo(rosa.email)[0]?.text).toContain('Your password was changed');
  expect(lettersTo(rosa.email)[0]?.text).toContain(rosa.username);
});
