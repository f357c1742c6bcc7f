import { notifications } from '@radwork/contract/identity/notifications';
import { newId } from '#core/values/ids.ts';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                                    asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/notifications                       authenticated 401       200  200  200  200  200  none      403    200
    DELETE /api/notifications/clear-all             authenticated 401       may  may  may  may  may  none      403    may
    PUT    /api/notifications/mark-all-read         authenticated 401       may  may  may  may  may  none      403    may
    GET    /api/notifications/preferences           authenticated 401       200  200  200  200  200  none      403    200
    PUT    /api/notifications/preferences           authenticated 401       may  may  may  may  may  none      403    403
    PUT    /api/notifications/removals/{id}/restore authenticated 401       may  may  may  may  may  404       403    may
    DELETE /api/notifications/{id}                  authenticated 401       may  may  may  may  may  404       403    may
    PUT    /api/notifications/{id}/mark-read        authenticated 401       may  may  may  may  may  404       403    may
  `,
  unaudited: [notifications.list, notifications.preferences],
  ids: { '/notifications/': 'notificationId', '/notifications/removals/': 'removalId' },
  bodies: [[notifications.savePreferences, { unwanted: ['IMPORT'] }]],
  insert: async ({ db }, { author: { userId }, mark }) => {
    const [notificationId, removalId] = [newId(), newId()];
    const notice = { user_id: userId, type: 'MENTION' as const, title: mark, message: mark, link: null };
    await db
      .insertInto('notifications')
      .values([
        { ...notice, id: notificationId },
        { ...notice, id: newId(), removal_id: removalId, removed_at: '2026-11-20T09:30:00Z' },
      ])
      .execute();
    await db.insertInto('unwanted_notifications').values({ user_id: userId, type: 'IMPORT' }).execute();
    return { notificationId, removalId };
  },
});
