import { t } from '@radwork/contract/core/translate';
import {
  endpointUrl,
  missingCredentials,
  remoteConfigurationInput,
  type RemoteConfiguration,
  type RemoteSettings,
  usedCredentials,
} from '@radwork/contract/imaging/remote-archives';
import type { Body } from '@radwork/contract/core/endpoint';
import type { remoteConfigurations } from '@radwork/contract/imaging/remote-archives';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { conflict, invalid, type Problem } from '#core/http/problem.ts';
import { unlessTaken } from '#core/database/unless-taken.ts';
import type { Scope } from '#core/access/scope.ts';
import { refuseLimited } from '#core/access/refuse-limited.ts';
import type { Vault } from '#core/installation/vault.ts';
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

/**
 * Creates an archive of the tenant. Throws 403 for callers who are limited to groups, and 422 by field. Throws 409 when
 * an archive with the AE title and address exists.
 */
export const create = async (scope: Scope, vault: Vault, form: RemoteSettings): Promise<RemoteConfiguration> => {
  refuseLimited(scope.session);
  const settings = { ...form, ...usedCredentials(form) };
  refuseMissing(settings);
  const row = { tenant_id: scope.session.tenantId, id: newId() };
  const stored = await unlessTaken('remote_configurations_address', configurationExists, {
    execute: () =>
      scope.db
        .insertInto('remote_configurations')
        .values({ ...row, ...columnsOf(settings), ...sealSecrets(vault, row, settings) })
        .returningAll()
        .executeTakeFirstOrThrow(),
  });
  await note(scope, 'configuration.create', stored);
  return toConfiguration(stored);
};

/**
 * Replaces a configuration. If a secret in the form is empty, the stored secret stays, unless the authentication type
 * or the server changes. Otherwise a user who edits addresses could send the password to another server.
 */
export const replace = async (
  scope: Scope,
  vault: Vault,
  id: string,
  { revision, ...form }: Body<typeof remoteConfigurations.replace>,
): Promise<RemoteConfiguration> => {
  refuseLimited(scope.session);
  const stored = await configurationToChange(scope, id);
  refuseOutdated(stored, revision);
  const settings = { ...form, ...usedCredentials(form) };
  const unchangedNames = unchangedSecrets(stored, settings);
  refuseMissing({ ...settings, ...Object.fromEntries(unchangedNames.map((name) => [name, 'kept'])) });
  const sealed = {
    ...sealSecrets(vault, stored, settings),
    ...Object.fromEntries(unchangedNames.map((name) => [secretColumns[name], stored[secretColumns[name]]])),
  };
  const saved = await unlessTaken('remote_configurations_address', configurationExists, {
    execute: () =>
      scope.db
        .updateTable('remote_configurations')
        .set({ ...columnsOf(settings), ...sealed, revision: stored.revision + 1, updated_at: sql`now()` })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),
  });
  await note(scope, 'configuration.update', saved);
  return toConfiguration(saved);
};

/** Changes only the named fields. Apart from that, works like `replace`. */
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

/** Returns the stored secrets that stay, because the form leaves their fields empty. */
export const unchangedSecrets = (stored: StoredConfiguration, form: RemoteSettings): SecretName[] => {
  const known = originsOf(formOf(stored));
  const mayKeep = stored.auth_type === form.authType && originsOf(form).every((origin) => known.includes(origin));
  return mayKeep ? secretNames.filter((name) => form[name] === '' && stored[secretColumns[name]] !== null) : [];
};

/** Returns the form fields of a configuration, without its secrets. */
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
  throw conflict('configuration.changed', t`Another user changed the configuration. Reload it.`);
};

const configurationExists = (): Problem => conflict('configuration.exists', t`Configuration already exists`);

const note = (scope: Scope, action: string, { id, protocol, auth_type, issuer }: StoredConfiguration) =>
  audit(scope, action, {
    entity: 'remote_configuration',
    entityId: id,
    detail: { protocol, authType: auth_type, issuer },
  });
