import { isCriticalTopic } from '@radwork/contract/reading/outreach';
import { z } from 'zod';
import type { Context } from '#core/context.ts';
import { RemoteError } from '#core/outgoing/remote-error.ts';
import { systemSession } from '#core/access/scope.ts';
import { openOrUndefined } from '#core/installation/vault.ts';
import { encryptPush, pushTopic, type VapidKey, vapidAuthorization } from '#core/notifications/web-push.ts';
import { sealedDeviceColumn } from './devices.ts';
import { failed, isTransientStatus, type Outcome, sent } from './outcome.ts';
import type { OutgoingMessage } from './outgoing-message.ts';
import { pushKeyOf } from './push-key.ts';
import { noticeAbout } from './templates.ts';

type SendContext = {
  context: Pick<Context, 'config' | 'scopes' | 'outgoing' | 'vault'>;
  onError: (error: unknown) => void;
};

export const deviceSecrets = z.object({ endpoint: z.string(), p256dh: z.string(), auth: z.string() });
type Device = z.infer<typeof deviceSecrets> & { id: string };

const timeoutMs = 10_000;
/** Seconds for which a push service stores a message when the device is offline. */
const keptSeconds = 24 * 3600;

/**
 * Pushes a message to all devices of its user (RFC 8030), encrypted for each device. The message counts as sent when a
 * push service accepts it for one device. Removes subscriptions that the push service no longer knows.
 */
export const sendByPush = async (
  sending: SendContext,
  message: OutgoingMessage,
  signal: AbortSignal,
): Promise<Outcome> => {
  const { scopes, vault } = sending.context;
  const key = await pushKeyOf(scopes, vault);
  if (!key) return failed('Could not decrypt the push key because SECRET_KEY was changed', false);
  const devices = await devicesOf(sending, message);
  const outcomes = await Promise.all(devices.map((device) => pushTo(sending, message, device, key, signal)));
  if (outcomes.some(({ kind }) => kind === 'sent')) return sent;
  return (
    outcomes.find((outcome) => outcome.kind === 'failed' && outcome.mayPass) ??
    outcomes[0] ??
    failed('The recipient has no device for push notifications', false)
  );
};

const devicesOf = async ({ context: { scopes, vault } }: SendContext, message: OutgoingMessage): Promise<Device[]> => {
  const { tenant_id: tenantId, user_id } = message;
  const rows = await scopes.inTenant(systemSession(tenantId), ({ db }) =>
    db.selectFrom('push_subscriptions').select(['id', 'sealed']).where('user_id', '=', user_id).execute(),
  );
  return rows.flatMap(({ id, sealed }) => {
    const opened = openOrUndefined(() => vault.open(sealed, sealedDeviceColumn(tenantId, id)));
    return opened === undefined ? [] : { id, ...deviceSecrets.parse(JSON.parse(opened)) };
  });
};

const pushTo = async (
  { context, onError }: SendContext,
  message: OutgoingMessage,
  { id: deviceId, endpoint, ...keys }: Device,
  key: VapidKey,
  signal: AbortSignal,
): Promise<Outcome> => {
  const { id, topic, link, tenant_id, subdomain, locale } = message;
  const { subject, text } = noticeAbout(topic, locale);
  const isCritical = isCriticalTopic(topic);
  const notice = Buffer.from(JSON.stringify({ id, title: subject, body: text, link, isCritical }));
  try {
    const answer = await context.outgoing.fetch({ id: tenant_id, subdomain }, endpoint, {
      method: 'POST',
      headers: {
        authorization: vapidAuthorization(endpoint, contactOf(context.config), key),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(keptSeconds),
        urgency: isCritical ? 'high' : 'normal',
        topic: pushTopic(id),
      },
      body: encryptPush(notice, keys),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    answer.discard();
    const { status } = answer;
    if (status >= 200 && status < 300) return sent;
    if (status === 404 || status === 410) await forget(context, message, deviceId);
    return failed(`The push service answered ${status}`, isTransientStatus(status));
  } catch (error) {
    onError(error);
    if (error instanceof RemoteError) return failed(error.message, error.remoteCause !== 'REFUSED_BY_POLICY');
    throw error;
  }
};

/** Address at which a push service can contact the operator (RFC 8292 §2.1). */
const contactOf = ({ publicUrl, mail }: Context['config']): string => {
  if (publicUrl?.startsWith('https:')) return publicUrl;
  return `mailto:${/<([^<>]+)>/.exec(mail?.from ?? '')?.[1] ?? mail?.from ?? 'postmaster@localhost'}`;
};

const forget = ({ scopes }: Pick<Context, 'scopes'>, { tenant_id }: OutgoingMessage, deviceId: string) =>
  scopes.inTenant(systemSession(tenant_id), async ({ db }) => {
    await db.deleteFrom('push_subscriptions').where('id', '=', deviceId).execute();
  });
