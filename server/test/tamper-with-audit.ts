import { type RawBuilder, sql } from 'kysely';
import type { World } from './world.ts';

const guarded = ['audit_entries', 'audit_chain', 'audit_heads'];

/** Changes the audit as only the database owner could, after disabling its triggers. */
export const tamper = ({ owner }: World, ...changes: RawBuilder<unknown>[]): Promise<void> =>
  owner.transaction().execute(async (db) => {
    const guards = (words: string) =>
      Promise.all(
        guarded.map((table) => sql`alter table ${sql.table(table)} ${sql.raw(words)} trigger user`.execute(db)),
      );
    await guards('disable');
    for (const change of changes) await change.execute(db);
    await guards('enable');
  });
