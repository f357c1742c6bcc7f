import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { probes as calls, type Readiness, readiness, readinessChecks } from '@radwork/contract/identity/health';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openLocalBlobStore } from './core/blobs/disk/local-blob-store.ts';
import { createShutdown } from './core/resources/shutdown.ts';
import type { Context } from './core/context.ts';
import { kyselyOn, openServingPool } from './core/database/database.ts';
import { openProbes } from './core/monitoring/probes.ts';
import { createScopes } from './core/access/scope.ts';
import { createChangeLog } from './identity/health/log-changes.ts';
import { createWorld } from '#test/world.ts';
import { createApp } from './app.ts';

const world = await createWorld();
const { context } = world;

/** A database URL at which no server listens. */
const nowhere = 'postgres://radwork:HIDDEN@127.0.0.1:1/radwork';

/** Creates a server of which one part fails. */
const serverWith = async (changed: Partial<Context>) => {
  const app = await createApp({ ...context, ...changed }, join(world.dataDir, 'no-web'));
  onTestFinished(async () => app.close());
  const ask = async () => {
    const { statusCode, body, json } = await app.inject({ method: 'GET', url: calls.ready.path });
    return { statusCode, body, answer: readiness.parse(json()) };
  };
  return { app, ask };
};

const wrongOf = ({ checks }: Readiness) => checks.filter(({ isOk }) => !isOk).map(({ name }) => name);

test('a healthy server reports each health check as ok', async () => {
  const { ask } = await serverWith({});

  const { statusCode, answer } = await ask();

  expect({ statusCode, status: answer.status, wrong: wrongOf(answer) }).toEqual({
    statusCode: 200,
    status: 'ready',
    wrong: [],
  });
  expect(answer.checks.map(({ name }) => name)).toEqual([...readinessChecks]);
});

test('a server without a database is live but not ready, and its response reveals no address', async () => {
  const away = openServingPool(nowhere);
  const probes = openProbes(nowhere, context.blobs);
  onTestFinished(async () => {
    await Promise.all([away.end(), probes.close()]);
  });
  const { app, ask } = await serverWith({ probes, scopes: createScopes(kyselyOn(away)) });

  const live = await app.inject({ method: 'GET', url: calls.live.path });
  const { statusCode, body, answer } = await ask();

  expect([live.statusCode, live.json()]).toEqual([200, { status: 'live' }]);
  expect([statusCode, answer.status, wrongOf(answer)]).toEqual([503, 'not ready', ['database', 'migrations']]);
  expect(body).toContain('The database did not answer within 1 second.');
  expect(body).not.toMatch(/127\.0|HIDDEN|ECONN|radwork/);
});

test('a server is not ready when the migrations of its database differ from its own', async () => {
  const newer = await serverWith({ migrations: [...context.migrations, '9998_own.sql'] });
  const newerHealth = await newer.ask();
  await sql`insert into schema_migrations (name, sha256) values ('9999_later.sql', '')`.execute(world.owner);
  // Opens a new probe, because the shared one may still return an older result.
  const probes = openProbes(world.url, context.blobs);
  onTestFinished(async () => {
    await sql`delete from schema_migrations where name = '9999_later.sql'`.execute(world.owner);
    await probes.close();
  });
  const older = await serverWith({ probes });
  const overtaken = await older.ask();

  expect([overtaken.statusCode, wrongOf(overtaken.answer)]).toEqual([503, ['migrations']]);
  expect(overtaken.body).toContain('newer than this server');
  expect([newerHealth.statusCode, wrongOf(newerHealth.answer)]).toEqual([503, ['migrations']]);
  expect(newerHealth.body).toContain('Restart the server');
  expect(overtaken.body + newerHealth.body).not.toMatch(/\.sql|999/);
});

test('a server with an unwritable store reports it, still receives other calls, and is soon healthy again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-health-'));
  const blobs = await openLocalBlobStore(folder);
  const probes = openProbes(world.url, blobs);
  onTestFinished(async () => {
    await Promise.all([probes.close(), blobs.close()]);
    await rm(folder, { recursive: true });
  });
  const { ask } = await serverWith({ blobs, probes });
  await rename(join(folder, 'incoming'), join(folder, 'away'));

  const broken = await ask();
  await rename(join(folder, 'away'), join(folder, 'incoming'));

  expect([broken.statusCode, broken.answer.status, wrongOf(broken.answer)]).toEqual([
    200,
    'takes no images',
    ['store'],
  ]);
  expect(broken.body).not.toContain(folder);
  await expect.poll(async () => (await ask()).answer.status).toBe('ready');
});

test('a server with a nearly full disk reports it and still receives reading calls', async () => {
  const { ask } = await serverWith({ config: { ...context.config, freeDiskBytes: Number.MAX_SAFE_INTEGER } });

  const { statusCode, answer } = await ask();

  expect([statusCode, answer.status, wrongOf(answer)]).toEqual([200, 'takes no images', ['space']]);
});

test('a stopping server is not ready but still answers calls', async () => {
  const closing = createShutdown();
  const { app, ask } = await serverWith({ closing });
  closing.begin();

  const { statusCode, answer } = await ask();
  const about = await app.inject({ method: 'GET', url: '/api/about' });

  expect([statusCode, wrongOf(answer)]).toEqual([503, ['running']]);
  expect(about.statusCode).toBe(200);
});

test('logs a failing health check with its cause once, and its recovery once', () => {
  const lines: unknown[] = [];
  const log = {
    error: (facts: unknown, message?: unknown) => lines.push(['error', facts, message]),
    warn: (facts: unknown, message?: unknown) => lines.push(['warn', facts, message]),
  };
  const logChanges = createChangeLog();
  const cause = new Error('connect ECONNREFUSED');
  const good = { name: 'database', isOk: true, message: 'It answers.' } as const;
  const bad = { name: 'database', isOk: false, message: 'It does not.', error: cause } as const;

  for (const check of [good, bad, bad, good, good]) logChanges([check], log);

  expect(lines).toEqual([
    ['error', { check: 'database', err: cause }, 'It does not.'],
    ['warn', { check: 'database' }, 'It answers.'],
  ]);
});
