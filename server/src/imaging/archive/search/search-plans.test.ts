import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openServingPool, type Schema } from '#core/database/database.ts';
import { createScopes, type Scope, systemSession } from '#core/access/scope.ts';
import { createWorld } from '#test/world.ts';
import { fieldsOf } from './search-fields.ts';
import { matchingOf } from './matching-keys.ts';
import { findMatches } from './search-queries.ts';

const world = await createWorld();
const [large, small] = [await world.newTenant(), await world.newTenant()];

const fill = async (tenantId: number, studies: number, name = '') => {
  await sql`
    insert into patients (tenant_id, id, patient_id, patient_name)
    select ${sql.lit(tenantId)}, gen_random_uuid(), 'MRN' || n, ${sql.lit(name)} || substr(md5(n::text), 1, 8) || '^Anna'
    from generate_series(1, ${sql.lit(studies)}) n`.execute(world.owner);
  await sql`
    insert into studies (tenant_id, id, patient_id, study_instance_uid, study_date, modalities, patient_name,
                         patient_identifier)
    select tenant_id, gen_random_uuid(), id, '1.2.' || substr(patient_id, 4),
           timestamp '2026-11-20' - random() * interval '2000 days', array['CT'], patient_name, patient_id
    from patients where tenant_id = ${sql.lit(tenantId)}`.execute(world.owner);
};
await fill(large.id, 15_000);
await fill(small.id, 3);
await sql`vacuum analyze patients, studies, study_modalities`.execute(world.owner);

const queries: CompiledQuery[] = [];
const database = new Kysely<Schema>({
  dialect: new PostgresDialect({ pool: openServingPool(world.url, 1) }),
  log: ({ query }) => {
    queries.push(query);
  },
});
afterAll(() => database.destroy());

/** Returns the generic plan of a prepared search for the first page, explained for one tenant. */
const keptPlan = (tenantId: number, query: Record<string, string[]>): Promise<string> =>
  createScopes(database).inTenant({ ...systemSession(tenantId), userType: 'RADIOLOGIST' }, async (scope) => {
    const { sql: text, parameters } = await statementOf(scope, query);
    await sql`set local plan_cache_mode = force_generic_plan`.execute(scope.db);
    await scope.db.executeQuery(CompiledQuery.raw(`prepare kept as ${text}`));
    const values = sql.join(parameters.map((value) => sql.lit(value)));
    const { rows } = await sql<Record<'QUERY PLAN', string>>`explain execute kept (${values})`.execute(scope.db);
    await sql`deallocate kept`.execute(scope.db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });

/** Returns the plan for the first page of a search that is not prepared, so PostgreSQL plans it for these values. */
const planOf = (tenantId: number, query: Record<string, string[]>): Promise<string> =>
  createScopes(database).inTenant({ ...systemSession(tenantId), userType: 'RADIOLOGIST' }, async (scope) => {
    queries.length = 0;
    await firstPage(scope, query);
    const { sql: text = '', parameters = [] } = queries.at(-1) ?? {};
    const { rows } = await scope.db.executeQuery<Record<'QUERY PLAN', string>>(
      CompiledQuery.raw(`explain ${text}`, [...parameters]),
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });

const statementOf = async (scope: Scope, query: Record<string, string[]>): Promise<CompiledQuery> => {
  queries.length = 0;
  await firstPage(scope, query);
  const statement = queries.at(-1);
  if (!statement?.sql.includes('/* prepared */')) throw new Error('This search is not prepared');
  return statement;
};

const firstPage = async (scope: Scope, query: Record<string, string[]>): Promise<string[]> => {
  const matching = matchingOf(query, 'studies');
  const fields = fieldsOf(query, 'studies', matching.keywords);
  const rows = await findMatches(scope, { level: 'studies', matching, fields, page: { limit: 26, offset: 0 } });
  return rows.map((row) => row.study_instance_uid);
};

const lookups = ['Index Scan using studies_pkey'];
const byDate = ['Index Scan using studies_date'];
const byModality = ['Index Only Scan using study_modalities_date', ...lookups];
const byName = ['name_beginning', 'second_spelling', 'third_spelling'].map(
  (index) => `Index Only Scan using studies_${index}`,
);

/** Index scans in a plan that find the other names of studies with an open identity question. */
const byOtherName = ['identity_questions_open', 'patients_pkey', 'studies_pkey'].map(
  (index) => `Index Scan using ${index}`,
);

const lists = [
  { name: 'all studies', query: {}, scans: byDate },
  { name: 'days', query: { StudyDate: ['20260101-20260107'] }, scans: byDate },
  { name: 'a modality', query: { ModalitiesInStudy: ['CT'] }, scans: byModality },
  { name: 'days and a modality', query: { StudyDate: ['20260101-'], Modality: ['CT'] }, scans: byModality },
  { name: 'names that begin alike', query: { PatientName: ['c4c*'] }, scans: [...byName, ...byOtherName, ...lookups] },
];

test.for(lists)(
  'a list of $name uses the expected index, both for a large and a small tenant',
  async ({ query, scans }) => {
    for (const tenant of [large, small]) {
      const plan = await keptPlan(tenant.id, query);

      expect(plan.match(/[\w ]*(Index|Seq)[\w ]*Scan (using|on) \w+/g)?.map((scan) => scan.trim())).toEqual(scans);
      expect(plan).not.toMatch(/Bitmap/);
    }
  },
);

test("finds a patient's studies by Patient ID without reading other studies", async () => {
  const plan = await planOf(large.id, { PatientID: ['MRN777'] });

  expect(plan).toMatch(/Index (Only )?Scan using studies_patient on studies/);
  expect(plan).not.toMatch(/Seq Scan on (studies|patients)/);
});

test('ends a search that takes too long and asks the caller to narrow it', async () => {
  const slow = { conditions: [sql<boolean>`pg_sleep(5) is not null`], isByText: false, list: undefined };
  const fields = fieldsOf({}, 'studies', []);
  const session = { ...systemSession(small.id), userType: 'RADIOLOGIST' as const };

  const search = createScopes(database).inTenant(session, (scope) =>
    findMatches(scope, { level: 'studies', matching: slow, fields, page: { limit: 26, offset: 0 } }, 50),
  );

  await expect(search).rejects.toMatchObject({ status: 413, error: 'search.too_broad' });
});

test('returns the newest studies in the same order even if thousands of names have the same beginning', async () => {
  const crowded = await world.newTenant();
  await fill(crowded.id, 5001, 'Anon');
  const session = { ...systemSession(crowded.id), userType: 'RADIOLOGIST' as const };

  const [selectedRows, all] = await createScopes(database).inTenant(session, async (scope) => [
    await firstPage(scope, { PatientName: ['anon*'] }),
    await firstPage(scope, {}),
  ]);

  expect(selectedRows).toHaveLength(26);
  expect(selectedRows).toEqual(all);
});
