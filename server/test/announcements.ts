import pg from 'pg';
import type { Announcement } from '#core/live/announce.ts';
import type { World } from './world.ts';

const marker = 'all that was announced before this';

/**
 * Records announcements to browsers from now on. The returned function stops the recording and returns the
 * announcements.
 */
export const listenTo = async ({ url }: World): Promise<() => Promise<Announcement[]>> => {
  const listener = new pg.Client(url);
  const announcements: Announcement[] = [];
  const end = Promise.withResolvers<void>();
  await listener.connect();
  listener.on('notification', ({ payload = '' }) => {
    if (payload === marker) end.resolve();
    else announcements.push(JSON.parse(payload));
  });
  await listener.query('listen live');
  return async () => {
    await listener.query(`select pg_notify('live', $1)`, [marker]);
    await end.promise;
    await listener.end();
    return announcements;
  };
};
