import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createWorld } from '#test/world.ts';
import { statement } from './statement.ts';

const world = await createWorld();
const { inScope } = await world.signIn();

test('a statement that is built once runs with new values each time', async () => {
  let built = 0;
  const ofTenants = statement((db, { from, names, factor }: { from: number; names: string[]; factor: number }) => {
    built += 1;
    return db
      .selectFrom(sql<{ name: string }>`unnest(${names}::text[])`.as<'asked'>(sql.raw('asked(name)')))
      .select(['asked.name', sql<number>`length(asked.name) * ${factor}::int`.as('length')])
      .where(sql<boolean>`length(asked.name) >= ${from}::int`);
  });

  const answers = await inScope(async ({ db }) => [
    await ofTenants(db, { from: 2, names: ['a', 'bc'], factor: 1 }),
    await ofTenants(db, { from: 1, names: ["d'--", 'e'], factor: 10 }),
  ]);

  expect(answers).toEqual([
    [{ name: 'bc', length: 2 }],
    [
      { name: "d'--", length: 40 },
      { name: 'e', length: 10 },
    ],
  ]);
  expect(built).toBe(1);
});

test('a constant value is part of the built statement', async () => {
  const answer = statement(
    (_, { second }: { second: string }) => sql`select ${'always'} as first, ${second} as second`,
  );

  const rows = await inScope(({ db }) => answer(db, { second: 'this time' }));

  expect(rows).toEqual([{ first: 'always', second: 'this time' }]);
});
