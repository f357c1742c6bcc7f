import { t } from '@radwork/contract/core/translate';
import {
  type ApplicationEntity,
  type applicationEntities,
  readsFromAnywhere,
} from '@radwork/contract/identity/application-entities';
import type { Body, Reply } from '@radwork/contract/core/endpoint';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import type { Config } from '#core/config/config.ts';
import { newId } from '#core/values/ids.ts';
import { conflict, orNotFound, invalid, Problem } from '#core/http/problem.ts';
import { unlessTaken } from '#core/database/unless-taken.ts';
import type { Scope } from '#core/access/scope.ts';
import { refuseLimited } from '#core/access/refuse-limited.ts';

type Form = Body<typeof applicationEntities.create>;
type ChangedForm = Body<typeof applicationEntities.update>;

const columns = [
  'id',
  'revision',
  'called_ae_title as calledAeTitle',
  'calling_ae_title as callingAeTitle',
  sql<string>`coalesce(host(host), '')`.as('host'),
  'port',
  'description',
  'issuer',
  'may_store as mayStore',
  'may_read_worklist as mayReadWorklist',
  'may_query as mayQuery',
  'may_ask_from_anywhere as mayAskFromAnywhere',
  'group_id as groupId',
  'is_active as isActive',
  'last_seen_at as lastSeenDate',
] as const;

/** Lists the devices of the tenant, and the port on which they connect (null when DIMSE is off). */
export const list = async ({ db }: Scope, config: Config): Promise<Reply<typeof applicationEntities.list>> => {
  const entities = await db
    .selectFrom('application_entities')
    .select(columns)
    .orderBy('called_ae_title')
    .orderBy('calling_ae_title')
    .orderBy('id')
    .execute();
  return { port: config.dimsePort ?? null, areCertificatesNeeded: areCertificatesNeeded(config), entities };
};

/** True when TLS requires a certificate from the operator's authority. */
const areCertificatesNeeded = ({ dimseTls }: Config): boolean => dimseTls?.caFile !== undefined;

/** Throws 422 when a device could read names from any address without the administrator's explicit permission. */
const assertIsBound = (config: Config, form: Form): void => {
  if (!readsFromAnywhere(form) || form.mayAskFromAnywhere || areCertificatesNeeded(config)) return;
  throw invalid({ host: t`Enter the IP address, or allow reading from any address` });
};

/**
 * Registers a device. Throws 403 for callers who are limited to groups, because a device may see all studies. Throws 409 when its AE titles are in use, without saying in which tenant. Throws 422 when it
 * could read without an address, a certificate or an explicit permission.
 */
export const create = async (scope: Scope, config: Config, form: Form): Promise<ApplicationEntity> => {
  refuseLimited(scope.session);
  assertIsBound(config, form);
  const id = newId();
  await write(scope.db.insertInto('application_entities').values({ id, ...valuesOf(form) }));
  await audit(scope, 'application_entity.create', subjectOf(id, form));
  return get(scope, id);
};

/** Changes a device. The change takes effect in open associations within seconds. Throws 409 for an older revision. */
export const update = async (
  scope: Scope,
  config: Config,
  id: string,
  { revision, ...form }: ChangedForm,
): Promise<ApplicationEntity> => {
  refuseLimited(scope.session);
  assertIsBound(config, form);
  const known = await get(scope, id);
  const change = scope.db
    .updateTable('application_entities')
    .set({ ...valuesOf(form), revision: revision + 1 })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .returning('id');
  const changed = await write(change);
  if (changed.length === 0) {
    throw conflict(
      'application_entity.outdated',
      t`Another user changed the device (revision ${known.revision}). Reload it.`,
    );
  }
  await audit(scope, 'application_entity.update', subjectOf(id, form));
  return get(scope, id);
};

/** Deletes a device. From then on it is refused. Studies that it has sent are kept. */
export const remove = async (scope: Scope, id: string): Promise<void> => {
  refuseLimited(scope.session);
  const known = await get(scope, id);
  await scope.db.deleteFrom('application_entities').where('id', '=', id).execute();
  await audit(scope, 'application_entity.delete', subjectOf(id, known));
};

const get = async ({ db }: Scope, id: string): Promise<ApplicationEntity> => {
  const row = await db.selectFrom('application_entities').select(columns).where('id', '=', id).executeTakeFirst();
  return orNotFound(row, 'device');
};

const valuesOf = (form: Form) => ({
  called_ae_title: form.calledAeTitle,
  calling_ae_title: form.callingAeTitle,
  host: form.host === '' ? null : form.host,
  port: form.port,
  description: form.description,
  issuer: form.issuer,
  may_store: form.mayStore,
  may_read_worklist: form.mayReadWorklist,
  may_query: form.mayQuery,
  // The permission ends once an address is set, so removing the address later does not bring it back.
  may_ask_from_anywhere: form.mayAskFromAnywhere && readsFromAnywhere(form),
  group_id: form.groupId,
  is_active: form.isActive,
});

const subjectOf = (id: string, { calledAeTitle, callingAeTitle, host, port, ...form }: Form) => ({
  entity: 'application_entity' as const,
  entityId: id,
  detail: {
    calledAeTitle,
    callingAeTitle,
    host,
    ...(port !== null && { port }),
    issuer: form.issuer,
    mayStore: form.mayStore,
    mayReadWorklist: form.mayReadWorklist,
    mayQuery: form.mayQuery,
    mayAskFromAnywhere: form.mayAskFromAnywhere,
    ...(form.groupId !== null && { group: form.groupId }),
    isActive: form.isActive,
  },
});

const deviceTaken = (): Problem => {
  const words = t`This AE Title is taken. Use another AE Title for Radwork, or another device AE Title or address.`;
  return new Problem(409, 'application_entity.taken', words, { fields: { calledAeTitle: words } });
};

/** Writes a device, unless another device has its titles and address or its group was deleted meanwhile. */
const write = <T>(statement: { execute: () => Promise<T> }): Promise<T> =>
  unlessTaken('application_entities_tenant_id_group_id_fkey', () => invalid({ groupId: t`Choose a group` }), {
    execute: () => unlessTaken('application_entities_device', deviceTaken, statement),
  });
