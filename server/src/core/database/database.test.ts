import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { runSql } from '#test/setup.ts';
import { createWorld } from '#test/world.ts';
import { assertConfined, inTransaction, kyselyOn, openServingPool, prepared, type Schema } from './database.ts';
import { statement } from './statement.ts';

const world = await createWorld();
const open: pg.Pool[] = [];
const roles: string[] = [];

const poolOf = (options?: string): pg.Pool => {
  const pool = new pg.Pool({ connectionString: world.url, max: 1, ...(options && { options }) });
  open.push(pool);
  return pool;
};

/** Creates a role only for this test, because roles belong to the whole database server. */
const newRole = async (attributes: string): Promise<string> => {
  const name = `radwork_test_${randomUUID().slice(0, 8)}`;
  roles.push(name);
  await runSql(world.url, `create role ${name} ${attributes}`, `grant ${name} to current_user`);
  return name;
};

afterAll(async () => {
  for (const pool of open) await pool.end();
  for (const role of roles) await runSql(world.url, `drop owned by ${role}`, `drop role ${role}`);
});

test('the connections that serve requests are restricted by row-level security', async () => {
  const pool = openServingPool(world.url, 1);
  open.push(pool);

  await expect(assertConfined(pool)).resolves.toBeUndefined();
});

test('refuses to serve requests as a superuser', async () => {
  await expect(assertConfined(poolOf())).rejects.toThrow(
    /cannot start: the serving database role .+ could see the rows of every tenant/,
  );
});

test('refuses to serve requests as a role that bypasses row-level security', async () => {
  const role = await newRole('nologin bypassrls');

  await expect(assertConfined(poolOf(`-c role=${role}`))).rejects.toThrow(`database role ${role}`);
});

test('refuses to start with a tenant table without row-level security', async () => {
  await runSql(world.url, 'create table leaky (tenant_id int not null, secret text)');
  const pool = openServingPool(world.url, 1);
  open.push(pool);

  await expect(assertConfined(pool)).rejects.toThrow('row-level security does not protect leaky');
  await runSql(world.url, 'alter table leaky enable row level security');
  await expect(assertConfined(pool)).resolves.toBeUndefined();
});

test('refuses to start when the role that serves requests owns a table', async () => {
  const pool = openServingPool(world.url, 1);
  open.push(pool);
  await runSql(
    world.url,
    'create table own (note text)',
    'grant create on schema public to radwork_app',
    'alter table own owner to radwork_app',
  );

  await expect(assertConfined(pool)).rejects.toThrow('row-level security does not protect own');
});

test('a connection lost during a transaction fails only that transaction', async () => {
  const pool = openServingPool(world.url, 2);
  open.push(pool);
  const client = await pool.connect();
  onTestFinished(() => client.release(true));
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');

  await runSql(world.url, `select pg_terminate_backend(${rows[0]?.pid})`);

  await expect(client.query('select 1')).rejects.toThrow(/terminat|not queryable/);
  await expect(pool.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
});

test('the database and the server close connections to a vanished peer within a minute', async () => {
  const pool = openServingPool(world.url, 1);
  open.push(pool);

  const { rows } = await pool.query<{ name: string; seconds: number }>(
    "select name, reset_val::int as seconds from pg_settings where name like 'tcp%' order by name",
  );

  expect(Object.fromEntries(rows.map(({ name, seconds }) => [name, seconds]))).toEqual({
    tcp_keepalives_count: 3,
    tcp_keepalives_idle: 15,
    tcp_keepalives_interval: 5,
    tcp_user_timeout: 30_000,
  });
  expect(pool.options).toMatchObject({ keepAlive: true, keepAliveInitialDelayMillis: 15_000 });
});

test('returns whole numbers, times and dates in the form of the contract', async () => {
  const pool = openServingPool(world.url, 1);
  open.push(pool);

  const { rows } = await pool.query(`
    select count(*) as count, timestamptz '2026-11-21 12:00:00.5+02' as instant,
           timestamp '2026-11-21 12:00:00' as local, date '2026-11-21' as day from generate_series(1, 3)`);

  expect(rows).toEqual([
    { count: 3, instant: '2026-11-21T10:00:00.500Z', local: '2026-11-21T12:00:00', day: '2026-11-21' },
  ]);
});

test('a database connection keeps only the statements marked as prepared', async () => {
  const pool = openServingPool(world.url, 1);
  open.push(pool);
  const db = kyselyOn(pool);

  for (const value of [1, 2]) {
    const remembered = await sql<{ value: number }>`select ${value}::int as value${prepared}`.execute(db);
    const forgotten = await sql<{ value: number }>`select ${value}::int as value, 2 as other`.execute(db);

    expect([remembered.rows[0]?.value, forgotten.rows[0]?.value]).toEqual([value, value]);
  }

  const { rows } = await pool.query<{ statement: string }>('select statement from pg_prepared_statements');
  expect(rows).toEqual([{ statement: 'select $1::int as value/* prepared */' }]);
});

test('replaces a connection whose prepared statement is outdated', async () => {
  await runSql(world.url, 'create table changing (note text)', 'grant select on changing to radwork_app');
  const pool = openServingPool(world.url, 1);
  open.push(pool);
  const read = () => inTransaction(kyselyOn(pool), {}, (db) => sql`select * from changing${prepared}`.execute(db));
  await read();

  await runSql(world.url, 'alter table changing add column other text');

  await expect(read()).rejects.toThrow('cached plan must not change result type');
  await expect(read()).resolves.toMatchObject({ rows: [] });
});

test('statements sent together run in order and stop at the first error', async () => {
  const pool = openServingPool(world.url, 1);
  open.push(pool);
  const db = kyselyOn(pool);
  const increment = () => sql<{ value: string }>`
    select set_config('test.count', (coalesce(nullif(current_setting('test.count', true), ''), '0')::int + 1)::text, true)
      as value`;

  const counted = await inTransaction(db, {}, (together) =>
    Promise.all([1, 2, 3].map(() => increment().execute(together))),
  );
  let ends: string[] = [];
  const failed = inTransaction(db, {}, async (together) => {
    const statements = [sql`select 1 / 0`.execute(together), increment().execute(together)];
    ends = (await Promise.allSettled(statements)).map(({ status }) => status);
  });

  expect(counted.map(({ rows }) => rows[0]?.value)).toEqual(['1', '2', '3']);
  await expect(failed).rejects.toThrow('rolled back');
  expect(ends).toEqual(['rejected', 'rejected']);
});

test('a reading transaction cannot write and returns its result before it ends', async () => {
  const { session } = await world.signIn();

  const tenants = await world.context.scopes.reading(session, async ({ db }) =>
    db.selectFrom('tenants').select('id').execute(),
  );
  const writing = world.context.scopes.reading(session, async ({ db }) => db.deleteFrom('studies').execute());

  expect(tenants).toEqual([{ id: session.tenantId }]);
  await expect(writing).rejects.toThrow('read-only transaction');
});

test('readingAtOnce answers statements that are sent together and rejects later statements', async () => {
  const { session } = await world.signIn();
  const { scopes } = world.context;
  const ownTenants = statement((db, _values: Record<string, never>) => db.selectFrom('tenants').select('id'));

  const tenants = await scopes.readingAtOnce(session, ({ db }) => ownTenants(db, {}));
  const late = scopes.readingAtOnce(session, async ({ db }) => {
    await ownTenants(db, {});
    return ownTenants(db, {});
  });
  const failed = scopes.readingAtOnce(session, ({ db }) => sql`select 1 / 0`.execute(db));
  const writing = scopes.readingAtOnce(session, ({ db }) => sql`delete from studies`.execute(db));

  expect(tenants).toEqual([{ id: session.tenantId }]);
  await Promise.all([
    expect(late).rejects.toThrow('The transaction is over'),
    expect(failed).rejects.toThrow('division by zero'),
    expect(writing).rejects.toThrow('read-only transaction'),
  ]);
  // The next transaction on the same connection works.
  await expect(scopes.reading(session, ({ db }) => ownTenants(db, {}))).resolves.toEqual(tenants);
});

const goOn = async (db: Transaction<Schema>) => {
  for (;;) await sql`select 1`.execute(db);
};

test('the error of statements sent together names the statement that failed', async () => {
  const pool = openServingPool(world.url, 1);
  open.push(pool);
  const later = async (statement: Promise<unknown>) => statement.then((value) => value).then((value) => value);

  const failed = inTransaction(kyselyOn(pool), {}, (db) =>
    Promise.all([later(sql`select 1 / 0`.execute(db)), sql`select 1`.execute(db)]),
  );

  await expect(failed).rejects.toThrow('division by zero');
});

test('a statement that the transaction did not await does not run after its end', async () => {
  const pool = openServingPool(world.url, 1);
  open.push(pool);
  let late: Promise<unknown> = Promise.resolve();

  await inTransaction(kyselyOn(pool), {}, async (db) => {
    late = goOn(db).catch((error: unknown) => error);
  });

  expect(await late).toMatchObject({ message: 'The transaction is over' });
});

test('no statement reaches the database after its transaction has ended', async () => {
  const pool = openServingPool(world.url, 1);
  open.push(pool);
  const db = kyselyOn(pool);
  const lingering: Transaction<Schema>[] = [];

  await inTransaction(db, {}, async (transaction) => {
    lingering.push(transaction);
  });
  const failed = inTransaction(db, {}, async (transaction) => {
    lingering.push(transaction);
    throw new Error('given up');
  });

  await expect(failed).rejects.toThrow('given up');
  for (const transaction of lingering) {
    await expect(sql`select 1`.execute(transaction)).rejects.toThrow('over');
  }
});

test('a transaction is restricted to its tenant and leaves no setting on the connection', async () => {
  const [one, other] = [await world.newTenant(), await world.newTenant()];
  const pool = openServingPool(world.url, 1);
  open.push(pool);
  const db = kyselyOn(pool);
  const visibleTenants = async (terms: Parameters<typeof inTransaction>[1]) =>
    (await inTransaction(db, terms, (within) => within.selectFrom('tenants').select('id').execute())).map(
      ({ id }) => id,
    );

  expect(await visibleTenants({ tenantId: one.id })).toEqual([one.id]);
  expect(await visibleTenants({ tenantId: other.id, isReading: true })).toEqual([other.id]);
  expect(await visibleTenants({})).toEqual([]);
  await expect(db.selectFrom('tenants').select('id').execute()).resolves.toEqual([]);
  await expect(visibleTenants({ tenantId: NaN })).rejects.toThrow('whole number');
});
