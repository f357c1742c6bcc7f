import { outreach } from '@radwork/contract/reading/outreach';
import { webhooks } from '@radwork/contract/reading/webhooks';
import { newId } from '#core/values/ids.ts';
import { defineSamples } from '#test/feature-samples.ts';

const webhookForm = { name: 'Pager', url: 'https://pager.example/hook', topics: ['CRITICAL_LEAD'] };

const pushDevice = { endpoint: 'https://push.example/send/1', p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) };

export const samples = defineSamples({
  access: `
                                      asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/outreach              authenticated 401       200  200  200  200  200  none      403    200
    PUT    /api/outreach              authenticated 401       may  may  may  may  may  none      403    403
    POST   /api/outreach/devices      authenticated 401       may  may  may  may  may  none      403    403
    DELETE /api/outreach/devices/{id} authenticated 401       may  may  may  may  may  404       403    may
    GET    /api/webhooks              config.manage 401       200  200  403  403  403  none      403    200
    POST   /api/webhooks              config.manage 401       may  may  403  403  403  none      403    may
    PUT    /api/webhooks/{id}         config.manage 401       may  may  403  403  403  404       403    may
    DELETE /api/webhooks/{id}         config.manage 401       may  may  403  403  403  404       403    may
    POST   /api/webhooks/{id}/retry   config.manage 401       may  may  403  403  403  404       403    may
    POST   /api/webhooks/{id}/test    config.manage 401       may  may  403  403  403  404       403    may
  `,
  unaudited: [outreach.settings, webhooks.list],
  ids: { '/webhooks/': 'webhookId', '/outreach/devices/': 'deviceId' },
  bodies: [
    [outreach.save, { choices: [], quietHours: { begins: '22:00', ends: '07:00' } }],
    [outreach.addDevice, pushDevice],
    [webhooks.create, webhookForm],
    [webhooks.update, { ...webhookForm, revision: 1 }],
  ],
  after: ['critical-findings'],
  insert: async ({ db }, { author: { userId }, mark, id }) => {
    const [webhookId, deviceId] = [newId(), newId()];
    await db
      .insertInto('mails')
      .values({ id: newId(), sealed: 'v1.sealed.mail', expires_at: '2126-01-01T00:00:00Z' })
      .execute();
    await db
      .insertInto('outreach_choices')
      .values({ user_id: userId, topic: 'MENTION', channel: 'MAIL', is_wanted: true })
      .execute();
    await db.insertInto('quiet_hours').values({ user_id: userId, begins: '22:00', ends: '07:00' }).execute();
    const device = { id: deviceId, user_id: userId, endpoint_hash: Buffer.alloc(32), sealed: 'v1.sealed.device' };
    await db
      .insertInto('push_subscriptions')
      .values({ ...device, label: mark })
      .execute();
    await db
      .insertInto('webhooks')
      .values({
        id: webhookId,
        name: mark,
        url: 'https://pager.example/hook',
        sealed_secret: 'v1.sealed.secret.of-a-webhook',
        topics: ['CRITICAL_LEAD'],
        is_active: false,
      })
      .execute();
    await db
      .insertInto('outbound_messages')
      .values({
        id: newId(),
        channel: 'WEBHOOK',
        topic: 'CRITICAL_LEAD',
        webhook_id: webhookId,
        finding_id: id('findingId'),
        link: '/',
        state: 'FAILED',
        attempts: 1,
        error: mark,
      })
      .execute();
    return { webhookId, deviceId };
  },
});
