import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createWorld } from '#test/world.ts';
import { knownMigrations } from '#core/database/migrate.ts';
import { createProbe, openProbes } from './probes.ts';

const world = await createWorld();

const idle = { writeProbe: async () => {}, freeBytes: async () => null };

test('the role that serves requests can read the applied migrations', async () => {
  const result = await world.context.probes.database();

  expect(result).toEqual({ value: await knownMigrations() });
});

test('a database that accepts connections but does not answer within a second counts as unreachable', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => {
    silent.close();
  });
  const address = silent.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const probes = openProbes(`postgres://radwork@127.0.0.1:${port}/radwork`, idle);

  // Two timers of the same process fire in order, even on a busy machine, so the time limit of the probe comes first.
  const result = await Promise.race([probes.database(), wait(2000, 'still waiting')]);
  await probes.close();

  expect(result).toEqual({ error: expect.any(Error) });
});

test('concurrent calls share one probe, and its result is used again for a while', async () => {
  let probeCount = 0;
  const probe = createProbe({ within: 1000, every: 60_000 }, async () => {
    probeCount += 1;
    return probeCount;
  });

  const results = await Promise.all(Array.from({ length: 20 }, probe));

  expect(results).toEqual(Array.from({ length: 20 }, () => ({ value: 1 })));
  expect(await probe()).toEqual({ value: 1 });
});

test('a probe that got no reply in time is not repeated, and its late reply is used', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  let probeCount = 0;
  const probe = createProbe({ within: 10, every: 60_000 }, () => {
    probeCount += 1;
    return promise;
  });

  const late = [await probe(), await probe()];
  resolve('safe');
  await promise;

  expect(late).toEqual([{ error: expect.any(Error) }, { error: expect.any(Error) }]);
  expect(await probe()).toEqual({ value: 'safe' });
  expect(probeCount).toBe(1);
});

test('the probe of the store writes bytes durably and leaves no file', async () => {
  const { tenant } = await world.signIn();
  const name = randomUUID();

  const result = await world.context.probes.store();

  expect(result).toEqual({ value: expect.any(Number) });
  const stored: unknown[] = [];
  for await (const blob of world.context.blobs.list(tenant.id)) stored.push(blob);
  expect({ name, stored }).toEqual({ name, stored: [] });
});
