import type { AuditPerson, audit as endpoints } from '@radwork/contract/identity/audit';
import type { Query } from '@radwork/contract/core/endpoint';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';

const mostOffered = 20;

/** Finds users by a part of their name or username. Matches at the beginning come first. Includes former users. */
export const people = async ({ db }: Scope, { q }: Query<typeof endpoints.people>): Promise<AuditPerson[]> => {
  const part = `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const { rows } = await sql<AuditPerson>`
    select id, name, username from users where name ilike ${part} or username ilike ${part}
    order by (name ilike ${part.slice(1)} or username ilike ${part.slice(1)}) desc, name, id limit ${mostOffered}`.execute(
    db,
  );
  return rows;
};
