import { expect, test } from 'vitest';
import { hashPassword } from '#core/access/passwords.ts';
import { secretKeyOf } from '#core/installation/secret-key.ts';
import { createVault } from '#core/installation/vault.ts';
import { createUser } from '#identity/user-records/create-user.ts';
import { createWorld, type Tenant } from '#test/world.ts';
import { resealTextKeys } from './text-key.ts';

const world = await createWorld();
const password = 'correct horse battery';
const passwordHash = await hashPassword(password);

const newPerson = async (username: string) => {
  const tenant = await world.newTenant();
  await enroll(tenant, username);
  return { tenant, username };
};

const enroll = (tenant: Tenant, username: string) =>
  world.inTenant(tenant, (scope) =>
    createUser(scope, { username, name: 'Rosa', email: 'rosa@example.org', userType: 'RADIOLOGIST', passwordHash }),
  );

const signIn = async ({ tenant, username }: Awaited<ReturnType<typeof newPerson>>) => {
  const answer = await world.request({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username, password },
    headers: { 'x-tenantid': tenant.subdomain },
  });
  const { token, textKey } = answer.json<{ data: { token: string; textKey: string } }>().data;
  return { token, textKey };
};

const validate = async (token: string) =>
  (await world.request({ method: 'POST', url: '/api/auth/validate', payload: { token } })).json().data.textKey;

test('all sessions of a user get the same text key, and each user has another key', async () => {
  const rosa = await newPerson('rosa.text');
  await enroll(rosa.tenant, 'tom.text');

  const first = await signIn(rosa);
  const second = await signIn(rosa);
  const toms = await signIn({ ...rosa, username: 'tom.text' });

  expect(first.textKey).toMatch(/^[\da-f]{64}$/);
  expect([second.textKey, await validate(first.token)]).toEqual([first.textKey, first.textKey]);
  expect(toms.textKey).not.toBe(first.textKey);
});

const storedOf = ({ username }: { username: string }) =>
  world.owner.selectFrom('users').select('sealed_text_key').where('username', '=', username).executeTakeFirstOrThrow();

test('stores the text key sealed, and seals it again for a new SECRET_KEY', async () => {
  const rosa = await newPerson('rosa.sealed');
  const { textKey } = await signIn(rosa);
  const sealed = (await storedOf(rosa)).sealed_text_key;
  const newKey = secretKeyOf('another secret of this installation, long enough');

  const { moved: count } = await resealTextKeys(world.owner, createVault(newKey, [world.context.secretKey]));
  const after = (await storedOf(rosa)).sealed_text_key;
  await resealTextKeys(world.owner, createVault(world.context.secretKey, [newKey]));

  expect(sealed).not.toContain(textKey);
  expect(count).toBeGreaterThan(0);
  expect(createVault(newKey).isCurrent(after ?? '')).toBe(true);
  expect((await signIn(rosa)).textKey).toBe(textKey);
});

/** Seals the key of a user with a secret that this server does not know. */
const seal = async ({ tenant, username }: Awaited<ReturnType<typeof newPerson>>, textKey: string) => {
  const foreign = createVault(secretKeyOf('a secret of which this server knows nothing'));
  const { id } = await world.owner
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
  const place = { tenantId: tenant.id, table: 'users', row: id, column: 'sealed_text_key' };
  await world.owner
    .updateTable('users')
    .set({ sealed_text_key: foreign.seal(textKey, place) })
    .where('id', '=', id)
    .execute();
};

test('a server that cannot open the text key of a user signs the user in without the key and keeps it', async () => {
  const rosa = await newPerson('rosa.changing');
  const { textKey } = await signIn(rosa);
  await seal(rosa, textKey);
  const sealed = (await storedOf(rosa)).sealed_text_key;

  const next = await signIn(rosa);

  expect(next.token).toMatch(/./);
  expect(next.textKey).toBeUndefined();
  expect((await storedOf(rosa)).sealed_text_key).toBe(sealed);
});

test('when SECRET_KEY changes, a text key that no secret opens is dropped, and its user gets a new key', async () => {
  const rosa = await newPerson('rosa.lost');
  await signIn(rosa);
  await seal(rosa, 'ab'.repeat(32));

  const { givenUp } = await resealTextKeys(world.owner, world.context.vault);

  expect(givenUp).toBeGreaterThan(0);
  expect((await storedOf(rosa)).sealed_text_key).toBeNull();
  expect((await signIn(rosa)).textKey).toMatch(/^[\da-f]{64}$/);
});

test('a user gets the same text key even after the restore of a backup from before the key was stored', async () => {
  const rosa = await newPerson('rosa.restored');
  const { textKey } = await signIn(rosa);
  await world.owner.updateTable('users').set({ sealed_text_key: null }).where('username', '=', rosa.username).execute();

  expect((await signIn(rosa)).textKey).toBe(textKey);
});
