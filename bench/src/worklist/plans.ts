import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { studySearch } from '../../../contract/src/imaging/studies.ts';
import { openServingPool, type Schema } from '../../../server/src/core/database/database.ts';
import { type Scope, systemSession } from '../../../server/src/core/access/scope.ts';
import { openScopes } from '../../../server/src/extensions.ts';
import { search } from '../../../server/src/imaging/studies/study-list.ts';
import type { QueryParameters } from './cases.ts';
import type { OpenPractice } from './practices.ts';

const reads = /(Index Only Scan|Index Scan|Bitmap Index Scan|Seq Scan)(?: Backward)? (?:using|on) (\w+)/g;

/**
 * Tells which indexes PostgreSQL uses to count the studies of a search and to find its page. Uses the database role of
 * the server.
 */
export const openPlanner = (url: string, { tenantId, userId, limit }: OpenPractice) => {
  const queries: CompiledQuery[] = [];
  const database = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: openServingPool(url, 1) }),
    log: ({ query }) => {
      queries.push(query);
    },
  });
  const session = { ...systemSession(tenantId), userId, userType: 'RADIOLOGIST' as const, studyGroups: limit ?? null };

  const planOf = (query: QueryParameters): Promise<string> =>
    openScopes(database).inTenant(session, async (scope) => {
      // Runs the first statements of the transaction now, so that they are not recorded below.
      await sql`select`.execute(scope.db);
      queries.length = 0;
      await search(scope, studySearch.parse(query));
      const [count = '', keys = 'nothing to find'] = await explain(scope, queries.splice(0));
      return `count: ${count}; page: ${keys}`;
    });

  return { planOf, close: () => database.destroy() };
};

/** Explains the statements that read. Runs the settings between them, because plans depend on these settings. */
const explain = async ({ db }: Scope, statements: readonly CompiledQuery[]): Promise<string[]> => {
  const plans: string[] = [];
  for (const statement of statements) {
    // An estimate of the server, which it does not run.
    if (statement.sql.trimStart().startsWith('explain')) continue;
    if (statement.sql.startsWith('select set_config')) {
      await db.executeQuery(statement);
      continue;
    }
    const explained = CompiledQuery.raw(`explain ${statement.sql}`, [...statement.parameters]);
    const { rows } = await db.executeQuery<Record<'QUERY PLAN', string>>(explained);
    const text = rows.map((row) => row['QUERY PLAN']).join('\n');
    plans.push([...new Set([...text.matchAll(reads)].map(([, how, name]) => `${name} (${how})`))].join(', '));
  }
  return plans;
};
