import { sql } from 'kysely';
import type { World } from './world.ts';

/** All that is stored of passwords, sessions and other secrets, as text would hold it. */
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
    union select secrets from sso_attempts
    union select encode(state_hash, 'base64') from sso_attempts
    union select unnest(array[password, token, api_key, api_secret]) from remote_configurations`.execute(owner);
  return rows.flatMap(({ secret }) => secret || []);
};

/** The names of all fields in an answer, however deep. */
const namesIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
};

/**
 * The checksum of a signed text, by which anybody can see that it is the one that was signed; the address of a report,
 * which its authors hand out; and whether something secret is known of an archive or a
 * provider, or may be used.
 */
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

type Answered = { payload: string; headers: Record<string, unknown> };

/** The fields of an answer whose names promise a secret. */
export const tellingFields = ({ payload, headers }: Answered): string[] => {
  if (!String(headers['content-type']).startsWith('application/json')) return [];
  return namesIn(JSON.parse(payload)).filter((name) => /password|secret|token|hash/i.test(name) && !harmless.has(name));
};

/** The fields that a call tells because that is what it is there for, by its operation. */
const toldOnPurpose: ReadonlyMap<string, RegExp> = new Map([
  // It names the fields that secrets are sent in.
  ['GET /api/openapi.json', /./],
  // A new webhook shows the secret once.
  ['POST /api/webhooks', /^secret$/],
]);

/** Whether telling a field is what a call is there for. */
export const tellsOnPurpose = (operation: string, field: string): boolean =>
  toldOnPurpose.get(operation)?.test(field) ?? false;
