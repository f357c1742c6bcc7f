import {
  endpointUrl,
  missingCredentials,
  remoteConfigurationInput,
  type RemoteConfiguration,
  type RemoteSettings,
  usedCredentials,
} from '@radwork/contract/remote-configurations';
import type { Body } from '@radwork/contract/endpoint';
import type { remoteConfigurations } from '@radwork/contract/remote-configurations';
import { sql } from 'kysely';
import { audit } from '#core/audit.ts';
import { newId } from '#core/ids.ts';
import { conflict, invalid } from '#core/problem.ts';
import type { Scope } from '#core/scope.ts';
import type { Vault } from '#core/vault.ts';
import { originsOf } from './archive-client.ts';
import {
  configurationToChange,
  sealSecrets,
  type SecretName,
  secretColumns,
  secretNames,
  type StoredConfiguration,
  toConfiguration,
} from './stored-configuration.ts';

/** A new archive of the tenant. Throws a 422 by field, and a 409 for an AE title and address that there are already. */
export const create = async (scope: Scope, vault: Vault, form: RemoteSettings): Promise<RemoteConfiguration> => {
  const settings = { ...form, ...usedCredentials(form) };
  refuseMissing(settings);
  const row = { tenant_id: scope.session.tenantId, id: newId() };
  const stored = await orConflict(
    scope.db
      .insertInto('remote_configurations')
      .values({ ...row, ...columnsOf(settings), ...sealSecrets(vault, row, settings) })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  await note(scope, 'configuration.create', stored);
  return toConfiguration(stored);
};

/**
 * Puts a form in the place of a configuration. A secret that it leaves empty stays as it is stored, unless it would
 * then be used in another way or sent to another origin: whoever may edit addresses must not learn passwords by it.
 */
export const replace = async (
  scope: Scope,
  vault: Vault,
  id: string,
  { revision, ...form }: Body<typeof remoteConfigurations.replace>,
): Promise<RemoteConfiguration> => {
  const stored = await configurationToChange(scope, id);
  refuseOutdated(stored, revision);
  const settings = { ...form, ...usedCredentials(form) };
  const kept = keptSecrets(stored, settings);
  refuseMissing({ ...settings, ...Object.fromEntries(kept.map((name) => [name, 'kept'])) });
  const sealed = {
    ...sealSecrets(vault, stored, settings),
    ...Object.fromEntries(kept.map((name) => [secretColumns[name], stored[secretColumns[name]]])),
  };
  const saved = await orConflict(
    scope.db
      .updateTable('remote_configurations')
      .set({ ...columnsOf(settings), ...sealed, revision: stored.revision + 1, updated_at: sql`now()` })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  await note(scope, 'configuration.update', saved);
  return toConfiguration(saved);
};

/** Changes what is named and leaves the rest; otherwise like `replace`. */
export const change = async (
  scope: Scope,
  vault: Vault,
  id: string,
  { revision, ...changes }: Body<typeof remoteConfigurations.change>,
): Promise<RemoteConfiguration> => {
  const stored = await configurationToChange(scope, id);
  const { data: form, error } = remoteConfigurationInput.safeParse({ ...formOf(stored), ...changes });
  if (!form) throw invalid(Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message])));
  return replace(scope, vault, id, { ...form, revision });
};

/** The stored secrets that a form leaves as they are. */
export const keptSecrets = (stored: StoredConfiguration, form: RemoteSettings): SecretName[] => {
  const known = originsOf(formOf(stored));
  const mayKeep = stored.auth_type === form.authType && originsOf(form).every((origin) => known.includes(origin));
  return mayKeep ? secretNames.filter((name) => form[name] === '' && stored[secretColumns[name]] !== null) : [];
};

/** What a form shows of a configuration: everything but its secrets. */
const formOf = (row: StoredConfiguration) => {
  const { aeTitle, protocol, baseUrl, resourcesUri, qidoEndpoint, wadoEndpoint, issuer, authType, username } =
    toConfiguration(row);
  return { aeTitle, protocol, baseUrl, resourcesUri, qidoEndpoint, wadoEndpoint, issuer, authType, username };
};

export const columnsOf = (settings: RemoteSettings) => ({
  ae_title: settings.aeTitle,
  protocol: settings.protocol,
  base_url: endpointUrl(settings.baseUrl, ''),
  resources_uri: settings.resourcesUri,
  qido_endpoint: settings.qidoEndpoint,
  wado_endpoint: settings.wadoEndpoint,
  issuer: settings.issuer,
  auth_type: settings.authType,
  username: settings.username,
});

export const refuseMissing = (settings: RemoteSettings): void => {
  const missing = missingCredentials(settings);
  if (Object.keys(missing).length > 0) throw invalid(missing);
};

const refuseOutdated = (stored: StoredConfiguration, revision: number | undefined) => {
  if (revision === undefined || revision === stored.revision) return;
  throw conflict('configuration.changed', 'The configuration was changed by somebody else. Load it again.');
};

const uniqueViolation = '23505';

const orConflict = <T>(write: Promise<T>): Promise<T> =>
  write.catch((error: unknown) => {
    const isTaken = error instanceof Error && 'code' in error && error.code === uniqueViolation;
    throw isTaken ? conflict('configuration.exists', 'Configuration already exists') : error;
  });

const note = (scope: Scope, action: string, { id, protocol, auth_type, issuer }: StoredConfiguration) =>
  audit(scope, action, {
    entity: 'remote_configuration',
    entityId: id,
    detail: { protocol, authType: auth_type, issuer },
  });
