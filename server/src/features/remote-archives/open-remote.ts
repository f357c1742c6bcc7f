import type { RemoteSettings } from '@radwork/contract/remote-configurations';
import type { Context } from '#core/context.ts';
import type { Scope, Session } from '#core/scope.ts';
import { arrivalsOf } from '#dimse/arrivals.ts';
import { createDimseSource } from '#dimse/dimse-source.ts';
import { peerOf } from '#dimse/peer.ts';
import { countedSource } from './counted-source.ts';
import { createArchiveClient } from './archive-client.ts';
import { createDicomwebSource } from './dicomweb-source.ts';
import { createFhirSource } from './fhir-source.ts';
import type { RemoteSource } from './source.ts';
import { settingsOf, usableConfiguration } from './stored-configuration.ts';

/** What it takes to reach other archives. */
export type Remotes = Pick<Context, 'blobs' | 'config' | 'metrics' | 'outgoing' | 'scopes' | 'vault'>;
type Tenant = { id: number; subdomain: string };

/**
 * The archive behind a configuration, ready to be asked. Throws a 404 when the configuration is not the tenant's, or
 * is the typed archive of somebody else. No transaction is open afterwards.
 */
export const openRemote = async (context: Remotes, session: Session, configId: string): Promise<RemoteSource> => {
  const { settings, tenant } = await context.scopes.inTenant(session, async (scope) => ({
    settings: settingsOf(context.vault, await usableConfiguration(scope, configId)),
    tenant: await tenantOf(scope),
  }));
  return createSource(context, tenant, settings);
};

/** The caller's tenant by the name that the operator's allow-list knows it by; a job's session does not carry it. */
export const tenantOf = ({ db }: Scope): Promise<Tenant> =>
  db.selectFrom('tenants').select(['id', 'subdomain']).executeTakeFirstOrThrow();

/** The archive that settings describe. Throws a RemoteError for an address that cannot be one. */
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
    peer: peerOf(settings),
    locate: (...place) => context.outgoing.address(tenant, ...place),
    mostInstanceBytes: context.config.maxInstanceBytes,
    arrivals: context.config.dimsePort === undefined ? undefined : arrivalsOf(context, tenant.id),
  });
