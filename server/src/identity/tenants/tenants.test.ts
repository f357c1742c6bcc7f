import { passwordLinks } from '@radwork/contract/identity/accounts';
import { defaultPermissions, type UserType, userTypes } from '@radwork/contract/core/access';
import { sessions } from '@radwork/contract/identity/sessions';
import { studies } from '@radwork/contract/imaging/studies';
import { tenantExport, tenants } from '@radwork/contract/identity/tenants';
import { reservedSubdomains } from '@radwork/contract/identity/subdomains';
import type { Failure } from '@radwork/contract/core/failure';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { enqueueJob } from '#core/jobs/jobs.ts';
import { startMailing } from '#core/notifications/mail.ts';
import { newId } from '#core/values/ids.ts';
import { hashPassword } from '#core/access/passwords.ts';
import { orNotFound } from '#core/http/problem.ts';
import { hashOfToken } from '#core/access/sessions.ts';
import { createUser } from '#identity/user-records/create-user.ts';
import { eventually } from '#test/eventually.ts';
import { fillTenant } from '#test/full-tenant.ts';
import { startMailServer } from '#test/mail-server.ts';
import { waitsForLock } from '#test/waits-for-lock.ts';
import { createWorld, type Person, type Tenant } from '#test/world.ts';
import { createTenant } from './service.ts';

const world = await createWorld();
const root = await world.signIn('SUPER_ADMIN');
const password = 'correct horse battery';

const formOf = (subdomain: string) => ({
  name: `Clinic ${subdomain}`,
  subdomain,
  timeZone: 'Europe/Berlin',
  locale: 'de-DE',
  storageQuotaBytes: 1_000_000_000,
});
const administrator = { username: 'first.admin', name: 'Nora First', email: 'nora@example.org' };
const fresh = () => `clinic-${newId().slice(-12)}`;

const create = async (changes: object = {}, person: Person = root) => {
  const subdomain = fresh();
  return person.send(tenants.create, { body: { ...formOf(subdomain), administrator, ...changes } });
};

const idOf = async ({ id }: Tenant): Promise<string> => {
  const row = await world.owner.selectFrom('tenants').select('public_id').where('id', '=', id).executeTakeFirst();
  return orNotFound(row, 'organization').public_id;
};

const suspend = async (tenant: Tenant, person: Person = root) =>
  person.send(tenants.setStatus, { params: { id: await idOf(tenant) }, body: { active: false, reason: 'Left us' } });
const resume = async (tenant: Tenant, person: Person = root) =>
  person.send(tenants.setStatus, { params: { id: await idOf(tenant) }, body: { active: true, reason: '' } });

const auditIn = (tenant: { id: number }) =>
  world.inTenant({ ...tenant, subdomain: '' }, ({ db }) =>
    db.selectFrom('audit_entries').select(['action', 'username', 'detail']).orderBy('id').execute(),
  );

const faultsOf = ({ errors = [] }: Partial<Failure>) =>
  Object.fromEntries(errors.map(({ field, message }) => [field, message]));

const numberOf = async (subdomain: string): Promise<number> =>
  (await world.owner.selectFrom('tenants').select('id').where('subdomain', '=', subdomain).executeTakeFirstOrThrow())
    .id;

test('a new organization has roles, and an administrator who is invited by a link', async () => {
  const { status, data } = await create();

  expect(status).toBe(201);
  expect(data.tenant).toMatchObject({
    isActive: true,
    isUsed: false,
    isHome: false,
    activeUsers: 1,
    superAdministrators: 0,
    storageQuotaBytes: 1_000_000_000,
    timeZone: 'Europe/Berlin',
    locale: 'de-DE',
  });
  const id = await numberOf(data.tenant.subdomain);
  const [, token = ''] = (data.invitation.link ?? '').split('#');
  const inside = await world.inTenant({ id, subdomain: '' }, async ({ db }) => ({
    roles: await db.selectFrom('roles').select(['built_in_for', 'permissions']).execute(),
    users: await db.selectFrom('users').select(['username', 'user_type', 'password_hash']).execute(),
    policy: await db.selectFrom('tenants').select('second_factor_policy').execute(),
    links: await db.selectFrom('password_links').select(['token_hash', 'purpose']).execute(),
  }));
  expect(Object.fromEntries(inside.roles.map((role) => [role.built_in_for, role.permissions]))).toEqual(
    Object.fromEntries(userTypes.map((type) => [type, defaultPermissions[type]])),
  );
  expect(inside.policy).toEqual([{ second_factor_policy: 'ADMINISTRATORS' }]);
  expect(inside.users).toEqual([{ username: 'first.admin', user_type: 'ADMIN', password_hash: null }]);
  expect(inside.links).toEqual([{ token_hash: hashOfToken(token), purpose: 'INVITE' }]);
});

test.each([
  ['created by a super administrator', async () => numberOf((await create()).data.tenant.subdomain), true],
  ['created by the server', () => createTenant(world.owner, formOf(fresh())), true],
  [
    'created by the server without codes',
    () => createTenant(world.owner, { ...formOf(fresh()), isLinkCodeRequired: false }),
    false,
  ],
])(
  'an organization requires codes for share links unless it was created without them: %s',
  async (_, make, isRequired) => {
    const id = await make();

    const row = world.owner.selectFrom('tenants').select('is_link_code_required').where('id', '=', id);
    expect(await row.executeTakeFirst()).toEqual({ is_link_code_required: isRequired });
  },
);

test('the first administrator gets the link by e-mail, and no other user sees it', async () => {
  const mailServer = await startMailServer();
  onTestFinished(mailServer.close);
  const mailing = await createWorld({
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    MAIL_FROM: 'Radwork <radwork@example.org>',
    PUBLIC_URL: 'https://radwork.example.org',
  });
  onTestFinished(startMailing(mailing.context, mailing.url, { onError: () => {} }));
  const operator = await mailing.signIn('SUPER_ADMIN');
  const form = formOf(fresh());

  const { data } = await operator.send(tenants.create, { body: { ...form, administrator } });

  expect(data.invitation).toEqual({ username: 'first.admin', sentTo: 'nora@example.org', link: null });
  const [letter] = await eventually(() => {
    expect(mailServer.received).toHaveLength(1);
    return mailServer.received;
  });
  expect(letter).toMatchObject({ to: ['nora@example.org'], text: expect.stringContaining(form.name) });
  const [, token = ''] = /https:\/\/radwork\.example\.org\/set-password#([\w-]{43})/.exec(letter?.text ?? '') ?? [];
  const about = await mailing.send(passwordLinks.check, { body: { token } });
  expect(about.data).toEqual({ username: 'first.admin', organization: form.name, purpose: 'INVITE' });
});

test('audits the creation of an organization in the new organization and in that of the creator', async () => {
  const own = await world.signIn('SUPER_ADMIN');
  const { data } = await create({}, own);

  const createdAudit = await auditIn({ id: await numberOf(data.tenant.subdomain) });
  const home = await auditIn(own.tenant);

  expect(createdAudit.map(({ action, username }) => [action, username])).toContainEqual([
    'tenant.create',
    own.username,
  ]);
  expect(home.map(({ action, username }) => [action, username])).toContainEqual(['tenant.create', own.username]);
});

test.each([
  ['name', { name: ' ' }, 'Name is required'],
  ['subdomain', { subdomain: '' }, 'Subdomain is required'],
  ['subdomain', { subdomain: 'a' }, 'Use 2 to 63 characters'],
  ['subdomain', { subdomain: 'x'.repeat(64) }, 'Use 2 to 63 characters'],
  ['subdomain', { subdomain: 'north_clinic' }, 'Use the letters a to z, digits and hyphens only'],
  ['subdomain', { subdomain: 'north.clinic' }, 'Use the letters a to z, digits and hyphens only'],
  ['subdomain', { subdomain: '-north' }, 'Begin and end with a letter or digit'],
  ['timeZone', { timeZone: 'Europe/Nowhere' }, 'Choose an IANA time zone, such as America/New_York'],
  ['timeZone', { timeZone: '+02:00' }, 'Choose an IANA time zone, such as America/New_York'],
  ['locale', { locale: 'xx' }, 'Choose a language from the list'],
  ['storageQuotaBytes', { storageQuotaBytes: -1 }, 'Use 0 or more'],
  [
    'administrator.username',
    { administrator: { ...administrator, username: 'a b' } },
    'Use letters, digits and . _ - + @ only',
  ],
  ['administrator.email', { administrator: { ...administrator, email: 'nora' } }, 'Please enter a valid email address'],
])('refuses an invalid %s at its field (%j)', async (field, wrong, message) => {
  const answer = await create(wrong);

  expect(answer.status).toBe(422);
  expect(faultsOf(answer)).toMatchObject({ [field]: message });
});

test('refuses reserved subdomains', async () => {
  const answers = await Promise.all(['www', 'API', 'admin'].map((subdomain) => create({ subdomain })));

  expect(answers.map(faultsOf)).toEqual(Array.from({ length: 3 }, () => ({ subdomain: 'This subdomain is reserved' })));
  expect(reservedSubdomains).toContain('login');
});

test('only one of two simultaneous calls for a subdomain gets it, and the other leaves no data', async () => {
  const subdomain = fresh();

  const answers = await Promise.all([create({ subdomain }), create({ subdomain })]);

  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 422]);
  const late = answers.find(({ status }) => status === 422);
  expect(faultsOf(orNotFound(late, 'message'))).toEqual({ subdomain: 'This subdomain is taken' });
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from roles where tenant_id not in (select id from tenants)`.execute(world.owner);
  expect(rows[0]?.count).toBe(0);
});

test('finds organizations by name, subdomain and state, page by page', async () => {
  const mark = fresh();
  const [one, other] = [await create({ name: `${mark} B` }), await create({ name: `${mark} A` })];
  await root.send(tenants.setStatus, { params: { id: one.data.tenant.id }, body: { active: false, reason: 'x' } });
  const ask = async (query: Record<string, string | number>) =>
    (await root.send(tenants.list, { query: { query: mark, ...query } })).data;

  const all = await ask({});

  expect(all.content.map(({ name }) => name)).toEqual([`${mark} A`, `${mark} B`]);
  expect(await ask({ size: 1, page: 1 })).toMatchObject({ totalElements: 2, content: [{ name: `${mark} B` }] });
  expect((await ask({ status: 'SUSPENDED' })).content.map(({ id }) => id)).toEqual([one.data.tenant.id]);
  expect((await ask({ status: 'ACTIVE' })).content.map(({ id }) => id)).toEqual([other.data.tenant.id]);
  expect((await ask({ query: '%' })).totalElements).toBe(0);
});

test('refuses the second of two simultaneous changes of an organization by super administrators', async () => {
  const { data } = await create();
  const { id, subdomain, revision } = data.tenant;
  const body = { ...formOf(subdomain), revision };

  const answers = await Promise.all(
    ['One', 'Other'].map((name) => root.send(tenants.update, { params: { id }, body: { ...body, name } })),
  );

  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  const won = answers.find(({ status }) => status === 200);
  expect((await root.send(tenants.get, { params: { id } })).data).toEqual(won?.data);
});

test('a subdomain cannot be changed after the first sign-in with it', async () => {
  const { data } = await create();
  const { id, subdomain, revision } = data.tenant;
  const renamed = fresh();
  const early = await root.send(tenants.update, { params: { id }, body: { ...formOf(renamed), revision } });
  await world.owner
    .updateTable('users')
    .set({ last_login_at: sql`now()` })
    .where('tenant_id', '=', await numberOf(renamed))
    .execute();

  const late = await root.send(tenants.update, {
    params: { id },
    body: { ...formOf(subdomain), revision: early.data.revision },
  });

  expect(early.data.subdomain).toBe(renamed);
  expect(late.status).toBe(422);
  expect(faultsOf(late)).toEqual({
    subdomain: 'The subdomain cannot be changed, because users and devices use it',
  });
  // The database too refuses to change the subdomain after the first sign-in.
  const direct = await root.inScope(({ db, session }) =>
    sql<{ changed: number | null }>`
      select change_tenant(${session.id}, ${id}, ${early.data.revision}, 'x', ${fresh()}, 'UTC', 'en-GB', null)
        as changed`.execute(db),
  );
  expect(direct.rows).toEqual([{ changed: null }]);
});

test('a suspended organization refuses passwords, sessions, links and visits, and keeps its data', async () => {
  const full = await fillTenant(world, 'SUSPENDED-1');
  const { tenant } = full;
  const person = orNotFound(full.people.get('RADIOLOGIST'), 'user');
  await world.inTenant(tenant, async (scope) =>
    createUser(scope, {
      username: 'rosa.out',
      name: 'Rosa',
      email: 'r@example.org',
      userType: 'ADMIN',
      passwordHash: await hashPassword(password),
    }),
  );
  const signIn = () =>
    world.send(sessions.login, {
      body: { username: 'rosa.out', password },
      headers: { 'x-tenantid': tenant.subdomain },
    });
  const openLink = () => world.request({ method: 'GET', url: `/api/portal/report/${full.linkHash}` });
  const visit = () => root.send(studies.list, { headers: { 'x-tenantid': tenant.subdomain } });
  const before = await Promise.all([signIn(), openLink(), visit()]);
  expect(before.map((answer) => ('statusCode' in answer ? answer.statusCode : answer.status))).toEqual([200, 200, 200]);

  const { data } = await suspend(tenant);

  expect(data).toMatchObject({ isActive: false, suspendedReason: 'Left us' });
  expect((await person.send(studies.list)).status).toBe(401);
  const wrongName = await world.send(sessions.login, {
    body: { username: 'nobody', password },
    headers: { 'x-tenantid': tenant.subdomain },
  });
  expect({ ...(await signIn()), traceId: '' }).toEqual({ ...wrongName, traceId: '' });
  expect((await openLink()).statusCode).toBe(404);
  expect(await visit()).toMatchObject({ status: 403, error: 'tenant.closed' });

  await resume(tenant);

  expect((await signIn()).status).toBe(200);
  expect((await openLink()).statusCode).toBe(200);
  const { data: studyPage } = await root.send(studies.list, { headers: { 'x-tenantid': tenant.subdomain } });
  expect(studyPage.content.map(({ id }) => id)).toEqual([full.studyId]);
  // Resuming the tenant does not bring back an ended session.
  expect((await person.send(studies.list)).status).toBe(401);
  expect((await auditIn(tenant)).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['tenant.suspend', 'tenant.resume']),
  );
});

test('jobs of a suspended organization stop and wait, and continue after it is resumed', async () => {
  const tenant = await world.newTenant();
  const id = newId();
  await world.inTenant(tenant, (scope) => enqueueJob(scope, 'suspending', id));
  const { db } = { db: world.owner };
  const claim = async () => {
    const { rows } = await sql<{ id: string }>`
      select id from claim_job('suspending', 4711, interval '30 seconds', 5)`.execute(db);
    return rows.map((row) => row.id);
  };
  expect(await claim()).toEqual([id]);

  await suspend(tenant);

  const job = await db.selectFrom('jobs').select(['worker']).where('id', '=', id).executeTakeFirst();
  expect(job).toEqual({ worker: null });
  expect(await claim()).toEqual([]);
  await resume(tenant);
  expect(await claim()).toEqual([id]);
});

test("audits changes, suspension and resumption of an organization in its own audit log and in that of the caller's organization", async () => {
  const boss = await world.signIn('SUPER_ADMIN');
  const { data } = await create();
  const { id, subdomain, revision } = data.tenant;
  const tenant = { id: await numberOf(subdomain), subdomain };

  await boss.send(tenants.update, { params: { id }, body: { ...formOf(subdomain), name: 'Renamed', revision } });
  await suspend(tenant, boss);
  await resume(tenant, boss);

  const tenantActions = ({ action, username }: { action: string; username: string }) =>
    username === boss.username && /^tenant\.(update|suspend|resume)$/.test(action) ? [action] : [];
  const done = ['tenant.update', 'tenant.suspend', 'tenant.resume'];
  expect((await auditIn(tenant)).flatMap(tenantActions)).toEqual(done);
  expect((await auditIn(boss.tenant)).flatMap(tenantActions)).toEqual(done);
});

test('a super administrator cannot suspend their own organization', async () => {
  const own = await world.signIn('SUPER_ADMIN');

  expect(await suspend(own.tenant, own)).toMatchObject({ status: 409, error: 'tenant.is_home' });

  const { rows } = await sql<{ suspended_at: string | null }>`
    select suspended_at from tenants where id = ${own.tenant.id}`.execute(world.owner);
  expect(rows).toEqual([{ suspended_at: null }]);
  // The database refuses this suspension too, not only the API.
  const direct = own.inScope(async ({ db, session }) =>
    sql`select set_tenant_status(${session.id}, ${await idOf(own.tenant)}, false, 'x')`.execute(db),
  );
  await expect(direct).rejects.toThrow('nobody suspends the tenant that they are a user of');
});

test('a session that begins during a suspension can call nothing', async () => {
  const person = await world.signIn('RADIOLOGIST');
  await suspend(person.tenant);

  const token = await world.inTenant(person.tenant, ({ db }) =>
    world.context.sessions.begin(db, person.userId, { address: '127.0.0.1', userAgent: 'test' }),
  );

  const headers = { authorization: `Bearer ${token}` };
  expect((await world.send(studies.list, { headers })).status).toBe(401);
  await resume(person.tenant);
  expect((await world.send(studies.list, { headers })).status).toBe(200);
});

test("when super administrators suspend each other's organizations simultaneously, one organization remains active", async () => {
  const [one, other] = [await world.signIn('SUPER_ADMIN'), await world.signIn('SUPER_ADMIN')];

  const answers = await Promise.all([suspend(other.tenant, one), suspend(one.tenant, other)]);

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from tenants where suspended_at is null
      and id in (${one.tenant.id}, ${other.tenant.id})`.execute(world.owner);
  expect(rows[0]?.count).toBe(1);
});

test("while one super administrator suspends the organization of another, the other cannot suspend the first's", async () => {
  const [one, other] = [await world.signIn('SUPER_ADMIN'), await world.signIn('SUPER_ADMIN')];
  const home = await idOf(other.tenant);
  let late: ReturnType<typeof suspend> | undefined;

  await one.inScope(async ({ db, session }) => {
    await sql`select set_tenant_status(${session.id}, ${home}, false, 'x')`.execute(db);
    late = suspend(one.tenant, other);
    await waitsForLock(world);
  });

  expect(await late).toMatchObject({ status: 403, message: expect.stringContaining('Your permissions changed') });
  expect((await one.send(tenants.list)).status).toBe(200);
});

/** Gives a user the built-in role of another user type. */
const giveRoleOf = (userType: UserType, { tenant, userId }: Person) =>
  world.owner
    .updateTable('user_roles')
    .set({ role_id: sql`(select id from roles where tenant_id = ${tenant.id} and built_in_for = ${userType})` })
    .where('user_id', '=', userId)
    .execute();

test('the database refuses callers who are not super administrators, even if a service does not check', async () => {
  const { owner } = world;
  const newRoot = () => world.signIn('SUPER_ADMIN');
  const [admin, gone, late, inactive, closed] = [
    await world.signIn('ADMIN'),
    ...(await Promise.all([newRoot(), newRoot(), newRoot(), newRoot()])),
  ];
  const managing = await world.signIn('ADMIN');
  const powerless = await newRoot();
  await gone.send(sessions.logout);
  await owner
    .updateTable('sessions')
    .set({ expires_at: sql`now()` })
    .where('id', '=', late.session.id)
    .execute();
  await owner.updateTable('users').set({ is_active: false }).where('id', '=', inactive.userId).execute();
  await owner
    .updateTable('tenants')
    .set({ suspended_at: sql`now()` })
    .where('id', '=', closed.tenant.id)
    .execute();
  await giveRoleOf('SUPER_ADMIN', managing);
  await giveRoleOf('ADMIN', powerless);

  for (const { session } of [admin, gone, late, inactive, closed, managing, powerless]) {
    for (const act of [
      sql`select * from tenants_of_installation(${session.id})`,
      sql`select set_tenant_status(${session.id}, ${newId()}, false, 'x')`,
      sql`select change_tenant(${session.id}, ${newId()}, 1, 'x', 'xx', 'UTC', 'en-GB', null)`,
      sql`select found_tenant(${session.id}, 'x', 'xx-x', 'UTC', 'en-GB', null)`,
    ]) {
      const done = world.inTenant(admin.tenant, ({ db }) => act.execute(db));
      await expect(done).rejects.toThrow('only a super administrator acts across tenants');
    }
  }
});

test('an export of an organization contains all its rows, no other rows and no credentials', async () => {
  const [full, other] = [await fillTenant(world, 'EXPORT-1'), await fillTenant(world, 'OTHER-1')];
  const secrets = { ai_key: 'SEALED-AI-KEY' };
  await world.owner.updateTable('tenants').set(secrets).where('id', '=', full.tenant.id).execute();
  await world.owner
    .updateTable('remote_configurations')
    .set({ password: 'SEALED-PASSWORD', api_key: 'SEALED-KEY', api_secret: 'SEALED-SECRET', token: 'SEALED-TOKEN' })
    .where('tenant_id', '=', full.tenant.id)
    .execute();

  const answer = await root.request({
    method: 'GET',
    url: tenantExport.path.replace(':id', full.organizationId),
  });

  expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
  const lines = answer.payload
    .trim()
    .split('\n')
    .map((line): { table?: string; row?: Record<string, unknown>; end?: true; rows: Record<string, number> } =>
      JSON.parse(line),
    );
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`.execute(world.owner);
  const leftOut = [
    'sessions',
    'password_links',
    'signing_proofs',
    'recovery_codes',
    'mails',
    'sso_attempts',
    'sso_arrivals',
    'jobs',
    'blob_removals',
    'unused_bytes',
    'series_metadata',
  ];
  for (const { name } of tables.filter((table) => !leftOut.includes(table.name))) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(name)} where tenant_id = ${full.tenant.id}`.execute(world.owner);
    expect({ name, count: lines.filter(({ table }) => table === name).length }).toEqual({ name, ...rows[0] });
  }
  expect(lines.at(-1)).toMatchObject({ end: true, rows: { studies: 1, tenants: 1 } });
  expect(answer.payload).not.toContain('OTHER-');
  expect(answer.payload).not.toContain(other.studyId);
  expect(answer.payload).not.toMatch(/SEALED|no password opens this account|argon2/);
  const columns = new Set(
    lines.flatMap(({ table = '', row = {} }) => (table.startsWith('audit_') ? [] : Object.keys(row))),
  );
  const suspicious = [...columns].filter((column) =>
    /hash|secret|token|passw|passcode|nonce|_key|seed|sealed/.test(column),
  );
  expect(suspicious.toSorted()).toEqual(['content_hash', 'prompt_hash', 'text_hash']);
  expect((await auditIn(full.tenant)).map(({ action }) => action)).toContain('tenant.export');
  expect((await auditIn(root.tenant)).map(({ action }) => action)).toContain('tenant.export');
});

test('exports a large table completely, in parts', async () => {
  const tenant = await world.newTenant();
  await world.inTenant(tenant, ({ db }) =>
    sql`insert into patients (id, patient_id, patient_name)
        select gen_random_uuid(), 'P-' || n, 'Doe^' || n from generate_series(1, 1203) n`.execute(db),
  );

  const url = tenantExport.path.replace(':id', await idOf(tenant));
  const { payload } = await root.request({ method: 'GET', url });

  const ids = payload.match(/"patient_id":"P-\d+"/g) ?? [];
  expect(new Set(ids).size).toBe(1203);
  expect(ids).toHaveLength(1203);
});

test('audits a visit once an hour, and each action during it', async () => {
  const visitor = await world.signIn('SUPER_ADMIN');
  const tenant = await world.newTenant();
  const headers = { 'x-tenantid': tenant.subdomain };

  for (let call = 0; call < 3; call++) await visitor.send(studies.list, { headers });
  const created = await visitor.send(studies.create, {
    headers,
    body: {
      modality: 'CT',
      newPatient: { patientName: 'Doe, Jane', patientId: 'P-1', gender: 'F', dateOfBirth: '1961-04-30' },
    },
  });

  expect(created.status).toBe(201);
  const entries = await auditIn(tenant);
  expect(entries.filter(({ action }) => action === 'tenant.enter')).toHaveLength(1);
  expect(entries.every(({ username }) => username === visitor.username)).toBe(true);
  expect(entries.map(({ action }) => action)).toContain('study.create');
});
