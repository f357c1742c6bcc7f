import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { audit as endpoints, type VerifyEvent, verifyEvent } from '@radwork/contract/identity/audit';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { anchorAudit, anchorsFile, currentAnchors, sealAudit, startAuditChain } from '#core/audit/audit-chain.ts';
import { audit } from '#core/audit/audit.ts';
import { tamper } from '#test/tamper-with-audit.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { scopes } = world.context;

const write = (person: Person, count: number) =>
  person.inScope(async (scope) => {
    for (let one = 0; one < count; one += 1) {
      await audit(scope, 'study.view', { entity: 'study', entityId: `s${one}`, detail: { b: 'x', a: one } });
    }
  });

/** Signs in an administrator of a tenant whose audit chain has ten entries. */
const withChain = async () => {
  const person = await world.signIn('ADMIN');
  await write(person, 10);
  await sealAudit(scopes);
  return person;
};

const verify = async (person: Person) => {
  const { code, data } = await person.send(endpoints.verify);
  expect(code).toBe(200);
  return data;
};
const faultsOf = async (person: Person) =>
  (await verify(person)).faults.map(({ kind, position }) => (position === null ? kind : `${kind} ${position}`));

const entryAt = ({ tenant }: Person, position: number) =>
  sql`(select entry_id from audit_chain where tenant_id = ${tenant.id} and position = ${position})`;
const entries = (person: Person, position: number) =>
  sql`tenant_id = ${person.tenant.id} and id = ${entryAt(person, position)}`;
const idAt = async (person: Person, position: number): Promise<number> => {
  const { rows } = await sql<{ entry_id: number }>`select ${entryAt(person, position)} as entry_id`.execute(
    world.owner,
  );
  return rows[0]?.entry_id ?? 0;
};

test('the check reports an unchanged audit log as intact, and is itself audited', async () => {
  const person = await withChain();

  const verdict = await verify(person);
  await sealAudit(scopes);
  const again = await verify(person);

  expect(verdict).toMatchObject({ isIntact: true, checked: 10, faultCount: 0, faults: [] });
  expect(verdict.words).toBe('The audit log is intact. Entries verified: 10.');
  expect(again).toMatchObject({ isIntact: true, checked: 11 });
});

test('checks a chain of several batches to its end and finds a change after the first batch', async () => {
  const person = await world.signIn('ADMIN');
  await person.inScope(({ db }) =>
    sql`insert into audit_entries (username, action, entity, outcome)
        select 'somebody', 'study.view', 'study', 'SUCCESS' from generate_series(1, 20500)`.execute(db),
  );
  await sealAudit(scopes);

  const verdict = await verify(person);
  await tamper(world, sql`update audit_entries set username = 'somebody.else' where ${entries(person, 15_000)}`);

  expect(verdict).toMatchObject({ isIntact: true, checked: 20_500 });
  expect(await faultsOf(person)).toEqual(['CHANGED 15000']);
});

test('finds a change in any column of an entry, with the position of the entry', async () => {
  const columns = [
    sql`username = 'somebody.else'`,
    sql`user_id = null`,
    sql`user_type = 'PATIENT'`,
    sql`action = 'study.list'`,
    sql`entity = 'series'`,
    sql`entity_id = 'other'`,
    sql`study_id = gen_random_uuid()`,
    sql`patient_id = gen_random_uuid()`,
    sql`outcome = 'FAILURE'`,
    sql`address = '10.0.0.1'`,
    sql`detail = '{"a": 4, "b": "x", "c": 1}'`,
    sql`created_at = created_at - interval '1 microsecond'`,
  ];
  for (const column of columns) {
    const person = await withChain();
    await tamper(world, sql`update audit_entries set ${column} where ${entries(person, 4)}`);

    expect(await faultsOf(person)).toEqual(['CHANGED 4']);
  }
});

test('finds a removed entry, two swapped entries and a removed link, with their positions', async () => {
  const [removed, swapped, moved, unlinked] = await Promise.all([withChain(), withChain(), withChain(), withChain()]);
  const link = ({ tenant }: Person, position: number, entryId: ReturnType<typeof sql>) =>
    sql`update audit_chain set entry_id = ${entryId} where tenant_id = ${tenant.id} and position = ${position}`;
  const [third, fifth] = await Promise.all([3, 5].map((position) => idAt(moved, position)));

  await tamper(
    world,
    sql`delete from audit_entries where ${entries(removed, 6)}`,
    // Exchanges the contents of two entries.
    sql`update audit_entries e set entity_id = o.entity_id, detail = o.detail from audit_entries o
        where e.tenant_id = ${swapped.tenant.id} and o.tenant_id = e.tenant_id
          and (e.id = ${entryAt(swapped, 3)} and o.id = ${entryAt(swapped, 5)}
            or e.id = ${entryAt(swapped, 5)} and o.id = ${entryAt(swapped, 3)})`,
    // Exchanges two links of the chain.
    link(moved, 3, sql`-1`),
    link(moved, 5, sql`${third}`),
    link(moved, 3, sql`${fifth}`),
    sql`delete from audit_chain where tenant_id = ${unlinked.tenant.id} and position = 7`,
  );

  expect(await faultsOf(removed)).toEqual(['REMOVED 6']);
  expect(await faultsOf(swapped)).toEqual(['CHANGED 3', 'CHANGED 5']);
  expect(await faultsOf(moved)).toEqual(['CHANGED 3', 'CHANGED 5']);
  expect(await faultsOf(unlinked)).toEqual(['MISSING 8', 'OUTSIDE']);
});

test('finds an entry with a forged time, inside or outside the chain', async () => {
  const [sealed, slipped] = await Promise.all([withChain(), withChain()]);
  const forge = ({ tenant }: Person) =>
    sql`insert into audit_entries (tenant_id, created_at, username, action, entity, outcome)
        values (${tenant.id}, now() - interval '3 days', 'forged', 'study.view', 'study', 'SUCCESS')`;

  await forge(sealed).execute(world.owner);
  await sealAudit(scopes);
  await tamper(world, forge(slipped));

  expect(await faultsOf(sealed)).toEqual(['TIME 11']);
  expect(await faultsOf(slipped)).toEqual(['OUTSIDE']);
});

test('finds a shortened chain, and external anchors reveal it even if its head was changed to match', async () => {
  const [cut, rewound] = await Promise.all([withChain(), withChain()]);
  await anchorAudit(scopes, world.dataDir);
  const cutting = ({ tenant }: Person) => [
    sql`delete from audit_entries where tenant_id = ${tenant.id}
        and id in (select entry_id from audit_chain where tenant_id = ${tenant.id} and position > 8)`,
    sql`delete from audit_chain where tenant_id = ${tenant.id} and position > 8`,
  ];
  await tamper(
    world,
    ...cutting(cut),
    ...cutting(rewound),
    sql`update audit_heads h set position = 8, hash = c.hash from audit_chain c
        where h.tenant_id = ${rewound.tenant.id} and c.tenant_id = h.tenant_id and c.position = 8`,
  );

  expect(await faultsOf(cut)).toEqual(['CUT 9', 'ANCHOR 10']);
  expect(await faultsOf(rewound)).toEqual(['ANCHOR 10']);
});

test('external anchors reveal a chain that was rewritten from the start, even if a line of the file is truncated', async () => {
  const person = await withChain();
  await anchorAudit(scopes, world.dataDir);
  await appendFile(anchorsFile(world.dataDir), '{"tenantId": ');
  const { id } = person.tenant;
  await tamper(
    world,
    sql`update audit_entries set username = 'somebody.else' where ${entries(person, 2)}`,
    sql`insert into audit_unsealed select tenant_id, entry_id, written_at from audit_chain where tenant_id = ${id}`,
    sql`delete from audit_chain where tenant_id = ${id}`,
    sql`delete from audit_heads where tenant_id = ${id}`,
    sql`select seal_audit_of(${id}, 100)`,
  );

  const verdict = await verify(person);

  expect(verdict.faults).toMatchObject([{ kind: 'ANCHOR', position: 10 }]);
  expect(verdict.words).toContain('at position 10. The chain does not match the head stored outside');
});

test('compares all external anchors of the tenant, and none of another tenant', async () => {
  const [person, other] = [await withChain(), await withChain()];
  const heads = await currentAnchors(scopes);
  const headOf = ({ tenant }: Person) => heads.find(({ tenantId }) => tenantId === tenant.id);
  const [own, foreignHead] = [headOf(person), { ...headOf(other), hash: 'f'.repeat(64) }];
  const forged = (position: number) => ({ ...own, position, hash: 'f'.repeat(64) });
  // Anchors as a server has written them after weeks.
  const anchors = [forged(3), ...Array.from({ length: 600 }, () => own), foreignHead, forged(7)];
  await appendFile(anchorsFile(world.dataDir), anchors.map((anchor) => `\n${JSON.stringify(anchor)}`).join(''));

  const verdict = await verify(person);

  expect(verdict.faults.map(({ kind, position }) => `${kind} ${position}`)).toEqual(['ANCHOR 3', 'ANCHOR 7']);
  expect(verdict.anchors).toBe(602);
});

test('reports an entry that was unsealed for more than a minute, but no newer unsealed entry', async () => {
  const person = await withChain();
  await write(person, 1);
  expect(await faultsOf(person)).toEqual([]);
  await sql`update audit_unsealed set written_at = written_at - interval '61 seconds'
            where tenant_id = ${person.tenant.id}`.execute(world.owner);

  expect(await faultsOf(person)).toContain('UNSEALED');
});

test('an entry that is committed late is added later to the chain and is not reported', async () => {
  const person = await world.signIn('ADMIN');
  const [started, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const late = person.inScope(async (scope) => {
    await audit(scope, 'study.delete', { entity: 'study' });
    started.resolve();
    await mayEnd.promise;
  });
  await started.promise;
  await write(person, 2);
  await sealAudit(scopes);
  mayEnd.resolve();
  await late;
  await sealAudit(scopes);

  const links = await person.inScope(({ db }) =>
    db
      .selectFrom('audit_chain as c')
      .innerJoin('audit_entries as e', 'e.id', 'c.entry_id')
      .select(['e.action', 'c.position'])
      .orderBy('c.position')
      .execute(),
  );
  expect(links.map(({ action }) => action)).toEqual(['study.view', 'study.view', 'study.delete']);
  expect((await verify(person)).isIntact).toBe(true);
});

test('several servers that seal at the same moment produce one chain', async () => {
  const person = await world.signIn('ADMIN');
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      await write(person, 5);
      await sealAudit(scopes);
    }),
  );
  await sealAudit(scopes);

  expect(await verify(person)).toMatchObject({ isIntact: true, checked: 40 });
});

test('refuses to change, delete or truncate audit rows, even for the database owner', async () => {
  const person = await withChain();
  for (const table of ['audit_entries', 'audit_chain', 'audit_heads']) {
    for (const words of [`update ${table} set tenant_id = tenant_id`, `delete from ${table}`, `truncate ${table}`]) {
      await expect(sql.raw(words).execute(world.owner)).rejects.toThrow(`The audit is only added to (${table})`);
    }
  }
  await expect(
    person.inScope(({ db }) => sql`insert into audit_chain values (1, 1, 1, now(), '')`.execute(db)),
  ).rejects.toThrow('permission denied');
  await expect(
    person.inScope(({ db }) =>
      sql`insert into audit_entries (created_at, username, action, entity, outcome)
          values (now() - interval '1 day', 'x', 'y', 'z', 'SUCCESS')`.execute(db),
    ),
  ).rejects.toThrow('permission denied');
});

test('the hashed text of an entry does not depend on session settings', async () => {
  const person = await withChain();
  const canon = async (setting: string) =>
    world.owner.transaction().execute(async (db) => {
      await sql.raw(setting).execute(db);
      const { rows } = await sql<{ text: string }>`
        select string_agg(encode(audit_canon(e, 1, e.created_at), 'hex'), ',' order by id) as text
        from audit_entries e where tenant_id = ${person.tenant.id}`.execute(db);
      return rows[0]?.text;
    });

  const usual = await canon('select 1');

  for (const setting of [
    `set local time zone 'Pacific/Kiritimati'`,
    `set local datestyle = 'German, DMY'`,
    `set local intervalstyle = 'iso_8601'`,
    `set local extra_float_digits = -5`,
    `set local bytea_output = 'escape'`,
  ]) {
    expect(await canon(setting)).toBe(usual);
  }
});

test('the check streams its progress and its result as events', async () => {
  const person = await withChain();

  const { payload } = await person.request({ method: 'POST', url: '/api/audit/verify?stream=1' });

  const events: VerifyEvent[] = payload
    .split('\n\n')
    .filter(Boolean)
    .map((event) => verifyEvent.parse(JSON.parse(event.slice('data: '.length))));
  expect(events).toMatchObject([
    { kind: 'progress', stage: 'CHAIN', checked: 10, of: 10 },
    { kind: 'progress', stage: 'ENTRIES', checked: 10, of: 10 },
    { kind: 'done', verdict: { isIntact: true } },
  ]);
});

test('only users who may read the audit log can check it, and only in their own tenant', async () => {
  const [ours, other] = await Promise.all([withChain(), withChain()]);
  await tamper(world, sql`update audit_entries set username = 'x' where ${entries(other, 1)}`);

  expect(await faultsOf(ours)).toEqual([]);
  const reader = await world.signIn('RADIOLOGIST', ours.tenant);
  expect((await reader.send(endpoints.verify)).status).toBe(403);
});

test('a stopping server seals the waiting entries and saves the heads of the chains outside the database', async () => {
  const person = await world.signIn('ADMIN');
  const dataDir = `${world.dataDir}/stopping`;
  const stop = startAuditChain({ scopes, dataDir, onError: (error) => expect.unreachable(String(error)) });
  await write(person, 3);
  await stop();

  const lines = (await readFile(anchorsFile(dataDir), 'utf8')).trim().split('\n');
  const own = lines.map((line) => JSON.parse(line)).filter(({ tenantId }) => tenantId === person.tenant.id);
  expect(own.at(-1)).toMatchObject({ position: 3, hash: expect.stringMatching(/^[\da-f]{64}$/) });
  await rm(dataDir, { recursive: true });
});

test('an anchor written after a truncated line begins on a new line', async () => {
  await withChain();
  const dataDir = `${world.dataDir}/cut-short`;
  await mkdir(dataDir);
  await appendFile(anchorsFile(dataDir), '{"tenantId": ');
  await anchorAudit(scopes, dataDir);

  const [cut, ...lines] = (await readFile(anchorsFile(dataDir), 'utf8')).trim().split('\n');
  expect(cut).toBe('{"tenantId": ');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    (await currentAnchors(scopes)).map(({ tenantId, position, hash }) => ({ tenantId, position, hash })),
  );
  await rm(dataDir, { recursive: true });
});

const command = async (...args: string[]) => {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../../commands/verify-audit.ts'), ...args], {
    env: { DATA_DIR: world.dataDir, DATABASE_URL: world.url.replace('@/', '@localhost/') },
  });
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { out, code };
};

test('the command prints faults with their position, and the heads of the chains', async () => {
  const [intact, broken] = await Promise.all([withChain(), withChain()]);
  await tamper(world, sql`update audit_entries set outcome = 'FAILURE' where ${entries(broken, 9)}`);

  const good = await command('--tenant', intact.tenant.subdomain);
  const bad = await command('--tenant', broken.tenant.subdomain);

  expect(good).toMatchObject({ code: 0 });
  expect(good.out).toContain(`tenant ${intact.tenant.subdomain}: The audit log is intact. Entries verified: 10.`);
  expect(good.out).toContain(`"tenantId":${intact.tenant.id},"position":10`);
  expect(bad).toMatchObject({ code: 1 });
  expect(bad.out).toContain(`tenant ${broken.tenant.subdomain}, position 9, entry`);
});
