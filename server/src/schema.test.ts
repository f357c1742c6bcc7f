import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { fillTenant, tenantTables } from '#test/full-tenant.ts';
import { generateSchema } from '#test/generate-schema.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const north = await fillTenant(world, 'NORTH-1');
const south = await fillTenant(world, 'SOUTH-1');
const tables = await tenantTables(world);
const { scopes } = world.context;

/** The condition in the migrations, as PostgreSQL prints it. */
const tenantPredicate = `(tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::integer)`;

/** The views for text search, and their tables. */
const searchViews = new Map([
  ['atlas_search', 'atlases'],
  ['guideline_search', 'guidelines'],
  ['patient_mentions', 'patients'],
  ['patient_search', 'patients'],
  ['report_text_search', 'report_texts'],
  ['study_search', 'studies'],
]);

const ask = async <Row>(query: ReturnType<typeof sql<Row>>) => (await query.execute(world.owner)).rows;

const countIn = (table: string) => sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`;

test('the table types and the tables known to a backup match the migrated database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-schema-'));
  const generated = join(folder, 'schema.ts');

  await generateSchema(world.url, generated);

  const checkedIn = await readFile(resolve(import.meta.dirname, 'core/database/schema.ts'), 'utf8');
  expect(await readFile(generated, 'utf8')).toBe(checkedIn);
  await rm(folder, { recursive: true });
});

test('a generated column whose function runs a query is filled without JIT compilation', async () => {
  // With JIT on, PostgreSQL on Debian compiled the function again for each row, so its JIT is turned off.
  const functions = await ask(sql<{ name: string; settings: string[] | null }>`
    select distinct proc.proname as name, proc.proconfig as settings
    from pg_attrdef default_of
    join pg_attribute attribute on attribute.attrelid = default_of.adrelid and attribute.attnum = default_of.adnum
    join pg_depend depend on depend.classid = 'pg_attrdef'::regclass and depend.objid = default_of.oid
      and depend.refclassid = 'pg_proc'::regclass
    join pg_proc proc on proc.oid = depend.refobjid
    where attribute.attgenerated <> '' and pg_get_function_sqlbody(proc.oid) like 'BEGIN ATOMIC%'`);

  expect(functions).toContainEqual({ name: 'mention_keys', settings: ['jit=off'] });
  expect(functions.filter(({ settings }) => !settings?.includes('jit=off'))).toEqual([]);
});

test('every tenant table has one policy that requires the tenant for reads and writes', async () => {
  const policies = await ask(sql<{ table: string }>`
    select tablename as table, policyname as name, roles::text[] as roles, cmd, permissive, qual, with_check
    from pg_policies where schemaname = 'public' and tablename <> 'tenants' and policyname not in ('rejected', 'groups')
    order by tablename`);

  expect(policies).toEqual(
    tables.map((table) => ({
      table,
      name: 'tenant',
      roles: ['radwork_app'],
      cmd: 'ALL',
      permissive: 'PERMISSIVE',
      qual: tenantPredicate,
      with_check: tenantPredicate,
    })),
  );
  const open = await ask(sql`
    select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relrowsecurity and relname not in ('login_failures', 'schema_migrations')`);
  expect(open).toEqual([]);
});

test('queries find no rejected instances and series unless their transaction asks for them', async () => {
  const policies = await ask(sql<{ table: string; qual: string; withCheck: string }>`
    select tablename as table, cmd, permissive, qual, with_check as "withCheck"
    from pg_policies where policyname = 'rejected' order by tablename`);

  const asked = `(current_setting('app.rejected'::text, true) = 'shown'::text)`;
  expect(policies).toEqual(
    [
      ['instances', `((rejection_id IS NULL) OR ${asked})`],
      ['series', `((NOT is_rejected) OR ${asked})`],
    ].map(([table, qual]) => ({ table, cmd: 'ALL', permissive: 'RESTRICTIVE', qual, withCheck: qual })),
  );
});

test('a foreign key between tenant tables cannot cross tenants', async () => {
  const loose = await ask(sql`
    select f.conrelid::regclass::text as table, f.conname as name
    from pg_constraint f
    where f.contype = 'f' and f.connamespace = 'public'::regnamespace and f.confrelid <> 'tenants'::regclass
      and not exists (
        select from unnest(f.conkey, f.confkey) as pair (here, there)
        join pg_attribute h on h.attrelid = f.conrelid and h.attnum = pair.here and h.attname = 'tenant_id'
        join pg_attribute t on t.attrelid = f.confrelid and t.attnum = pair.there and t.attname = 'tenant_id')`);

  expect(loose).toEqual([]);
});

test('unique constraints apply within a tenant, except for hashes of random tokens', async () => {
  const wide = await ask(sql<{ index: string }>`
    select i.indexrelid::regclass::text as index
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indisunique and i.indrelid::regclass::text = any(${tables}) and a.attname <> 'tenant_id'
    order by 1`);

  expect(wide.map(({ index }) => index)).toEqual([
    'password_links_token_hash_key',
    'report_links_token_hash_key',
    'sessions_token_hash_key',
    'sso_attempts_state_hash_key',
    'sso_attempts_ticket_hash_key',
  ]);
});

test('every view runs with the rights of the calling role, or checks the tenant and is read-only', async () => {
  const views = await ask(sql<{ name: string; definition: string; granted: string[] }>`
    select c.relname as name, pg_get_viewdef(c.oid) as definition,
           array(select privilege_type::text from information_schema.role_table_grants g
                 where g.table_name = c.relname and g.grantee in ('radwork_app', 'PUBLIC')) as granted
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm')
      and not coalesce('security_invoker=true' = any(c.reloptions), false)
    order by c.relname`);

  expect(views.map(({ name }) => name)).toEqual([...searchViews.keys()]);
  for (const { name, definition, granted } of views) {
    // PostgreSQL 15 prints the table before each column, and PostgreSQL 18 does not.
    const predicate = ['study_search', 'patient_search', 'report_text_search'].includes(name)
      ? `(${tenantPredicate} AND (COALESCE(current_setting('app.study_groups'::text, true), ''::text) = ''::text))`
      : tenantPredicate;
    const written = definition.replaceAll(/(atlases|guidelines|patients|report_texts|studies)\./g, '');
    expect(written.split('WHERE ')[1]).toBe(`${predicate};`);
    expect(granted).toEqual(['SELECT']);
  }
});

test('a function with owner rights has a fixed search path and is callable only by the role that serves requests', async () => {
  const functions = await ask(sql<{ name: string; path: string[]; readers: string[] }>`
    select p.proname as name, p.proconfig as path,
           array(select coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC') from aclexplode(p.proacl)
                 where grantee <> p.proowner) as readers
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef order by 1`);

  expect(functions.length).toBeGreaterThan(0);
  for (const { name, path, readers } of functions) {
    expect({ name, path, readers }).toEqual({
      name,
      path: ['search_path=pg_catalog, public, pg_temp'],
      readers: ['radwork_app'],
    });
  }
});

test('a temporary table cannot replace a table that a function with owner rights reads', async () => {
  const result = await scopes.withoutTenant(async (db) => {
    await sql`create temporary table tenants on commit drop as
              select 1 as id, 'Intruder' as name, 'intruder' as subdomain, 'UTC' as time_zone,
                     null::timestamptz as suspended_at`.execute(db);
    return sql`select * from find_tenant('intruder')`.execute(db);
  });

  expect(result.rows).toEqual([]);
});

test('every tenant table is empty for the role that serves requests when no tenant is set', async () => {
  for (const table of ['tenants', ...searchViews.keys(), ...tables]) {
    const rows = await ask(countIn(searchViews.get(table) ?? table));
    expect({ table, isSeeded: (rows[0]?.count ?? 0) > 0 }).toEqual({ table, isSeeded: true });

    const visible = await scopes.withoutTenant((db) => countIn(table).execute(db));
    expect({ table, seen: visible.rows[0]?.count }).toEqual({ table, seen: 0 });
  }
});

test('with a tenant set, every table shows all rows of that tenant and no others', async () => {
  for (const table of [...searchViews.keys(), ...tables]) {
    const own = await ask(sql<{ count: number }>`
      select count(*) as count from ${sql.table(searchViews.get(table) ?? table)}
      where tenant_id = ${north.tenant.id}`);

    const visible = await world.inTenant(north.tenant, ({ db }) => countIn(table).execute(db));

    expect({ table, seen: visible.rows[0]?.count }).toEqual({ table, seen: own[0]?.count });
  }
});

test('a tenant cannot insert, change or delete rows of another tenant, even by naming it', async () => {
  const inNorth = <T>(query: ReturnType<typeof sql<T>>) => world.inTenant(north.tenant, ({ db }) => query.execute(db));

  await expect(
    inNorth(sql`insert into roles (tenant_id, id, name, permissions)
                values (${south.tenant.id}, gen_random_uuid(), 'Intruder', '{}')`),
  ).rejects.toThrow(/row-level security/);
  await expect(inNorth(sql`update studies set tenant_id = ${south.tenant.id}`)).rejects.toThrow(/row-level security/);
  await expect(
    inNorth(sql`insert into study_participants (study_id, user_id, role)
                select ${south.studyId}, id, 'SHARED' from users limit 1`),
  ).rejects.toThrow(/foreign key/);
  const changed = await inNorth(sql`update studies set description = 'x' where id = ${south.studyId}`);
  const deleted = await inNorth(sql`delete from study_modalities where study_id = ${south.studyId}`);
  expect([changed.numAffectedRows, deleted.numAffectedRows]).toEqual([0n, 0n]);
});

test('rows of history, versions and audit log cannot be changed or deleted', async () => {
  for (const table of ['audit_entries', 'task_history', 'report_versions']) {
    const remove = world.inTenant(north.tenant, ({ db }) => sql`delete from ${sql.table(table)}`.execute(db));
    await expect(remove).rejects.toThrow(`permission denied for table ${table}`);
    const change = world.inTenant(north.tenant, ({ db }) =>
      sql`update ${sql.table(table)} set tenant_id = tenant_id`.execute(db),
    );
    await expect(change).rejects.toThrow(`permission denied for table ${table}`);
  }
});
