import { userTypes } from '@radwork/contract/access';
import { expect, test } from 'vitest';
import { found } from '#core/problem.ts';
import { addressOf, type Call, contractCalls } from '#test/contract-calls.ts';
import { fillTenant } from '#test/full-tenant.ts';
import { storedSecrets, tellingFields } from '#test/stored-secrets.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const tenant = await fillTenant(world, 'SECRETS');

const reading = contractCalls.filter(({ method }) => method === 'GET');

/** Which answers tell somebody something that is secret, by the type of who asks. */
const leaksOf = async (calls: readonly Call[], secrets: readonly string[]): Promise<string[]> => {
  const tokens = Array.from(tenant.people.values(), ({ token }) => token);
  const leaks: string[] = [];
  for (const call of calls) {
    for (const type of userTypes) {
      const { token } = found(tenant.people.get(type), 'person');
      const headers = { authorization: `Bearer ${token}` };
      const answer = await world.request({ method: call.method, url: addressOf(call, tenant), headers });
      // The document names the fields that secrets are sent in.
      const telling = call.name === 'GET /api/openapi.json' ? [] : tellingFields(answer);
      const told = [...secrets, ...tokens].filter((secret) => answer.payload.includes(secret));
      if (telling.length + told.length > 0) leaks.push(`${type} ${call.name}: ${telling.join()} ${told.length}`);
    }
  }
  return leaks;
};

test('no answer has a password, a token or the hash of one in it, whoever asks', async () => {
  const secrets = await storedSecrets(world);

  expect(secrets.length).toBeGreaterThan(10);
  expect(await leaksOf(reading, secrets)).toEqual([]);
});

test('a secret that an answer is made to tell is found, and so is a field that is called like one', async () => {
  const secrets = await storedSecrets(world);
  const study = reading.filter(({ name }) => name === 'GET /api/studies/:id');
  const describe = (description: string) =>
    world.owner.updateTable('studies').set({ description }).where('id', '=', tenant.studyId).execute();

  await describe(`Planted: ${found(secrets[0], 'secret')}`);
  const leaks = await leaksOf(study, secrets);
  await describe('');

  expect(leaks).toContain('ADMIN GET /api/studies/:id:  1');
  expect(await leaksOf(study, secrets)).toEqual([]);
  const json = { 'content-type': 'application/json; charset=utf-8' };
  const payload = JSON.stringify({ data: [{ id: 1, user: { passwordHash: null, resetToken: '' } }] });
  expect(tellingFields({ payload, headers: json })).toEqual(['passwordHash', 'resetToken']);
});
