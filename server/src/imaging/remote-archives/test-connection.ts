import { t } from '@radwork/contract/core/translate';
import {
  type remoteConfigurations,
  type RemoteSettings,
  usedCredentials,
} from '@radwork/contract/imaging/remote-archives';
import type { ConnectionTest } from '@radwork/contract/core/connection-test';
import type { Body } from '@radwork/contract/core/endpoint';
import { audit } from '#core/audit/audit.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { createSource, type Remotes, tenantOf } from './open-remote.ts';
import { unchangedSecrets, refuseMissing } from './save-configuration.ts';
import { RemoteError } from './remote-source.ts';
import { settingsOf, sharedConfiguration } from './stored-configuration.ts';

type Tenant = { id: number; subdomain: string };

/** Milliseconds that a test may take. */
const longestTest = 10_000;

/** Tests a saved configuration. A failure of the test is a result, not an error. */
export const testConnection = async (context: Remotes, session: Session, id: string): Promise<ConnectionTest> => {
  const { row, tenant } = await context.scopes.inTenant(session, async (scope) => ({
    row: await sharedConfiguration(scope, id),
    tenant: await tenantOf(scope),
  }));
  const result = await measure(async (signal) => {
    const settings = settingsOf(context.vault, row);
    return createSource(context, tenant, settings).test(signal);
  });
  await context.scopes.inTenant(session, (scope) => note(scope, result, id));
  return result;
};

/**
 * Tests a form that was not saved. If a secret is empty, uses the secret of the edited configuration, provided that
 * this secret may still be used. Throws 422 by field for missing values.
 */
export const testUnsaved = async (
  context: Remotes,
  session: Session,
  { id, ...form }: Body<typeof remoteConfigurations.testUnsaved>,
): Promise<ConnectionTest> => {
  const { row, tenant } = await context.scopes.inTenant(session, async (scope) => ({
    row: id === undefined ? undefined : await sharedConfiguration(scope, id),
    tenant: await tenantOf(scope),
  }));
  const unchangedNames = row ? unchangedSecrets(row, form) : [];
  refuseMissing({ ...form, ...Object.fromEntries(unchangedNames.map((name) => [name, 'kept'])) });
  const result = await measure(async (signal) => {
    const secrets = row && unchangedNames.length > 0 ? settingsOf(context.vault, row) : undefined;
    const settings: RemoteSettings = {
      ...form,
      ...usedCredentials(form),
      ...(secrets && Object.fromEntries(unchangedNames.map((name) => [name, secrets[name]]))),
    };
    return createSource(context, tenant, settings).test(signal);
  });
  await context.scopes.inTenant(session, (scope) => note(scope, result, id));
  return result;
};

/** Tests typed-in settings. Returns the name of the server. Throws a RemoteError. */
export const tryArchive = (context: Remotes, tenant: Tenant, settings: RemoteSettings): Promise<string> =>
  createSource(context, tenant, settings).test(AbortSignal.timeout(longestTest));

const measure = async (test: (signal: AbortSignal) => Promise<string>): Promise<ConnectionTest> => {
  const began = performance.now();
  const milliseconds = () => Math.round(performance.now() - began);
  try {
    const server = await test(AbortSignal.timeout(longestTest));
    const message = server === '' ? 'Connected' : t`Connected to ${server}`;
    return { isOk: true, milliseconds: milliseconds(), server, cause: null, message };
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    const { remoteCause, message } = error;
    return { isOk: false, milliseconds: milliseconds(), server: '', cause: remoteCause, message };
  }
};

const note = (scope: Scope, { isOk, cause }: ConnectionTest, id = '') =>
  audit(scope, 'configuration.test', {
    entity: 'remote_configuration',
    entityId: id,
    outcome: isOk ? 'SUCCESS' : 'FAILURE',
    ...(cause && { detail: { cause } }),
  });
