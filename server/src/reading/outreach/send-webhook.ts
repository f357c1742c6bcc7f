import { createHmac } from 'node:crypto';
import type { Context } from '#core/context.ts';
import { RemoteError } from '#core/outgoing/remote-error.ts';
import { systemSession } from '#core/access/scope.ts';
import { openOrUndefined } from '#core/installation/vault.ts';
import { failed, isTransientStatus, type Outcome, sent } from './outcome.ts';
import type { OutgoingMessage } from './outgoing-message.ts';
import { noticeAbout } from './templates.ts';
import { sealedSecretColumn } from './webhook-secrets.ts';

type SendContext = {
  context: Pick<Context, 'config' | 'scopes' | 'outgoing' | 'vault'>;
  onError: (error: unknown) => void;
};

const timeoutMs = 10_000;

/**
 * Signs the body of a webhook. The receiver computes HMAC-SHA256 of "<seconds>.<body>" with the secret and compares.
 * The receiver should refuse messages older than a few minutes.
 */
export const signatureOf = (secret: string, seconds: number, body: string): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

/** Posts a message to a webhook of the tenant. All attempts send the same id. */
export const sendByWebhook = async (
  sending: SendContext,
  message: OutgoingMessage,
  signal: AbortSignal,
): Promise<Outcome> => {
  const { context, onError } = sending;
  const { id, tenant_id, subdomain, url, webhook_id, sealed_secret } = message;
  if (url === null || webhook_id === null || sealed_secret === null) return failed('The webhook was deleted', false);
  const secret = openOrUndefined(() => context.vault.open(sealed_secret, sealedSecretColumn(tenant_id, webhook_id)));
  if (secret === undefined)
    return failed('Could not decrypt the secret because SECRET_KEY was changed. Create the webhook again.', false);
  const body = JSON.stringify(await bodyOf(sending, message));
  const seconds = Math.floor(Date.now() / 1000);
  try {
    const answer = await context.outgoing.fetch({ id: tenant_id, subdomain }, url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'radwork-message': id,
        'radwork-signature': signatureOf(secret, seconds, body),
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    answer.discard();
    const { status } = answer;
    if (status >= 200 && status < 300) return sent;
    return failed(`The webhook answered ${status}`, isTransientStatus(status));
  } catch (error) {
    onError(error);
    if (error instanceof RemoteError) return failed(error.message, error.remoteCause !== 'REFUSED_BY_POLICY');
    throw error;
  }
};

/** Returns the body with the event and its recipients, without patient data. */
const bodyOf = async ({ context }: SendContext, message: OutgoingMessage) => {
  const { id, topic, created_at, organization, link, people, tenant_id } = message;
  // Programs read it, so it is always English.
  const { subject, text } = noticeAbout(topic, 'en');
  const recipients = await context.scopes.inTenant(systemSession(tenant_id), ({ db }) =>
    people.length === 0
      ? Promise.resolve([])
      : db
          .selectFrom('users')
          .select(['id', 'username', 'name', 'email'])
          .where('id', 'in', people)
          .where('is_active', '=', true)
          .orderBy('username')
          .execute(),
  );
  return {
    id,
    event: topic,
    createdAt: created_at,
    organization,
    subject,
    text,
    link: `${context.config.publicUrl ?? ''}${link}`,
    recipients,
  };
};
