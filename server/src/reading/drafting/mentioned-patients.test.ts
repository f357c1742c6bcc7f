import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createWorld } from '#test/world.ts';
import { findMentioned, mentionedKeys, mentionsIn } from './mentioned-patients.ts';

const world = await createWorld();

test('the search for patients mentioned in a text of maximum length uses an index', async () => {
  const tenant = await world.newTenant();
  await world.inTenant(tenant, ({ db }) =>
    sql`insert into patients (id, patient_id, patient_name)
        select gen_random_uuid(), 'HOSP-' || n, 'Family' || md5(n::text) || '^Given' || n % 500
        from generate_series(1, 5000) n`.execute(db),
  );
  await sql`analyze patients`.execute(world.owner);
  const family = await world.inTenant(tenant, ({ db }) =>
    sql<{ name: string }>`select 'Family' || md5('777') as name`.execute(db),
  );
  // A number would end the word, so the name of this patient contains no digits.
  await world.inTenant(tenant, ({ db }) =>
    sql`update patients set patient_name = 'Familyname^Givenname' where patient_name like ${`${family.rows[0]?.name}%`}`.execute(
      db,
    ),
  );
  const letters = (n: number) => Array.from(String(n), (digit) => 'abcdefghij'[Number(digit)]).join('');
  const filler = Array.from({ length: 3000 }, (_, n) => `w${letters(n)}`)
    .join(' ')
    .slice(0, 19_900);
  const text = `${filler} Givenname Familyname HOSP-4999`;
  const mentions = mentionsIn(text);

  const plan = await world.inTenant(tenant, async ({ db }) => {
    await sql`set local enable_seqscan = off`.execute(db);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${mentionedKeys(mentions)}`.execute(db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  const find = await world.inTenant(tenant, (scope) => findMentioned(scope, [text]));

  expect(mentions.length).toBeGreaterThan(8000);
  expect(plan).toContain('Bitmap Index Scan on patients_mentioned');
  expect(plan).not.toContain('Seq Scan on patients');
  expect(find(text).map(({ from, to }) => text.slice(from, to))).toEqual(['Givenname', 'Familyname', 'HOSP-4999']);
});
