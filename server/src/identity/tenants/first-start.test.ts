import { setup } from '@radwork/contract/identity/tenants';
import { expect, test } from 'vitest';
import { hashOfToken } from '#core/access/sessions.ts';
import { waitsForLock } from '#test/waits-for-lock.ts';
import { createWorld } from '#test/world.ts';
import { openSetup } from './first-start.ts';

const password = 'a long enough sentence 7';
const form = {
  name: 'First Clinic',
  subdomain: 'first',
  timeZone: 'Europe/Berlin',
  administrator: { username: 'founder', name: 'Nora First', email: 'nora@example.org' },
  password,
};

/** Creates an installation without an organization. */
const createEmptyWorld = async () => {
  const world = await createWorld();
  const open = async () => {
    const path = (await openSetup(world.owner)) ?? '';
    return path.replace('/setup#', '');
  };
  const complete = (token: string, changes: object = {}) =>
    world.send(setup.complete, { body: { ...form, token, ...changes } });
  return { ...world, open, complete };
};

test('only one of two simultaneous calls with the link creates the organization', async () => {
  const world = await createEmptyWorld();
  const token = await world.open();

  const answers = await Promise.all([
    world.complete(token),
    world.complete(token, { subdomain: 'other', administrator: { ...form.administrator, username: 'rival' } }),
  ]);

  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 404]);
  const tenants = await world.owner.selectFrom('tenants').select('subdomain').execute();
  const users = await world.owner.selectFrom('users').select(['user_type', 'is_active']).execute();
  expect(tenants).toHaveLength(1);
  expect(users).toEqual([{ user_type: 'SUPER_ADMIN', is_active: true }]);
});

test('the first organization requires a passcode or birth date for share links', async () => {
  const world = await createEmptyWorld();

  await world.complete(await world.open());

  const rows = await world.owner.selectFrom('tenants').select(['subdomain', 'is_link_code_required']).execute();
  expect(rows).toEqual([{ subdomain: 'first', is_link_code_required: true }]);
});

test('a second call with the link waits until the first call has ended, and then gets a 404', async () => {
  const world = await createEmptyWorld();
  const token = await world.open();
  let late: ReturnType<typeof world.complete> | undefined;

  await world.inTenant({ id: 4711, subdomain: '' }, async ({ db }) => {
    await world.sql`select found_first_tenant(${hashOfToken(token)}, 'First', 'first', 'UTC')`.execute(db);
    late = world.complete(token, { subdomain: 'second' });
    await waitsForLock(world);
  });

  expect((await late)?.status).toBe(404);
  expect(await world.owner.selectFrom('tenants').select('subdomain').execute()).toEqual([{ subdomain: 'first' }]);
});

test('a link is refused once an organization exists, and a used link leaves no data', async () => {
  const [world, other] = [await createEmptyWorld(), await createEmptyWorld()];
  const token = await world.open();
  await world.newTenant();
  expect((await world.send(setup.check, { body: { token } })).status).toBe(404);
  expect((await world.complete(token)).status).toBe(404);

  expect((await other.complete(await other.open())).status).toBe(200);
  const remaining = await other.owner
    .selectFrom('installation')
    .select(['setup_token_hash', 'setup_expires_at'])
    .execute();
  expect(remaining).toEqual([{ setup_token_hash: null, setup_expires_at: null }]);
});

test('stores only the hash of the link, for one day', async () => {
  const world = await createEmptyWorld();
  const token = await world.open();
  const { rows } = await world.sql<{ row: string; hours: number }>`
    select to_jsonb(i)::text as row, extract(epoch from setup_expires_at - now())::float8 / 3600 as hours
    from installation i`.execute(world.owner);
  expect(rows[0]?.row).not.toContain(token);
  expect(rows[0]?.hours).toBeCloseTo(24, 1);

  await world.sql`update installation set setup_expires_at = now() - interval '1 second'`.execute(world.owner);

  expect((await world.send(setup.check, { body: { token } })).status).toBe(404);
  expect((await world.complete(token)).status).toBe(404);
  expect(await world.owner.selectFrom('tenants').select('id').execute()).toEqual([]);
});

test('an invalid form names its fields, and the link remains valid', async () => {
  const world = await createEmptyWorld();
  const token = await world.open();

  const wrong = await world.complete(token, { subdomain: 'admin', timeZone: 'Nowhere' });
  const weak = await world.complete(token, { password: 'short' });

  expect(wrong.errors).toEqual(
    expect.arrayContaining([
      { field: 'subdomain', message: 'This subdomain is reserved' },
      { field: 'timeZone', message: 'Choose an IANA time zone, such as America/New_York' },
    ]),
  );
  expect(weak).toMatchObject({ status: 422, errors: [{ field: 'password' }] });
  expect((await world.complete(token)).status).toBe(200);
});

test('the server creates no link when an organization exists', async () => {
  const world = await createEmptyWorld();
  await world.newTenant();

  expect(await openSetup(world.owner)).toBeUndefined();
});
