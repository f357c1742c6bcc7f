import { t } from '@radwork/contract/core/translate';
import type { ListedConfiguration, RemoteConfiguration } from '@radwork/contract/imaging/remote-archives';
import { audit } from '#core/audit/audit.ts';
import { conflict } from '#core/http/problem.ts';
import { hasPermission, type Scope } from '#core/access/scope.ts';
import { refuseLimited } from '#core/access/refuse-limited.ts';
import {
  configurationToChange,
  hasActiveImport,
  sharedConfiguration,
  sharedConfigurations,
  toConfiguration,
} from './stored-configuration.ts';

/**
 * Returns the archives of the tenant. Administrators see all fields. Users who may only import see names and protocols.
 */
export const list = async (scope: Scope): Promise<ListedConfiguration[]> => {
  const rows = (await sharedConfigurations(scope)).map(toConfiguration);
  if (hasPermission(scope.session, 'config.manage')) return rows;
  return rows.map(({ id, aeTitle, protocol }) => ({ id, aeTitle, protocol }));
};

export const read = async (scope: Scope, id: string): Promise<RemoteConfiguration> =>
  toConfiguration(await sharedConfiguration(scope, id));

/** Deletes an archive. Completed imports keep its name. Throws 409 while an import is active. */
export const remove = async (scope: Scope, id: string): Promise<void> => {
  refuseLimited(scope.session);
  const { protocol } = await configurationToChange(scope, id);
  if (await hasActiveImport(scope, id)) {
    throw conflict('configuration.busy', t`An import from this archive is running. Cancel it first.`);
  }
  await scope.db.deleteFrom('remote_configurations').where('id', '=', id).execute();
  await audit(scope, 'configuration.delete', {
    entity: 'remote_configuration',
    entityId: id,
    detail: { protocol },
  });
};
