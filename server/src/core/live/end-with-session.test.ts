import { request } from 'node:http';
import { sessions } from '@radwork/contract/identity/sessions';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { receiveEvents, listeningTo } from '#test/listen-live.ts';
import { incomingFiles } from '#test/incoming-files.ts';
import { form, image, related } from '#test/multipart-upload.ts';
import { quickHash } from '#test/quick-hash.ts';
import { createWorld, type Person, type Tenant } from '#test/world.ts';
import { announce } from './announce.ts';

const world = await createWorld();
const listen = listeningTo(world);

test('a visitor receives the events of the visited tenant, and the visit is audited once', async () => {
  const visitor = await world.signIn('SUPER_ADMIN');
  const member = await world.signIn();
  const { tenant } = member;
  const visiting = await listen(visitor, { headers: { 'x-tenantid': tenant.subdomain } });
  const leaving = await listen(member);

  // After a sign-out, the server checks all listeners again.
  await member.send(sessions.logout);
  await leaving.ended;
  await world.inTenant(tenant, (scope) => announce(scope, { kind: 'everything' }));

  expect(await receiveEvents(visiting)).toEqual([{ kind: 'everything' }]);
  const entries = await world.inTenant(tenant, ({ db }) =>
    db.selectFrom('audit_entries').select('username').where('action', '=', 'tenant.enter').execute(),
  );
  expect(entries).toEqual([{ username: visitor.username }]);
});

const imageToSend = () => ({
  path: '/api/stow-rs/studies',
  ...related(image({ TextValue: 'x'.repeat(2 * sentBytes) }).bytes),
});
const attachmentToSend = () => ({
  path: '/api/guidelines',
  ...form({ name: 'long.txt', bytes: Buffer.alloc(2 * sentBytes, 'x') }),
});

/**
 * Starts an upload that does not end. Resolves when the archive has begun to receive it, with a promise of the outcome.
 */
const uploading = ({ token }: Person, tenant: Tenant, sent = imageToSend()): Promise<{ end: Promise<string> }> =>
  uploadingBy(`Bearer ${token}`, tenant, sent);

const uploadingBy = async (
  authorization: string,
  tenant: Tenant,
  sent = imageToSend(),
): Promise<{ end: Promise<string> }> => {
  const { path, payload, headers } = sent;
  const call = request(`${address()}${path}`, {
    method: 'POST',
    headers: { ...headers, authorization, 'x-tenantid': tenant.subdomain },
  });
  onTestFinished(() => void call.destroy());
  const end = new Promise<string>((resolve) => {
    call.on('error', () => resolve('broken off'));
    call.on('response', ({ statusCode }) => resolve(`answered ${statusCode}`));
  });
  const before = new Set(await incomingFiles(world));
  call.write(payload.subarray(0, sentBytes));
  const arriving = async () => (await incomingFiles(world)).filter((name) => !before.has(name));
  await expect.poll(arriving).toHaveLength(1);
  return { end };
};

/** Bytes. The store writes a file above this size to disk at once, so a test can see that the upload has begun. */
const sentBytes = 1_200_000;

const address = (): string => {
  const bound = world.app.server.address();
  return `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
};

const suspend = ({ id }: Tenant) =>
  world.owner
    .updateTable('tenants')
    .set({ suspended_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute();

test('signing out aborts the uploads of this session within seconds, but no uploads of other sessions', async () => {
  const [leaving, staying] = [await world.signIn(), await world.signIn()];
  const [broken, going] = [await uploading(leaving, leaving.tenant), await uploading(staying, staying.tenant)];

  await leaving.send(sessions.logout);

  const first = await Promise.race([broken.end, going.end.then((end) => `the other: ${end}`)]);
  expect(first).toBe('broken off');
});

test('signing out aborts the transfer of an attachment and leaves no file', async () => {
  const leaving = await world.signIn('ADMIN');
  const { end } = await uploading(leaving, leaving.tenant, attachmentToSend());

  await leaving.send(sessions.logout);

  expect(await end).toBe('broken off');
  await expect.poll(() => incomingFiles(world)).toEqual([]);
});

test('suspending an organization ends the event streams and uploads of its visitors', async () => {
  const visitor = await world.signIn('SUPER_ADMIN');
  const { tenant } = await world.signIn();
  const visiting = await listen(visitor, { headers: { 'x-tenantid': tenant.subdomain } });
  const atHome = await listen(visitor);
  const sent = await uploading(visitor, tenant);

  await suspend(tenant);

  await visiting.ended;
  expect(await sent.end).toBe('broken off');
  await world.inTenant(visitor.tenant, (scope) => announce(scope, { kind: 'everything' }));
  expect(await receiveEvents(atHome)).toEqual([{ kind: 'everything' }]);
});

const password = 'correct: horse bättery';
const [passwordHash, anotherHash] = [await quickHash(password), await quickHash('something else entirely')];

/** Sends an endless image with a username and a password, as other software does. */
const sendingByPassword = async () => {
  const { tenant, username, userId } = await world.signIn();
  const change = (columns: { is_active?: boolean; password_hash?: string }) =>
    world.inTenant(tenant, ({ db }) => db.updateTable('users').set(columns).where('id', '=', userId).execute());
  await change({ password_hash: passwordHash });
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const { end } = await uploadingBy(authorization, tenant, { ...imageToSend(), path: '/dicom-web/studies' });
  return { tenant, end, change };
};
type LiveConnection = Awaited<ReturnType<typeof sendingByPassword>>;

test.each<[what: string, take: (sending: LiveConnection) => Promise<unknown>]>([
  ['is deactivated', ({ change }) => change({ is_active: false })],
  ['gets another password', ({ change }) => change({ password_hash: anotherHash })],
  ['belongs to a suspended organization', ({ tenant }) => suspend(tenant)],
])('aborts an upload with a password when its account %s, and no other upload', async (_, take) => {
  const [stopped, staying] = [await sendingByPassword(), await sendingByPassword()];
  // The sign-out of another session makes the server check both uploads. The test waits for this check.
  const leaving = await world.signIn();
  const broken = await uploading(leaving, leaving.tenant);
  await leaving.send(sessions.logout);
  await broken.end;

  await take(stopped);

  expect(await Promise.race([stopped.end, staying.end.then((end) => `the other: ${end}`)])).toBe('broken off');
});
