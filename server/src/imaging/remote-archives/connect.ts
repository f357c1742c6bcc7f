import { t } from '@radwork/contract/core/translate';
import type { RemoteSettings } from '@radwork/contract/imaging/remote-archives';
import type { remoteStudies } from '@radwork/contract/imaging/remote-studies';
import type { Body, Reply } from '@radwork/contract/core/endpoint';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { invalid, Problem } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { type Remotes, tenantOf } from './open-remote.ts';
import { columnsOf } from './save-configuration.ts';
import { RemoteError } from './remote-source.ts';
import { sealSecrets } from './stored-configuration.ts';
import { tryArchive } from './test-connection.ts';

type ConnectionForm = Body<typeof remoteStudies.connect>;

/**
 * Connects to an archive whose address the caller has typed in. Tests the archive and stores it only for this caller.
 * If this caller has typed in the same archive before, that configuration and its jobs are kept. Throws 422 with the
 * reason when the archive cannot be used.
 */
export const connect = async (
  context: Remotes,
  session: Session,
  form: ConnectionForm,
): Promise<Reply<typeof remoteStudies.connect>> => {
  const settings = settingsOf(form);
  const tenant = await context.scopes.inTenant(session, tenantOf);
  const server = await tryArchive(context, tenant, settings).catch((error: unknown) => {
    if (!(error instanceof RemoteError)) throw error;
    throw new Problem(422, 'remote.failed', t`Failed to connect to PACS: ${error.message}`);
  });
  const id = await context.scopes.inTenant(session, (scope) => remember(scope, context, settings));
  return { id, server };
};

const settingsOf = ({ host, port, path, isTls, username, password }: ConnectionForm): RemoteSettings => {
  // Users often type an IPv6 address without brackets, which a URL needs.
  const name = /^[^[].*:.*:/.test(host) ? `[${host}]` : host;
  const baseUrl = `${isTls ? 'https' : 'http'}://${name}:${port}/${path.replace(/^\/+/, '')}`;
  if (/[?#\\]/.test(path)) throw invalid({ path: t`Enter the path only, such as /dicom-web` });
  if (!URL.canParse(baseUrl)) throw invalid({ host: t`Use a host name or IP address, without a port` });
  return {
    aeTitle: host,
    protocol: 'DICOMWEB',
    baseUrl,
    resourcesUri: '',
    qidoEndpoint: '',
    wadoEndpoint: '',
    issuer: '',
    authType: username || password ? 'BASIC' : 'NONE',
    username,
    password,
    token: '',
    apiKey: '',
    apiSecret: '',
  };
};

const remember = async (scope: Scope, { vault }: Remotes, settings: RemoteSettings): Promise<string> => {
  const { tenantId, userId } = scope.session;
  const known = await scope.db
    .selectFrom('remote_configurations')
    .select('id')
    .where('owner_id', '=', userId)
    .where('base_url', '=', settings.baseUrl)
    .orderBy('used_at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  const row = { tenant_id: tenantId, id: known?.id ?? newId() };
  const columns = { ...columnsOf(settings), ...sealSecrets(vault, row, settings) };
  await scope.db
    .insertInto('remote_configurations')
    .values({ ...row, ...columns, owner_id: userId })
    .onConflict((conflicting) =>
      conflicting.columns(['tenant_id', 'id']).doUpdateSet({ ...columns, used_at: sql`now()` }),
    )
    .execute();
  await audit(scope, 'configuration.connect', {
    entity: 'remote_configuration',
    entityId: row.id,
    detail: { origin: new URL(settings.baseUrl).origin, authType: settings.authType },
  });
  return row.id;
};
