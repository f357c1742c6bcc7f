import { userTypes } from '@radwork/contract/access';
import { expect, test } from 'vitest';
import { found } from '#core/problem.ts';
import { addressOf, contractCalls } from '#test/contract-calls.ts';
import { fillTenant } from '#test/full-tenant.ts';
import { storedSecrets, tellingFields } from '#test/stored-secrets.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const tenant = await fillTenant(world, 'SECRETS');

test('no answer has a password, a token or the hash of one in it, whoever asks', async () => {
  const secrets = await storedSecrets(world);
  const tokens = Array.from(tenant.people.values(), ({ token }) => token);

  const leaks: string[] = [];
  for (const call of contractCalls.filter(({ method }) => method === 'GET')) {
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

  expect(secrets.length).toBeGreaterThan(10);
  expect(leaks).toEqual([]);
});
