import { request } from 'node:http';
import { sessions } from '@radwork/contract/sessions';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { heard, listeningTo } from '#test/listen-live.ts';
import { incomingFiles } from '#test/incoming.ts';
import { form, image, related } from '#test/upload.ts';
import { createWorld, type Person, type Tenant } from '#test/world.ts';
import { announce } from './announce.ts';

const world = await createWorld();
const listen = listeningTo(world);

test('who visits another tenant hears from it for as long as their session holds, and has entered it once', async () => {
  const visitor = await world.signIn('SUPER_ADMIN');
  const member = await world.signIn();
  const { tenant } = member;
  const visiting = await listen(visitor, { headers: { 'x-tenantid': tenant.subdomain } });
  const leaving = await listen(member);

  // When somebody leaves, all who listen are looked up.
  await member.send(sessions.logout);
  await leaving.ended;
  await world.inTenant(tenant, (scope) => announce(scope, { kind: 'everything' }));

  expect(await heard(visiting)).toEqual([{ kind: 'everything' }]);
  const entries = await world.inTenant(tenant, ({ db }) =>
    db.selectFrom('audit_entries').select('username').where('action', '=', 'tenant.enter').execute(),
  );
  expect(entries).toEqual([{ username: visitor.username }]);
});

const imageToSend = () => ({
  path: '/api/stow-rs/studies',
  ...related(image({ TextValue: 'x'.repeat(2 * seen) }).bytes),
});
const attachmentToSend = () => ({
  path: '/api/guidelines',
  ...form({ name: 'long.txt', bytes: Buffer.alloc(2 * seen, 'x') }),
});

/** Sends an image, or what is given, without an end. Answers, once the archive has begun to take it, how it ends. */
const uploading = async (
  { token }: Person,
  tenant: Tenant,
  sent = imageToSend(),
): Promise<{ end: Promise<string> }> => {
  const { path, payload, headers } = sent;
  const call = request(`${address()}${path}`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}`, 'x-tenantid': tenant.subdomain },
  });
  onTestFinished(() => void call.destroy());
  const end = new Promise<string>((resolve) => {
    call.on('error', () => resolve('broken off'));
    call.on('response', ({ statusCode }) => resolve(`answered ${statusCode}`));
  });
  const before = new Set(await incomingFiles(world));
  call.write(payload.subarray(0, seen));
  const arriving = async () => (await incomingFiles(world)).filter((name) => !before.has(name));
  await expect.poll(arriving, { timeout: 20_000 }).toHaveLength(1);
  return { end };
};

/** Of a file that is larger than what is held in memory it can be seen that it has begun to arrive. In bytes. */
const seen = 1_200_000;

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

test('what is sent is broken off within seconds of signing out, and nothing else is', async () => {
  const [leaving, staying] = [await world.signIn(), await world.signIn()];
  const [broken, going] = [await uploading(leaving, leaving.tenant), await uploading(staying, staying.tenant)];

  await leaving.send(sessions.logout);

  const first = await Promise.race([broken.end, going.end.then((end) => `the other: ${end}`)]);
  expect(first).toBe('broken off');
});

test('an attachment that is on its way is broken off, too, and nothing of it stays', async () => {
  const leaving = await world.signIn('ADMIN');
  const { end } = await uploading(leaving, leaving.tenant, attachmentToSend());

  await leaving.send(sessions.logout);

  expect(await end).toBe('broken off');
  await expect.poll(() => incomingFiles(world), { timeout: 20_000 }).toEqual([]);
});

test('who visits an organisation hears and sends nothing there any more once it is suspended', async () => {
  const visitor = await world.signIn('SUPER_ADMIN');
  const { tenant } = await world.signIn();
  const visiting = await listen(visitor, { headers: { 'x-tenantid': tenant.subdomain } });
  const atHome = await listen(visitor);
  const sent = await uploading(visitor, tenant);

  await suspend(tenant);

  await visiting.ended;
  expect(await sent.end).toBe('broken off');
  await world.inTenant(visitor.tenant, (scope) => announce(scope, { kind: 'everything' }));
  expect(await heard(atHome)).toEqual([{ kind: 'everything' }]);
});
