import { expect, test } from 'vitest';
import { hashPassword } from '#core/passwords.ts';
import { secretKeyOf } from '#core/secret-key.ts';
import { createVault } from '#core/vault.ts';
import { createUser } from '#features/users/service.ts';
import { createWorld, type Tenant } from '#test/world.ts';
import { resealTextKeys } from './text-key.ts';

const world = await createWorld();
const password = 'correct horse battery';
const passwordHash = await hashPassword(password);

const newPerson = async (username: string) => {
  const tenant = await world.newTenant();
  await enrol(tenant, username);
  return { tenant, username };
};

const enrol = (tenant: Tenant, username: string) =>
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

test('every session of a person brings the same key, and each person has another', async () => {
  const rosa = await newPerson('rosa.text');
  await enrol(rosa.tenant, 'tom.text');

  const first = await signIn(rosa);
  const second = await signIn(rosa);
  const toms = await signIn({ ...rosa, username: 'tom.text' });

  expect(first.textKey).toMatch(/^[\da-f]{64}$/);
  expect([second.textKey, await validate(first.token)]).toEqual([first.textKey, first.textKey]);
  expect(toms.textKey).not.toBe(first.textKey);
});

test('two who sign in for the first time at the same moment are given one key', async () => {
  const rosa = await newPerson('rosa.twice');

  const [one, other] = await Promise.all([signIn(rosa), signIn(rosa)]);

  expect(other.textKey).toBe(one.textKey);
});

const storedOf = ({ username }: { username: string }) =>
  world.owner.selectFrom('users').select('sealed_text_key').where('username', '=', username).executeTakeFirstOrThrow();

test('it is stored sealed, and goes to the new SECRET_KEY', async () => {
  const rosa = await newPerson('rosa.sealed');
  const { textKey } = await signIn(rosa);
  const sealed = (await storedOf(rosa)).sealed_text_key;
  const newKey = secretKeyOf('another secret of this installation, long enough');

  const count = await resealTextKeys(world.owner, createVault(newKey, [world.context.secretKey]));
  const moved = (await storedOf(rosa)).sealed_text_key;
  await resealTextKeys(world.owner, createVault(world.context.secretKey, [newKey]));

  expect(sealed).not.toContain(textKey);
  expect(count).toBeGreaterThan(0);
  expect(createVault(newKey).isCurrent(moved ?? '')).toBe(true);
  expect((await signIn(rosa)).textKey).toBe(textKey);
});

test('one that no SECRET_KEY opens any more keeps nobody out: there is a new one', async () => {
  const rosa = await newPerson('rosa.lost');
  const { textKey } = await signIn(rosa);
  const lost = createVault(secretKeyOf('a secret of which nobody knows anything'));
  const place = { tenantId: rosa.tenant.id, table: 'users', row: 'elsewhere', column: 'sealed_text_key' };
  await world.owner
    .updateTable('users')
    .set({ sealed_text_key: lost.seal(textKey, place) })
    .where('username', '=', rosa.username)
    .execute();

  const next = await signIn(rosa);

  expect(next.textKey).toMatch(/^[\da-f]{64}$/);
  expect(next.textKey).not.toBe(textKey);
  expect(await validate(next.token)).toBe(next.textKey);
});
