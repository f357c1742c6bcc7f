import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createWorld } from '#test/world.ts';
import { openDatabaseListener } from './database-listener.ts';
import { openWorkerListener } from '#core/jobs/worker-listener.ts';

const world = await createWorld();

/** A proxy between a server and the test database. Counts the connections that ended. */
const startNetwork = async () => {
  const database = new URL(world.url.replace('@/', '@localhost/'));
  const { host = database.hostname, port = database.port } = Object.fromEntries(database.searchParams);
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: Number(port || 5432) };
  let ended = 0;
  const network = createServer((near: Socket) => {
    const far = connect(target);
    near.pipe(far).pipe(near);
    for (const end of [near, far]) end.on('error', () => {});
    near.on('close', () => {
      ended += 1;
      far.destroy();
    });
  });
  await once(network.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void network.close());
  const address = network.address();
  database.host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  database.search = '';
  return { url: database.href, ended: () => ended };
};

test('if a worker cannot get its lock, it reconnects and does not wait', async () => {
  const network = await startNetwork();
  // Holds the lock, like a lost connection that the database has not closed yet.
  const { line, waiting } = await world.owner.connection().execute(async (lost) => {
    await sql`select pg_advisory_lock(82746, 4711)`.execute(lost);
    const opened = openWorkerListener(network.url, 4711, () => {});
    await expect.poll(network.ended).toBeGreaterThan(0);
    const { rows } = await sql`select from pg_locks where objid = 4711 and not granted`.execute(lost);
    expect(opened.isConnected()).toBe(false);
    await sql`select pg_advisory_unlock_all()`.execute(lost);
    return { line: opened, waiting: rows };
  });
  onTestFinished(line.close);

  await expect.poll(line.isConnected).toBe(true);
  expect(waiting).toEqual([]);
});

test('the database itself closes a silent connection within a minute', async () => {
  const { promise: settings, resolve } = Promise.withResolvers<string>();
  const all = "select string_agg(name || '=' || reset_val, ' ' order by name) from pg_settings where name like 'tcp%'";
  const line = openDatabaseListener(world.url, {
    channel: 'settings_of_line',
    lockQuery: { text: `select pg_notify('settings_of_line', (${all})), true as is_held`, values: [] },
    onNotification: resolve,
  });
  onTestFinished(line.close);

  expect(await settings).toBe(
    'tcp_keepalives_count=3 tcp_keepalives_idle=15 tcp_keepalives_interval=5 tcp_user_timeout=30000',
  );
});
