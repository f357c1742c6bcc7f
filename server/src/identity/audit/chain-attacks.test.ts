import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { sealAudit, startAuditChain } from '#core/audit/audit-chain.ts';
import { audit } from '#core/audit/audit.ts';
import { tamper } from '#test/tamper-with-audit.ts';
import { createWorld, type Person } from '#test/world.ts';
import { verifyWholeChain } from './verify-chain.ts';

const world = await createWorld();
const { scopes } = world.context;

/** Signs in an administrator of a tenant whose audit chain has `count` entries. */
const withChain = async (count = 10) => {
  const person = await world.signIn('ADMIN');
  await sql`insert into audit_entries (tenant_id, username, action, entity, entity_id, outcome)
            select ${person.tenant.id}, 'somebody', 'study.view', 'study', n::text, 'SUCCESS'
            from generate_series(1, ${sql.lit(count)}) n`.execute(world.owner);
  await sealAudit(scopes);
  return person;
};

const verify = (person: Person, batch?: number) =>
  verifyWholeChain(scopes, person.session, world.dataDir, undefined, batch);
const faultsOf = async (person: Person, batch?: number) =>
  (await verify(person, batch)).faults.map(({ kind, position }) => (position === null ? kind : `${kind} ${position}`));

type Words = RawBuilder<unknown>;
const entryAt = (tenant: number, at: number) =>
  sql`(select entry_id from audit_chain where tenant_id = ${tenant} and position = ${at})`;
const entry = (tenant: number, at: number) => sql`tenant_id = ${tenant} and id = ${entryAt(tenant, at)}`;
const link = (tenant: number, at: number) => sql`tenant_id = ${tenant} and position = ${at}`;
const forged = (tenant: number, id: unknown) =>
  sql`insert into audit_entries (tenant_id, id, username, action, entity, outcome) overriding system value
      values (${tenant}, ${id}, 'forged', 'study.view', 'study', 'SUCCESS')`;
const linkTo = (tenant: number, at: number, id: number) =>
  sql`insert into audit_chain (tenant_id, position, entry_id, written_at, hash)
      values (${tenant}, ${at}, ${id}, now(), sha256('forged'))`;

/**
 * Changes that the database owner could make at one position of a chain of ten entries, and the faults that
 * verification then reports.
 */
const attacks: [
  does: string,
  words: (tenant: number, at: number, other: number) => Words[],
  said: (at: number) => string[],
][] = [
  [
    'changes an entry',
    (tenant, at) => [sql`update audit_entries set username = 'x' where ${entry(tenant, at)}`],
    (at) => [`CHANGED ${at}`],
  ],
  [
    'removes an entry',
    (tenant, at) => [sql`delete from audit_entries where ${entry(tenant, at)}`],
    (at) => [`REMOVED ${at}`],
  ],
  [
    'removes an entry with its link',
    (tenant, at) => [
      sql`delete from audit_entries where ${entry(tenant, at)}`,
      sql`delete from audit_chain where ${link(tenant, at)}`,
    ],
    (at) => [at === 10 ? 'CUT 10' : `MISSING ${at + 1}`],
  ],
  [
    'changes a seal',
    (tenant, at) => [sql`update audit_chain set hash = sha256(hash) where ${link(tenant, at)}`],
    (at) => [`CHANGED ${at}`, at === 10 ? 'HEAD 10' : `CHANGED ${at + 1}`],
  ],
  [
    'changes a seal and the head with it',
    (tenant, at) => [
      sql`update audit_chain set hash = sha256(hash) where ${link(tenant, at)}`,
      sql`update audit_heads h set hash = c.hash from audit_chain c
          where h.tenant_id = ${tenant} and c.tenant_id = ${tenant} and c.position = 10`,
    ],
    (at) => [`CHANGED ${at}`, ...(at === 10 ? [] : [`CHANGED ${at + 1}`])],
  ],
  [
    'changes when a link was written',
    (tenant, at) => [
      sql`update audit_chain set written_at = written_at + interval '1 second' where ${link(tenant, at)}`,
    ],
    (at) => [`CHANGED ${at}`],
  ],
  [
    'puts another entry in the place of one',
    (tenant, at) => [forged(tenant, 9000900), sql`update audit_chain set entry_id = 9000900 where ${link(tenant, at)}`],
    (at) => [`CHANGED ${at}`, 'OUTSIDE'],
  ],
  [
    'slips in an entry without a link',
    (tenant) => [forged(tenant, 9000901), sql`delete from audit_unsealed where tenant_id = ${tenant}`],
    () => ['OUTSIDE'],
  ],
  ['slips in an entry below all numbers', (tenant) => [forged(tenant, -3)], () => ['OUTSIDE']],
  [
    'slips in an entry with a number that JavaScript does not know',
    (tenant) => [forged(tenant, sql.lit('9007199254740993'))],
    () => ['OUTSIDE'],
  ],
  [
    'slips in an entry with a link below the first',
    (tenant) => [forged(tenant, 9000902), linkTo(tenant, -7, 9000902)],
    () => ['OUTSIDE'],
  ],
  [
    'slips in an entry with a link at the place zero',
    (tenant) => [forged(tenant, 9000903), linkTo(tenant, 0, 9000903)],
    () => ['CHANGED 1', 'OUTSIDE'],
  ],
  [
    'slips in an entry with a link beyond the last',
    (tenant) => [forged(tenant, 9000904), linkTo(tenant, 12, 9000904)],
    () => ['MISSING 12', 'HEAD 12'],
  ],
  [
    'adds an entry with a link of its own after the last',
    (tenant) => [forged(tenant, 9000905), linkTo(tenant, 11, 9000905)],
    () => ['CHANGED 11', 'HEAD 11'],
  ],
  [
    'moves an entry to another tenant',
    (tenant, at, other) => [sql`update audit_entries set tenant_id = ${other} where ${entry(tenant, at)}`],
    (at) => [`REMOVED ${at}`],
  ],
  [
    'moves a link with its entry to another tenant',
    (tenant, at, other) => [
      sql`update audit_entries set tenant_id = ${other} where ${entry(tenant, at)}`,
      sql`update audit_chain set tenant_id = ${other}, position = 11 where ${link(tenant, at)}`,
    ],
    (at) => [at === 10 ? 'CUT 10' : `MISSING ${at + 1}`],
  ],
  [
    'cuts off what comes from there on',
    (tenant, at) => [
      sql`delete from audit_entries where tenant_id = ${tenant} and id in
          (select entry_id from audit_chain where tenant_id = ${tenant} and position >= ${at})`,
      sql`delete from audit_chain where tenant_id = ${tenant} and position >= ${at}`,
    ],
    (at) => [`CUT ${at}`],
  ],
  [
    'lets the next two change places',
    (tenant, at) => {
      const next = at === 10 ? 9 : at + 1;
      return [
        sql`create temporary table swapped on commit drop as select position, entry_id from audit_chain
            where tenant_id = ${tenant} and position in (${at}, ${next})`,
        sql`update audit_chain set entry_id = -entry_id where tenant_id = ${tenant} and position in (${at}, ${next})`,
        sql`update audit_chain c set entry_id = s.entry_id from swapped s
            where c.tenant_id = ${tenant} and c.position in (${at}, ${next}) and s.position in (${at}, ${next}) and s.position <> c.position`,
      ];
    },
    (at) => (at === 10 ? ['CHANGED 9', 'CHANGED 10'] : [`CHANGED ${at}`, `CHANGED ${at + 1}`]),
  ],
];

const cases = attacks.flatMap(([does, words, expectedFaults]) =>
  [1, 5, 10].map((at) => [does, at, words, expectedFaults] as const),
);

test.each(cases)('detects an attacker who %s, at position %i of ten', async (_does, at, words, expectedFaults) => {
  const [person, other] = [await withChain(), await withChain()];
  await tamper(world, ...words(person.tenant.id, at, other.tenant.id));

  expect(await faultsOf(person)).toEqual(expectedFaults(at));
});

test('the check reports an entry that was moved from another tenant', async () => {
  const [from, to] = [await withChain(), await withChain()];
  await tamper(world, sql`update audit_entries set tenant_id = ${to.tenant.id} where ${entry(from.tenant.id, 4)}`);

  expect(await faultsOf(to)).toEqual(['OUTSIDE']);
});

test('the check reports a whole chain that was moved to another tenant', async () => {
  const [from, to] = [await withChain(3), await world.signIn('ADMIN')];
  await tamper(
    world,
    ...['audit_entries', 'audit_chain', 'audit_heads'].map(
      (table) => sql`update ${sql.table(table)} set tenant_id = ${to.tenant.id} where tenant_id = ${from.tenant.id}`,
    ),
  );

  expect(await faultsOf(to)).toEqual(['CHANGED 1', 'CHANGED 2', 'CHANGED 3']);
});

test('finds changed and removed entries, wrong seals and removed links where two batches meet', async () => {
  const person = await withChain(203);
  const { id } = person.tenant;
  for (const at of [100, 101, 102, 201, 202]) {
    const named = (name: string) =>
      tamper(world, sql`update audit_entries set username = ${name} where ${entry(id, at)}`);
    await named('x');
    expect(await faultsOf(person, 100)).toEqual([`CHANGED ${at}`]);
    await named('somebody');
  }
  expect((await verify(person, 100)).isIntact).toBe(true);
  await tamper(world, sql`update audit_chain set hash = sha256(hash) where ${link(id, 101)}`);
  expect(await faultsOf(person, 100)).toEqual(['CHANGED 101', 'CHANGED 102']);
  await tamper(
    world,
    sql`delete from audit_entries where ${entry(id, 201)}`,
    sql`delete from audit_chain where ${link(id, 101)}`,
  );
  expect(await faultsOf(person, 100)).toEqual(['MISSING 102', 'REMOVED 201', 'OUTSIDE']);
});

test('a chain that cannot continue is reported and does not block the chains of other tenants', async () => {
  const [stuck, other] = [await withChain(), await withChain()];
  await tamper(world, forged(stuck.tenant.id, 9000907), linkTo(stuck.tenant.id, 11, 9000907));
  for (const { inScope } of [stuck, other]) {
    await inScope((scope) => audit(scope, 'study.view', { entity: 'study', entityId: 'later' }));
  }
  const failedTenants: number[] = [];

  await sealAudit(scopes, ({ tenantId }) => failedTenants.push(tenantId));

  expect(failedTenants).toContain(stuck.tenant.id);
  expect(failedTenants).not.toContain(other.tenant.id);
  expect(await verify(other)).toMatchObject({ isIntact: true, checked: 11 });
  expect(await faultsOf(stuck)).toEqual(['CHANGED 11', 'HEAD 11']);
});

test('reports only once that a chain cannot continue', async () => {
  const person = await withChain();
  await tamper(world, forged(person.tenant.id, 9000908), linkTo(person.tenant.id, 11, 9000908));
  await person.inScope((scope) => audit(scope, 'study.view', { entity: 'study' }));
  const errors: string[] = [];

  const stop = startAuditChain({ scopes, dataDir: world.dataDir, onError: (error) => errors.push(String(error)) });
  await stop();

  const words = `The audit chain of tenant ${person.tenant.id} cannot continue`;
  expect(errors.filter((error) => error.includes(words))).toHaveLength(1);
});

test('a clock set back during or between transactions is not reported as forgery', async () => {
  const person = await withChain();
  const { id } = person.tenant;
  await sql`insert into audit_entries (tenant_id, created_at, username, action, entity, outcome)
            values (${id}, now() + interval '5 minutes', 'x', 'study.view', 'study', 'SUCCESS')`.execute(world.owner);
  await sealAudit(scopes, () => {});
  await sql`insert into audit_entries (tenant_id, created_at, username, action, entity, outcome)
            values (${id}, now() - interval '5 minutes', 'x', 'study.view', 'study', 'SUCCESS')`.execute(world.owner);
  await sealAudit(scopes, () => {});

  expect(await verify(person)).toMatchObject({ isIntact: true, checked: 12 });
});

test('a check finds no fault even while entries are written and two servers seal them', async () => {
  const person = await withChain();
  let [written, verified] = [0, 0];
  let isChecking = true;
  const writeAndSeal = async () => {
    while (isChecking) {
      await person.inScope((scope) => audit(scope, 'study.view', { entity: 'study', entityId: String(written) }));
      written += 1;
      await sealAudit(scopes, () => {});
    }
  };
  const check = async () => {
    try {
      for (; written < 50 || verified < 3; verified += 1) expect(await faultsOf(person)).toEqual([]);
    } finally {
      isChecking = false;
    }
  };
  await Promise.all([check(), writeAndSeal(), writeAndSeal()]);

  await sealAudit(scopes, () => {});
  expect(await verify(person)).toMatchObject({ isIntact: true, checked: 10 + written + verified });
});
