import { type patients as endpoints, patientSearch } from '@radwork/contract/imaging/patients';
import type { Query } from '@radwork/contract/core/endpoint';
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openServingPool, type Schema } from '#core/database/database.ts';
import { newId } from '#core/values/ids.ts';
import { systemSession } from '#core/access/scope.ts';
import { openScopes } from '../../extensions.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld } from '#test/world.ts';
import { duplicates } from './duplicates.ts';
import { list } from './service.ts';

/** Number of patients for which an index is the cheaper plan. Any practice has so many after some months. */
const patients = 20_000;

const world = await createWorld();
const tenant = await world.newTenant();
const { patientId } = await world.inTenant(tenant, (scope) =>
  addStudy(scope, { patient: { phone_number: '5550142' } }),
);

await sql`
  insert into patients (tenant_id, id, patient_id, patient_name, gender, date_of_birth)
  select ${sql.lit(tenant.id)}, gen_random_uuid(), 'MRN' || p,
         substr(md5(p::text), 1, 8) || '^' || (array['Anna', 'Omar', 'Wei'])[1 + p % 3],
         (array['F', 'M'])[1 + p % 2], date '1930-01-01' + p
  from generate_series(1, ${sql.lit(patients)}) p`.execute(world.owner);
await sql`vacuum analyze patients, studies`.execute(world.owner);

const queries: CompiledQuery[] = [];
const pool = openServingPool(world.url, 1);
const database = new Kysely<Schema>({
  dialect: new PostgresDialect({ pool }),
  log: ({ query }) => {
    queries.push(query);
  },
});
afterAll(() => database.destroy());

const reader = { ...systemSession(tenant.id), userId: newId(), userType: 'RADIOLOGIST' as const };

/** Returns the query plans for `work`, in the role that serves requests. */
const plansOf = async (work: Parameters<ReturnType<typeof openScopes>['inTenant']>[1]): Promise<string> => {
  const lines: string[] = [];
  await openScopes(database).inTenant(reader, async (scope) => {
    // Waits until the first statements of the transaction are in the log, then clears the log.
    await sql`select`.execute(scope.db);
    queries.length = 0;
    await work(scope);
    for (const { sql: text, parameters } of queries.splice(0)) {
      const explained = CompiledQuery.raw(`explain ${text}`, [...parameters]);
      const { rows } = await scope.db.executeQuery<Record<'QUERY PLAN', string>>(explained);
      lines.push(...rows.map((row) => row['QUERY PLAN']));
    }
  });
  return lines.join('\n');
};

const planOfList = (query: Record<string, string>) =>
  plansOf((scope) => list(scope, patientSearch.parse(query) satisfies Query<typeof endpoints.list>));

test('a search for part of a name uses the trigram index despite row-level security', async () => {
  const plan = await planOfList({ searchQuery: 'a1b2c3' });

  expect(plan).toContain('Bitmap Index Scan on patients_search');
  expect(plan).not.toContain('Seq Scan on patients');
});

test.each([
  ['patientName,asc', 'patients_name'],
  ['patientName,desc', 'patients_name'],
  ['patientId,asc', 'patients_identifier'],
  ['gender,asc', 'patients_gender'],
  ['dateOfBirth,asc', 'patients_oldest'],
  ['dateOfBirth,desc', 'patients_youngest'],
  ['createdDate,desc', 'patients_created'],
])('sorting by %s reads the page from index %s without a full sort', async (sort, index) => {
  const plan = await planOfList({ sort });

  expect(plan).toMatch(new RegExp(`Scan (Backward )?using ${index} `));
  expect(plan).not.toContain('Sort Key: p.');
});

test('the search for duplicate patients uses indexes', async () => {
  const plan = await plansOf((scope) => duplicates(scope, patientId));

  expect(plan).toContain('BitmapOr');
  expect(plan).not.toContain('Seq Scan on patients');
});
