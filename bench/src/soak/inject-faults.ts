import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../server/src/core/database/embedded-postgres.ts';
import type { ServerUnderTest } from '../torture/server-under-test.ts';
import type { Outages } from './outage-ledger.ts';
import type { RemoteArchive } from './imports.ts';
import { request } from './reading-users.ts';

const remoteFaults = ['answers 500', 'stalls in the middle', 'resets in the middle', 'cuts a part'] as const;

/**
 * Injects faults at random moments, repairs each before the next, and counts each kind. While `isSpared` returns true,
 * the server is not killed, so that its long-term memory can be measured.
 */
export const injectFaultsUntil = async (
  signal: AbortSignal,
  {
    victim,
    folder,
    archive,
    away,
    every,
    isSpared,
    hasWorked,
  }: {
    victim: ServerUnderTest;
    folder: string;
    archive: RemoteArchive;
    away: Outages;
    every: number;
    isSpared: () => boolean;
    /** Resolves when the server has acknowledged something after this call. A fault before that would prove nothing. */
    hasWorked: (signal: AbortSignal) => Promise<void>;
  },
): Promise<Map<string, number>> => {
  const faultCounts = new Map<string, number>();

  const isReady = async () => {
    while ((await request({ address: victim.address, token: '' }, '/health/ready')).status !== 200) await wait(50);
  };
  const kinds = {
    server: async () => {
      away.begin();
      await victim.kill();
      await victim.start();
      await isReady();
      away.end();
    },
    'database connections': async () => {
      away.begin();
      // Holds the database only briefly. After a kill, a second holder would restart the database.
      const postgres = await startEmbeddedPostgres(join(folder, 'postgres'));
      const client = new pg.Client({ connectionString: postgres.url('postgres') });
      await client.connect();
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null',
      );
      await client.end();
      await postgres.stop();
      await isReady();
      away.end();
    },
    'other archive': async () => {
      archive.misbehave(remoteFaults[Math.floor(Math.random() * remoteFaults.length)] ?? 'answers 500');
      await wait(Math.min(10_000, every * 500));
      archive.recover();
    },
  };

  let turn = 0;
  while (!signal.aborted) {
    await wait(every * 1000 * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
    await hasWorked(signal);
    if (signal.aborted) break;
    // All kinds occur equally often. Only the moment is random.
    const now = Object.entries(kinds).filter(([name]) => name !== 'server' || !isSpared());
    const [name, strike] = now[turn % now.length] ?? [];
    turn += 1;
    await strike?.();
    if (name) faultCounts.set(name, (faultCounts.get(name) ?? 0) + 1);
  }
  return faultCounts;
};
