import { userTypes } from '@radwork/contract/core/access';
import { expect, test } from 'vitest';
import { orNotFound } from './core/http/problem.ts';
import { addressOf, type Call, contractCalls } from '#test/contract-calls.ts';
import { fillTenant } from '#test/full-tenant.ts';
import { storedSecrets, secretFields } from '#test/stored-secrets.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const tenant = await fillTenant(world, 'SECRETS');

const reading = contractCalls.filter(({ method }) => method === 'GET');

/** Returns the replies that contain a secret, by user type. */
const leaksOf = async (calls: readonly Call[], secrets: readonly string[]): Promise<string[]> => {
  const tokens = Array.from(tenant.people.values(), ({ token }) => token);
  const leaks: string[] = [];
  for (const call of calls) {
    for (const type of userTypes) {
      const { token } = orNotFound(tenant.people.get(type), 'user');
      const headers = { authorization: `Bearer ${token}` };
      const answer = await world.request({ method: call.method, url: addressOf(call, tenant), headers });
      // The document names the fields in which clients send secrets.
      const secretFieldNames = call.name === 'GET /api/openapi.json' ? [] : secretFields(answer);
      const leakedSecrets = [...secrets, ...tokens].filter((secret) => answer.payload.includes(secret));
      if (secretFieldNames.length + leakedSecrets.length > 0)
        leaks.push(`${type} ${call.name}: ${secretFieldNames.join()} ${leakedSecrets.length}`);
    }
  }
  return leaks;
};

test('no response to any user contains a password, a token or its hash', async () => {
  const secrets = await storedSecrets(world);

  expect(secrets.length).toBeGreaterThan(10);
  expect(await leaksOf(reading, secrets)).toEqual([]);
});

test('the check finds a planted secret in a response, and a field named like a secret', async () => {
  const secrets = await storedSecrets(world);
  const study = reading.filter(({ name }) => name === 'GET /api/studies/:id');
  const describe = (description: string) =>
    world.owner.updateTable('studies').set({ description }).where('id', '=', tenant.studyId).execute();

  await describe(`Planted: ${orNotFound(secrets[0], 'file')}`);
  const leaks = await leaksOf(study, secrets);
  await describe('');

  expect(leaks).toContain('ADMIN GET /api/studies/:id:  1');
  expect(await leaksOf(study, secrets)).toEqual([]);
  const json = { 'content-type': 'application/json; charset=utf-8' };
  const payload = JSON.stringify({ data: [{ id: 1, user: { passwordHash: null, resetToken: '' } }] });
  expect(secretFields({ payload, headers: json })).toEqual(['passwordHash', 'resetToken']);
});
