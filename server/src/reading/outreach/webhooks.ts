import { t } from '@radwork/contract/core/translate';
import { randomBytes } from 'node:crypto';
import type { Body } from '@radwork/contract/core/endpoint';
import type { Webhook, webhooks as endpoints } from '@radwork/contract/reading/webhooks';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { enqueueJob } from '#core/jobs/jobs.ts';
import { conflict, orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { refuseLimited } from '#core/access/refuse-limited.ts';
import type { Vault } from '#core/installation/vault.ts';
import { outreachQueue } from './queue-messages.ts';
import { sealedSecretColumn } from './webhook-secrets.ts';

type Form = Body<typeof endpoints.create>;

const rowsOf = ({ db }: Scope) =>
  db
    .selectFrom('webhooks as w')
    .select(['w.id', 'w.revision', 'w.name', 'w.url', 'w.topics', 'w.is_plain_http as isPlainHttp'])
    .select('w.is_active as isActive')
    .select(
      sql<Webhook['latest']>`(select json_build_object('topic', m.topic, 'state', m.state, 'attempts', m.attempts,
          'error', m.error, 'at', to_json(m.created_at))
        from outbound_messages m where m.webhook_id = w.id order by m.created_at desc limit 1)`.as('latest'),
    )
    .select(
      sql<number>`(select count(*)::int from outbound_messages m
        where m.webhook_id = w.id and m.state = 'FAILED')`.as('failed'),
    )
    .where('w.removed_at', 'is', null)
    .orderBy('w.name')
    .orderBy('w.id');

export const list = (scope: Scope): Promise<Webhook[]> => rowsOf(scope).execute();

const get = async (scope: Scope, id: string): Promise<Webhook> =>
  orNotFound(await rowsOf(scope).where('w.id', '=', id).executeTakeFirst(), 'webhook');

const valuesOf = ({ name, url, topics, isPlainHttp, isActive }: Form) => ({
  name,
  url,
  topics: [...new Set(topics)],
  is_plain_http: isPlainHttp,
  is_active: isActive,
});

/** Creates a webhook. Only this answer contains the secret of the webhook. */
export const create = async (scope: Scope, vault: Vault, form: Form) => {
  refuseLimited(scope.session);
  const id = newId();
  const secret = randomBytes(32).toString('base64url');
  const sealed = vault.seal(secret, sealedSecretColumn(scope.session.tenantId, id));
  await scope.db
    .insertInto('webhooks')
    .values({ id, sealed_secret: sealed, ...valuesOf(form) })
    .execute();
  await audit(scope, 'webhook.create', { entity: 'webhook', entityId: id, detail: { name: form.name } });
  return { ...(await get(scope, id)), secret };
};

/** Changes a webhook. Its secret stays the same. Throws 409 for an older revision. */
export const update = async (scope: Scope, id: string, { revision, ...form }: Body<typeof endpoints.update>) => {
  refuseLimited(scope.session);
  await get(scope, id);
  const changed = await scope.db
    .updateTable('webhooks')
    .set({ ...valuesOf(form), revision: revision + 1 })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n)
    throw conflict('webhook.changed', t`The webhook was changed in the meantime. Reload it.`);
  await audit(scope, 'webhook.update', { entity: 'webhook', entityId: id, detail: { name: form.name } });
  return get(scope, id);
};

export const remove = async (scope: Scope, id: string): Promise<void> => {
  refuseLimited(scope.session);
  const { name } = await get(scope, id);
  await scope.db
    .updateTable('webhooks')
    .set({ removed_at: sql`now()`, is_active: false })
    .where('id', '=', id)
    .execute();
  await audit(scope, 'webhook.delete', { entity: 'webhook', entityId: id, detail: { name } });
};

/** Queues a test message. Its result is shown as the latest message. */
export const queueTest = async (scope: Scope, id: string): Promise<Webhook> => {
  await get(scope, id);
  const messageId = newId();
  const message = { id: messageId, channel: 'WEBHOOK' as const, topic: 'TEST' as const, webhook_id: id, link: '/' };
  await scope.db.insertInto('outbound_messages').values(message).execute();
  await enqueueJob(scope, outreachQueue, messageId, `WEBHOOK test ${id}`);
  await audit(scope, 'webhook.test', { entity: 'webhook', entityId: id });
  return get(scope, id);
};

/** Queues all failed messages of a webhook again. */
export const retry = async (scope: Scope, id: string): Promise<Webhook> => {
  await get(scope, id);
  const again = await scope.db
    .updateTable('outbound_messages')
    .set({ state: 'QUEUED', next_attempt_at: null })
    .where('webhook_id', '=', id)
    .where('state', '=', 'FAILED')
    .returning('id')
    .execute();
  for (const message of again) await enqueueJob(scope, outreachQueue, message.id, `WEBHOOK retry ${id}`);
  await audit(scope, 'webhook.retry', { entity: 'webhook', entityId: id, detail: { messages: again.length } });
  return get(scope, id);
};
