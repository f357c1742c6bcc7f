import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { systemSession } from './core/access/scope.ts';
import { newId } from './core/values/ids.ts';
import { fillTenant } from '#test/full-tenant.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const north = await fillTenant(world, 'NORTH-1');
const south = await fillTenant(world, 'SOUTH-1');
const { scopes } = world.context;

const ask = async <Row>(query: ReturnType<typeof sql<Row>>) => (await query.execute(world.owner)).rows;

const countIn = (table: string) => sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`;

/** Tables that name a study or what belongs to it, but hold no data of it. */
const withoutLimit = new Set([
  // Progress of work over all studies.
  'header_rereadings',
  'identity_searches',
  'report_text_indexings',
]);

/** Tables with rows that belong to no study. A limited transaction sees these rows. */
const withOtherRows = ['audit_entries', 'notifications', 'outbound_messages'];

const inLimit = <T>(studyGroups: string[], query: ReturnType<typeof sql<T>>) =>
  scopes.reading({ ...systemSession(north.tenant.id), studyGroups }, ({ db }) => query.execute(db));

test('every table of studies and patients has the policy that limits users to groups', async () => {
  const named = await ask(sql<{ table: string }>`
    select distinct c.relname as table from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and (c.relname in ('studies', 'patients')
      or a.attname ~ '(^|_)(study|series|instance|report|patient|finding|import_job|rejection)_ids?$'
      or a.attname in ('link_id', 'study_instance_uid', 'series_instance_uid', 'sop_instance_uid'))
    order by 1`);
  const policies = await ask(sql<{ table: string; isWhole: boolean }>`
    select tablename as table,
           permissive = 'RESTRICTIVE' and cmd = 'ALL' and roles = '{radwork_limited}' and with_check is not null as "isWhole"
    from pg_policies where policyname = 'groups' order by 1`);
  const limited = new Set(policies.flatMap(({ table, isWhole }) => (isWhole ? table : [])));

  const missing = named.map(({ table }) => table).filter((table) => !limited.has(table) && !withoutLimit.has(table));
  expect(missing, 'Add `select limit_by(TABLE, …)` of migration 0117 to the migration of the table').toEqual([]);
  expect(limited.size).toBeGreaterThan(45);
});

test('a transaction that is limited to groups sees only rows of their studies, in tables and search views', async () => {
  const policies = await ask(sql<{ table: string }>`
    select tablename as table from pg_policies where policyname = 'groups' order by 1`);
  const limited = policies.map(({ table }) => table).filter((table) => !withOtherRows.includes(table));
  const shown: string[] = [];
  for (const groups of [[], [newId()]]) {
    for (const table of [...limited, 'study_search', 'patient_search']) {
      const { rows } = await inLimit(groups, countIn(table));
      if (rows[0]?.count !== 0) shown.push(table);
    }
  }
  expect(shown).toEqual([]);

  const groupId = newId();
  await world.inTenant(north.tenant, ({ db }) =>
    db
      .updateTable('studies')
      .set({ group_ids: [groupId] })
      .where('id', '=', north.studyId)
      .execute(),
  );
  for (const table of ['studies', 'patients', 'series', 'instances', 'reports', 'chat_messages', 'study_search']) {
    const { rows } = await inLimit([groupId], countIn(table));
    expect({ table, isShown: (rows[0]?.count ?? 0) > 0 }).toEqual({ table, isShown: true });
  }
  // An unlimited search view shows nothing, even if a query names its schema.
  const { rows } = await inLimit([groupId], sql<{ count: number }>`select count(*) as count from public.study_search`);
  expect(rows[0]?.count).toBe(0);
});

test('the search views of limited transactions have the columns of the other search views', async () => {
  const columns = await ask(sql<{ name: string; schemas: string[] }>`
    select c.relname as name, array_agg(distinct n.nspname::text) as schemas
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where c.relname in ('study_search', 'patient_search') and a.attnum > 0 and not a.attisdropped
    group by c.relname, a.attname`);

  expect(columns.filter(({ schemas }) => schemas.length < 2)).toEqual([]);
});

test('a limited transaction cannot write rows of hidden studies, or hide its own studies from itself', async () => {
  const groupId = newId();
  await world.inTenant(south.tenant, ({ db }) => db.updateTable('studies').set({ group_ids: [] }).execute());
  const inSouth = <T>(query: ReturnType<typeof sql<T>>) =>
    scopes.inTenant({ ...systemSession(south.tenant.id), studyGroups: [groupId] }, ({ db }) => query.execute(db));

  const changed = await inSouth(sql`update studies set description = 'x' where id = ${south.studyId}`);
  expect(changed.numAffectedRows).toBe(0n);
  const read = sql`insert into chat_reads (study_id, user_id, last_number) values (${south.studyId}, ${newId()}, 1)`;
  await expect(inSouth(read)).rejects.toThrow(/row-level security/);
  await world.inTenant(south.tenant, ({ db }) =>
    db
      .updateTable('studies')
      .set({ group_ids: [groupId] })
      .execute(),
  );
  await expect(inSouth(sql`update studies set group_ids = '{}'`)).rejects.toThrow(/row-level security/);
});
