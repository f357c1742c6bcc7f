import { sql } from 'kysely';
import type { World } from './world.ts';

/** Does something while a table is read and written by every tenant: the defect that the tests of tenants are there to find. */
export const withoutPolicy = async <T>({ owner }: World, table: string, work: () => Promise<T>): Promise<T> => {
  await sql`alter table ${sql.table(table)} disable row level security`.execute(owner);
  try {
    return await work();
  } finally {
    await sql`alter table ${sql.table(table)} enable row level security`.execute(owner);
  }
};
