import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '#core/config/config.ts';
import { fingerprintOf } from '#core/installation/installation.ts';
import { type SecretKey, secretKeyOf } from '#core/installation/secret-key.ts';
import { createVault } from '#core/installation/vault.ts';
import { hasTable } from './database.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';

/** Returns the secret that the server would use. Undefined when the first start would generate one. */
const secretOf = ({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): string | undefined => {
  const file = join(dataDir, 'secret-key');
  return secretKey ?? (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
};

/** Selects every sealed text, with the name of its purpose for the operator. */
const sealedTexts = `
  select 'passwords of other archives' as what, unnest(array[password, token, api_key, api_secret]) as sealed
    from remote_configurations
  union all select 'second factors', sealed_key from second_factors
  union all select 'saved signatures', sealed_picture from saved_signatures
  union all select 'signing PINs', sealed_hash from signing_pins
  union all select 'keys of AI providers', ai_key from tenants
  union all select 'keys of dictation servers', dictation_key from tenants
  union all select 'single sign-on', client_secret from single_sign_on
  union all select 'unsaved texts in browsers', sealed_text_key from users
  union all select 'mail that waits', sealed from mails`;

/** Checks whether SECRET_KEY matches the database and opens its sealed texts. */
export const examineSecrets = async (
  client: pg.Client,
  config: Pick<Config, 'secretKey' | 'secretKeyPrevious' | 'dataDir'>,
): Promise<Finding[]> => {
  if (!(await hasTable(client, 'installation'))) return [];
  const { rows } = await client.query<{ fingerprint: string | null }>(
    'select secret_fingerprint as fingerprint from installation',
  );
  const fingerprint = rows[0]?.fingerprint ?? null;
  const secret = secretOf(config);
  if (secret === undefined) {
    return fingerprint === null
      ? [ok('SECRET_KEY', 'The first start generates a key.')]
      : [wrong('SECRET_KEY', 'The SECRET_KEY of this database is missing. Set it again.')];
  }
  const current = secretKeyOf(secret);
  const previous = config.secretKeyPrevious === undefined ? undefined : secretKeyOf(config.secretKeyPrevious);
  return [judgeFingerprint(fingerprint, current, previous), await examineSealed(client, current, previous)];
};

const judgeFingerprint = (fingerprint: string | null, current: SecretKey, previous: SecretKey | undefined): Finding => {
  if (fingerprint === null || fingerprint === fingerprintOf(current)) {
    return ok('SECRET_KEY', 'The key belongs to this database.');
  }
  if (previous && fingerprint === fingerprintOf(previous)) {
    return warning(
      'SECRET_KEY',
      'SECRET_KEY_PREVIOUS belongs to this database. The next start changes the database to SECRET_KEY.',
    );
  }
  return wrong(
    'SECRET_KEY',
    'The key does not belong to this database, so Radwork cannot start. Set the earlier key as SECRET_KEY, or as SECRET_KEY_PREVIOUS to change it.',
  );
};

const examineSealed = async (client: pg.Client, current: SecretKey, previous?: SecretKey): Promise<Finding> => {
  const { rows } = await client.query<{ what: string; sealed: string }>(
    `select * from (${sealedTexts}) s where sealed is not null and sealed <> ''`,
  );
  const keys = [current, ...(previous ? [previous] : [])].map((key) => createVault(key));
  const shut = rows.filter(({ sealed }) => !keys.some((vault) => vault.isCurrent(sealed)));
  if (shut.length === 0) return ok('stored secrets', `SECRET_KEY opens all stored secrets (${rows.length}).`);
  const kinds = [...new Set(shut.map(({ what }) => what))].join(', ');
  return wrong(
    'stored secrets',
    `SECRET_KEY does not open ${shut.length} of ${rows.length} stored secrets (${kinds}). Start once with the earlier key in SECRET_KEY_PREVIOUS. If it is lost, enter the secrets again.`,
  );
};
