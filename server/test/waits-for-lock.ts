import { sql } from 'kysely';
import { eventually } from './eventually.ts';
import type { World } from './world.ts';

/** Resolves when a transaction in the database waits for a lock. */
export const waitsForLock = (world: World): Promise<void> =>
  eventually(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      world.owner,
    );
    if (rows.length === 0) throw new Error('Nothing waits for a lock');
  });
