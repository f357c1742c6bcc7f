import { userTypes } from '@radwork/contract/access';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { found } from '#core/problem.ts';
import { addressOf, contractCalls } from '#test/contract-calls.ts';
import { fillTenant } from '#test/full-tenant.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const tenant = await fillTenant(world, 'SECRETS');

/** All that is stored of passwords and sessions, as text would hold it. */
const storedSecrets = async (): Promise<string[]> => {
  const { rows } = await sql<{ secret: string }>`
    select password_hash as secret from users where password_hash <> ''
    union select encode(token_hash, 'base64') from sessions
    union select encode(token_hash, 'hex') from sessions
    union select password from remote_configurations where password <> ''`.execute(world.owner);
  return rows.map(({ secret }) => secret);
};

/** The names of all fields in an answer, however deep. */
const namesIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
};

/**
 * The checksum of a signed text, by which anybody can see that it is the one that was signed; the address of a report,
 * which its authors hand out; and whether something secret is known of an archive.
 */
const harmless = new Set(['contentHash', 'linkHash', 'hasPassword', 'hasToken', 'hasApiKey', 'hasApiSecret']);

test('no answer has a password, a token or the hash of one in it, whoever asks', async () => {
  const secrets = await storedSecrets();
  const tokens = Array.from(tenant.people.values(), ({ token }) => token);

  const leaks: string[] = [];
  for (const call of contractCalls.filter(({ method }) => method === 'GET')) {
    for (const type of userTypes) {
      const { token } = found(tenant.people.get(type), 'person');
      const headers = { authorization: `Bearer ${token}` };
      const answer = await world.request({ method: call.method, url: addressOf(call, tenant), headers });
      const isJson = String(answer.headers['content-type']).startsWith('application/json');
      const names = isJson ? namesIn(answer.json()) : [];
      const telling = names.filter((name) => /password|secret|token|hash/i.test(name) && !harmless.has(name));
      const told = [...secrets, ...tokens].filter((secret) => answer.payload.includes(secret));
      if (telling.length + told.length > 0) leaks.push(`${type} ${call.name}: ${telling.join()} ${told.length}`);
    }
  }

  expect(secrets.length).toBeGreaterThan(10);
  expect(leaks).toEqual([]);
});
