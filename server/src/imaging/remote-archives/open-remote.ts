import type { RemoteSettings } from '@radwork/contract/imaging/remote-archives';
import type { Context } from '#core/context.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { arrivedInstancesOf } from '#imaging/dimse/arrived-instances.ts';
import { createDimseSource } from './dimse-source.ts';
import { readRemoteAddress } from '#imaging/dimse/remote-address.ts';
import { countedSource } from './counted-source.ts';
import { createArchiveClient } from './archive-client.ts';
import { createDicomwebSource } from './dicomweb-source.ts';
import { createFhirSource } from './fhir-source.ts';
import type { RemoteSource } from './remote-source.ts';
import { settingsOf, usableConfiguration } from './stored-configuration.ts';

/** Services needed to reach remote archives. */
export type Remotes = Pick<Context, 'blobs' | 'config' | 'metrics' | 'outgoing' | 'scopes' | 'vault'>;
type Tenant = { id: number; subdomain: string };

/**
 * Returns the archive of a configuration. Throws 404 when it belongs to another tenant, or was typed in by another
 * user. Leaves no transaction open.
 */
export const openRemote = async (context: Remotes, session: Session, configId: string): Promise<RemoteSource> => {
  const { settings, tenant } = await context.scopes.inTenant(session, async (scope) => ({
    settings: settingsOf(context.vault, await usableConfiguration(scope, configId)),
    tenant: await tenantOf(scope),
  }));
  return createSource(context, tenant, settings);
};

/**
 * Returns the caller's tenant with its subdomain, which the operator's allow-list uses. The session of a job has no
 * subdomain.
 */
export const tenantOf = ({ db }: Scope): Promise<Tenant> =>
  db.selectFrom('tenants').select(['id', 'subdomain']).executeTakeFirstOrThrow();

/** Returns the archive of the settings. Throws a RemoteError for an invalid address. */
export const createSource = (context: Remotes, tenant: Tenant, settings: RemoteSettings): RemoteSource =>
  countedSource(sourceOf(context, tenant, settings), settings.protocol, context.metrics);

const sourceOf = (context: Remotes, tenant: Tenant, settings: RemoteSettings): RemoteSource => {
  if (settings.protocol === 'DIMSE') return openDimse(context, tenant, settings);
  const { outgoing, config } = context;
  const client = createArchiveClient({ outgoing, tenant }, settings);
  return settings.protocol === 'FHIR'
    ? createFhirSource(client, settings, config.maxInstanceBytes)
    : createDicomwebSource(client, config.maxInstanceBytes);
};

const openDimse = (context: Remotes, tenant: Tenant, settings: RemoteSettings): RemoteSource =>
  createDimseSource({
    peer: readRemoteAddress(settings),
    locate: (...place) => context.outgoing.address(tenant, ...place),
    mostInstanceBytes: context.config.maxInstanceBytes,
    arrivals: context.config.dimsePort === undefined ? undefined : arrivedInstancesOf(context, tenant.id),
  });
