import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openServingPool, type Schema } from '#core/database/database.ts';
import { systemSession } from '#core/access/scope.ts';
import { openScopes } from '../../extensions.ts';
import { createWorld } from '#test/world.ts';
import { findTexts, type SearchView } from './find-texts.ts';

const world = await createWorld();
const tenant = await world.newTenant();
for (const [table, text] of [
  ['atlases', 'summary'],
  ['guidelines', 'content'],
] as const) {
  await sql`
    insert into ${sql.table(table)} (tenant_id, id, title, author, ${sql.ref(text)}, updated_by)
    select ${sql.lit(tenant.id)}, gen_random_uuid(), 'Text ' || md5(n::text), 'Dr Ito',
           repeat(md5((n * 7)::text) || ' ', 40), 'x'
    from generate_series(1, 4000) n`.execute(world.owner);
  await sql`vacuum analyze ${sql.table(table)}`.execute(world.owner);
}

const queries: CompiledQuery[] = [];
const pool = openServingPool(world.url, 1);
const database = new Kysely<Schema>({
  dialect: new PostgresDialect({ pool }),
  log: ({ query }) => {
    queries.push(query);
  },
});
afterAll(() => database.destroy());

/** Returns the query plans for counting the matches and for one page, in the role that serves requests. */
const plansOf = (view: SearchView, q?: string): Promise<string[]> =>
  openScopes(database).inTenant(systemSession(tenant.id), async (scope) => {
    await sql`select`.execute(scope.db);
    queries.length = 0;
    await findTexts(scope, view, { q, page: 0, size: 10 });
    const plans: string[] = [];
    for (const { sql: text, parameters } of queries.splice(0).filter(({ sql: words }) => / from /.test(words))) {
      const explained = CompiledQuery.raw(`explain ${text}`, [...parameters]);
      const { rows } = await scope.db.executeQuery<Record<'QUERY PLAN', string>>(explained);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    return plans;
  });

test.each([
  ['atlas_search', 'atlases'],
  ['guideline_search', 'guidelines'],
] as const)('a library search in %s uses the trigram index for the page and for the count', async (view, table) => {
  const plans = await plansOf(view, 'c4ca4238');

  expect(plans).toHaveLength(2);
  for (const plan of plans) expect(plan).toContain(`Bitmap Index Scan on ${table}_search`);
});

test('the page of the newest entries reads only the needed part of its index', async () => {
  const [, page] = await plansOf('guideline_search');

  expect(page).toMatch(/Index (Only )?Scan using guidelines_newest/);
});
