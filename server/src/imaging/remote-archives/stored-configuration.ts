import { t } from '@radwork/contract/core/translate';
import type { RemoteConfiguration, RemoteSettings } from '@radwork/contract/imaging/remote-archives';
import { type Selectable, sql } from 'kysely';
import { isId } from '#core/values/ids.ts';
import { orNotFound, notFound } from '#core/http/problem.ts';
import type { RemoteConfigurations } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';
import { type Vault, VaultError } from '#core/installation/vault.ts';
import { RemoteError } from './remote-source.ts';

export type StoredConfiguration = Selectable<RemoteConfigurations>;

/** Maps the names of the secrets in the contract to their sealed columns. */
export const secretColumns = {
  password: 'password',
  token: 'token',
  apiKey: 'api_key',
  apiSecret: 'api_secret',
} as const;
export type SecretName = keyof typeof secretColumns;
type SecretColumn = (typeof secretColumns)[SecretName];
export const secretNames: readonly SecretName[] = ['password', 'token', 'apiKey', 'apiSecret'];

type Secrets = Pick<RemoteSettings, SecretName>;

const placeOf = ({ tenant_id, id }: Pick<StoredConfiguration, 'tenant_id' | 'id'>, name: SecretName) => ({
  tenantId: tenant_id,
  table: 'remote_configurations',
  row: id,
  column: secretColumns[name],
});

/** Returns the columns of the secrets, sealed for their row. An empty secret is null. */
export const sealSecrets = (vault: Vault, row: Pick<StoredConfiguration, 'tenant_id' | 'id'>, secrets: Secrets) => {
  const seal = (name: SecretName) => (secrets[name] === '' ? null : vault.seal(secrets[name], placeOf(row, name)));
  return { password: seal('password'), token: seal('token'), api_key: seal('apiKey'), api_secret: seal('apiSecret') };
};

const openSecrets = (vault: Vault, row: StoredConfiguration): Secrets => {
  const open = (name: SecretName) => {
    const sealed = row[secretColumns[name]];
    return sealed === null ? '' : vault.open(sealed, placeOf(row, name));
  };
  try {
    return { password: open('password'), token: open('token'), apiKey: open('apiKey'), apiSecret: open('apiSecret') };
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    throw new RemoteError('UNAUTHORIZED', t`The stored credentials cannot be decrypted. Enter them again.`);
  }
};

/**
 * Returns the secrets that are still sealed with another key, sealed with the current key. Leaves out secrets that
 * cannot be opened.
 */
export const resealed = (vault: Vault, row: StoredConfiguration): Partial<Record<SecretColumn, string>> => {
  const changes = secretNames.flatMap((name): [SecretColumn, string][] => {
    const column = secretColumns[name];
    const sealed = row[column];
    const renewed = sealed === null ? undefined : vault.reseal(sealed, placeOf(row, name));
    return renewed === undefined ? [] : [[column, renewed]];
  });
  return Object.fromEntries(changes);
};

/**
 * Returns all settings of an archive, including its secrets. The result never leaves the server. Throws a RemoteError
 * if the secrets cannot be decrypted.
 */
export const settingsOf = (vault: Vault, row: StoredConfiguration): RemoteSettings => ({
  ...openSecrets(vault, row),
  aeTitle: row.ae_title,
  protocol: row.protocol,
  baseUrl: row.base_url,
  resourcesUri: row.resources_uri,
  qidoEndpoint: row.qido_endpoint,
  wadoEndpoint: row.wado_endpoint,
  issuer: row.issuer,
  authType: row.auth_type,
  username: row.username,
});

/** Returns the configuration for administrators. It says which secrets are set, but not their values. */
export const toConfiguration = (row: StoredConfiguration): RemoteConfiguration => ({
  id: row.id,
  revision: row.revision,
  aeTitle: row.ae_title,
  protocol: row.protocol,
  baseUrl: row.base_url,
  resourcesUri: row.resources_uri,
  qidoEndpoint: row.qido_endpoint,
  wadoEndpoint: row.wado_endpoint,
  issuer: row.issuer,
  authType: row.auth_type,
  username: row.username,
  hasPassword: row.password !== null,
  hasToken: row.token !== null,
  hasApiKey: row.api_key !== null,
  hasApiSecret: row.api_secret !== null,
  updatedDate: row.updated_at,
});

const shared = ({ db }: Scope) => db.selectFrom('remote_configurations').selectAll().where('owner_id', 'is', null);

export const sharedConfigurations = (scope: Scope): Promise<StoredConfiguration[]> =>
  shared(scope).orderBy('ae_title').orderBy('base_url').execute();

/** Returns a configuration of the tenant, but not a typed-in archive. Throws 404 when there is none. */
export const sharedConfiguration = async (scope: Scope, id: string): Promise<StoredConfiguration> => {
  if (!isId(id)) throw notFound('configuration');
  return orNotFound(await shared(scope).where('id', '=', id).executeTakeFirst(), 'configuration');
};

/** Like `sharedConfiguration`, and locks the row until the transaction ends. */
export const configurationToChange = async (scope: Scope, id: string): Promise<StoredConfiguration> =>
  orNotFound(await shared(scope).where('id', '=', id).forUpdate().executeTakeFirst(), 'configuration');

/** Hours without use after which a typed-in archive is deleted, unless an import from it is active. */
export const connectionHours = 24;

/**
 * Returns a configuration that the caller may use: one of the tenant, or one that the caller typed in and that has not
 * expired. The server itself may use those of all users, because it runs their jobs. Throws 404 for any other.
 */
export const usableConfiguration = async (scope: Scope, id: string): Promise<StoredConfiguration> => {
  if (!isId(id)) throw notFound('configuration');
  const { userId } = scope.session;
  const mayUse = sql<boolean>`(owner_id is null or ${userId} = '' or owner_id::text = ${userId})`;
  const row = await scope.db
    .updateTable('remote_configurations')
    .set({ used_at: sql`now()` })
    .where('id', '=', id)
    .where(mayUse)
    .where((on) => on.or([on('owner_id', 'is', null), isRemembered]))
    .returningAll()
    .executeTakeFirst();
  return orNotFound(row, 'configuration');
};

const isActive = sql<boolean>`exists (
  select from import_jobs j where j.remote_config_id = remote_configurations.id and j.state in ('QUEUED', 'RUNNING'))`;

const isRemembered = sql<boolean>`(used_at > now() - make_interval(hours => ${connectionHours}) or ${isActive})`;

/** Returns whether an import from this archive is active. */
export const hasActiveImport = async ({ db }: Scope, id: string): Promise<boolean> => {
  const row = await db
    .selectFrom('remote_configurations')
    .select('id')
    .where('id', '=', id)
    .where(isActive)
    .executeTakeFirst();
  return row !== undefined;
};
