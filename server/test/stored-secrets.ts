import { sql } from 'kysely';
import type { World } from './world.ts';

/** Returns all stored passwords, sessions and other secrets in their text forms. */
export const storedSecrets = async ({ owner }: Pick<World, 'owner'>): Promise<string[]> => {
  const { rows } = await sql<{ secret: string | null }>`
    select password_hash as secret from users where password_hash <> ''
    union select encode(token_hash, 'base64') from sessions
    union select encode(token_hash, 'hex') from sessions
    union select encode(token_hash, 'base64') from password_links
    union select encode(token_hash, 'base64') from signing_proofs
    union select encode(token_hash, 'hex') from signing_proofs
    union select encode(token_hash, 'hex') from password_links
    union select encode(token_hash, 'base64') from report_links
    union select encode(token_hash, 'hex') from report_links
    union select passcode_hash from report_links where passcode_hash <> ''
    union select sealed_key from second_factors
    union select sealed_hash from signing_pins
    union select sealed_picture from saved_signatures
    union select sealed_text_key from users
    union select sealed from mails
    union select sealed from push_subscriptions
    union select sealed from push_key
    union select sealed_secret from webhooks
    union select client_secret from single_sign_on
    union select dictation_key from tenants
    union select secrets from sso_attempts
    union select encode(state_hash, 'base64') from sso_attempts
    union select unnest(array[password, token, api_key, api_secret]) from remote_configurations`.execute(owner);
  return rows.flatMap(({ secret }) => secret || []);
};

/** Returns the names of all fields in a reply at any depth. */
const namesIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
};

/** Fields that are no secrets: checksums of signed texts, public report addresses, and flags about secrets. */
const harmless = new Set([
  'contentHash',
  'linkHash',
  'hasPassword',
  'hasToken',
  'hasApiKey',
  'hasApiSecret',
  'hasClientSecret',
  'isPasswordAllowed',
]);

type CallAnswer = { payload: string; headers: Record<string, unknown> };

/** Returns the fields of a reply whose names suggest a secret. */
export const secretFields = ({ payload, headers }: CallAnswer): string[] => {
  if (!String(headers['content-type']).startsWith('application/json')) return [];
  return namesIn(JSON.parse(payload)).filter((name) => /password|secret|token|hash/i.test(name) && !harmless.has(name));
};

/** Fields that an operation returns on purpose. */
const intendedSecrets: ReadonlyMap<string, RegExp> = new Map([
  // This operation names the fields in which secrets are sent.
  ['GET /api/openapi.json', /./],
  // A new webhook shows its secret once.
  ['POST /api/webhooks', /^secret$/],
]);

/** True when an operation returns a field on purpose. */
export const isIntended = (operation: string, field: string): boolean =>
  intendedSecrets.get(operation)?.test(field) ?? false;
