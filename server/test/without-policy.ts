import { sql } from 'kysely';
import type { World } from './world.ts';

/** Runs work while row-level security of a table is off: the defect that the tenant tests must find. */
export const withoutPolicy = async <T>({ owner }: World, table: string, work: () => Promise<T>): Promise<T> => {
  await sql`alter table ${sql.table(table)} disable row level security`.execute(owner);
  try {
    return await work();
  } finally {
    await sql`alter table ${sql.table(table)} enable row level security`.execute(owner);
  }
};
