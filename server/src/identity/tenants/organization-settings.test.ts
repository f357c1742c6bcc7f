import type { Failure } from '@radwork/contract/core/failure';
import { chat } from '@radwork/contract/reading/chat';
import { ownOrganization, type OrganizationForm, tenants } from '@radwork/contract/identity/tenants';
import { patients } from '@radwork/contract/imaging/patients';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { purgeRecycleBin } from '#imaging/archive/upkeep/purge-recycle-bin.ts';
import { orNotFound } from '#core/http/problem.ts';
import { fillTenant } from '#test/full-tenant.ts';
import { addStudy } from '#test/stored-study.ts';
import { waitsForLock } from '#test/waits-for-lock.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const save = async (admin: Person, changes: Partial<OrganizationForm> = {}) => {
  const {
    subdomain: _s,
    storedBytes: _b,
    storageQuotaBytes: _q,
    ...form
  } = (await admin.send(ownOrganization.read)).data;
  return admin.send(ownOrganization.save, { body: { ...form, ...changes } });
};

const faultsOf = ({ errors = [] }: Partial<Failure>) =>
  Object.fromEntries(errors.map(({ field, message }) => [field, message]));

const deletedStudy = (person: Person, days: number) =>
  person.inScope(async (scope) => {
    const { id } = await addStudy(scope, {});
    const deletedAt = new Date(Date.now() - days * 86_400_000).toISOString();
    await scope.db.updateTable('studies').set({ deleted_at: deletedAt }).where('id', '=', id).execute();
    return id;
  });

test('an administrator changes settings of the organization, and the change is audited', async () => {
  const admin = await world.signIn('ADMIN');
  const changes = {
    name: 'Clínica Norte',
    timeZone: 'Europe/Madrid',
    locale: 'es-ES',
    productName: 'NorteView',
    recycleBinDays: 60,
    auditYears: 10,
    referrersSee: 'ALL',
    contradictingPatients: 'REFUSE',
    uploadIssuer: 'NORTE',
  } as const;

  const { status, data } = await save(admin, changes);

  expect(status).toBe(200);
  expect(data).toMatchObject({ ...changes, revision: 2, storedBytes: 0, storageQuotaBytes: null });
  expect((await admin.send(ownOrganization.read)).data).toEqual(data);
  const session = await world.context.sessions.resolve(admin.token, '127.0.0.1', true);
  expect(session).toMatchObject({ tenantName: 'Clínica Norte', timeZone: 'Europe/Madrid' });
  const entries = await admin.inScope(({ db }) =>
    db.selectFrom('audit_entries').select(['username', 'detail']).where('action', '=', 'organisation.update').execute(),
  );
  expect(entries).toMatchObject([
    {
      username: admin.username,
      detail: {
        recycle_bin_days: 60,
        product_name: 'NorteView',
        contradicting_patients: 'REFUSE',
        upload_issuer: 'NORTE',
      },
    },
  ]);
});

test('users who are required to have a second factor can do nothing else before setting it up', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);

  await save(admin, { secondFactorPolicy: 'EVERYBODY' });

  expect((await reader.send(studies.list)).status).toBe(403);
});

test('refuses the second of two simultaneous saves of the organization', async () => {
  const admin = await world.signIn('ADMIN');

  const { revision } = (await admin.send(ownOrganization.read)).data;

  const answers = await Promise.all(['One', 'Other'].map((name) => save(admin, { name, revision })));

  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  const won = answers.find(({ status }) => status === 200);
  expect((await admin.send(ownOrganization.read)).data).toEqual(won?.data);
});

test('a save that waits for another save overwrites nothing', async () => {
  const admin = await world.signIn('ADMIN');
  const { data } = await admin.send(ownOrganization.read);
  let late: ReturnType<typeof save> | undefined;

  await admin.inScope(async ({ db }) => {
    await db
      .updateTable('tenants')
      .set({ name: 'First', settings_revision: data.revision + 1 })
      .execute();
    late = save(admin, { name: 'Late' });
    await waitsForLock(world);
  });

  expect(await late).toMatchObject({ status: 409, error: 'organization.changed' });
  expect((await admin.send(ownOrganization.read)).data.name).toBe('First');
});

test.each([
  ['recycleBinDays', { recycleBinDays: 6 }, 'Use at least 7 days'],
  ['recycleBinDays', { recycleBinDays: 366 }, 'Use at most 365 days'],
  ['auditYears', { auditYears: 5 }, 'Use at least 6 years'],
  ['timeZone', { timeZone: 'Mars/Olympus' }, 'Choose an IANA time zone, such as America/New_York'],
  ['uploadIssuer', { uploadIssuer: 'x'.repeat(65) }, 'The issuer is longer than 64 characters'],
  ['productName', { productName: 'x'.repeat(41) }, 'The name is longer than 40 characters'],
] as const)('refuses an invalid %s at its field (%j)', async (field, wrong, message) => {
  const admin = await world.signIn('ADMIN');

  const answer = await save(admin, wrong);

  expect(answer.status).toBe(422);
  expect(faultsOf(answer)).toEqual({ [field]: message });
});

test('purges the recycle bin after the number of days that the organization set', async () => {
  const [short, long] = [await world.signIn('ADMIN'), await world.signIn('ADMIN')];
  await save(short, { recycleBinDays: 7 });
  await save(long, { recycleBinDays: 60 });
  const [young, old] = [await deletedStudy(short, 6), await deletedStudy(short, 8)];
  const [remaining, gone] = [await deletedStudy(long, 59), await deletedStudy(long, 61)];
  const { data: bin } = await long.send(studies.deleted);
  const listed = orNotFound(
    bin.content.find(({ id }) => id === remaining),
    'study',
  );
  const daysKept = (Date.parse(listed.purgeDate) - Date.parse(listed.deletedDate)) / 86_400_000;

  await purgeRecycleBin(world.context, short.tenant.id);
  await purgeRecycleBin(world.context, long.tenant.id);

  expect(Math.round(daysKept)).toBe(60);
  const remainingIds = async (person: Person) =>
    (await person.inScope(({ db }) => db.selectFrom('studies').select('id').execute())).map(({ id }) => id);
  expect(await remainingIds(short)).toEqual([young]);
  expect(await remainingIds(long)).toEqual([remaining]);
  expect([old, gone]).not.toContain(young);
});

test('purges nothing from the recycle bin of a suspended organization', async () => {
  const admin = await world.signIn('ADMIN');
  const id = await deletedStudy(admin, 400);
  await world.owner
    .updateTable('tenants')
    .set({ suspended_at: '2026-11-01T00:00:00Z' })
    .where('id', '=', admin.tenant.id)
    .execute();

  await purgeRecycleBin(world.context, admin.tenant.id);

  const remaining = await world.inTenant(admin.tenant, ({ db }) => db.selectFrom('studies').select('id').execute());
  expect(remaining).toEqual([{ id }]);
});

test('a resumed organization gets the full retention of its recycle bin again', async () => {
  const root = await world.signIn('SUPER_ADMIN');
  const admin = await world.signIn('ADMIN');
  const id = await deletedStudy(admin, 400);
  const { public_id: tenant } = await world.owner
    .selectFrom('tenants')
    .select('public_id')
    .where('id', '=', admin.tenant.id)
    .executeTakeFirstOrThrow();
  const setStatus = (active: boolean) =>
    root.send(tenants.setStatus, { params: { id: tenant }, body: { active, reason: 'Unpaid' } });
  await setStatus(false);
  await setStatus(true);

  await purgeRecycleBin(world.context, admin.tenant.id);

  const reader = await world.signIn('ADMIN', admin.tenant);
  const { data: bin } = await reader.send(studies.deleted);
  expect(bin.content).toMatchObject([{ id }]);
  const daysLeft = (Date.parse(bin.content[0]?.purgeDate ?? '') - Date.now()) / 86_400_000;
  expect(Math.round(daysLeft)).toBe(30);
});

test("the organization's setting shows referring physicians all studies, but not all conversations", async () => {
  const full = await fillTenant(world, 'WIDENED');
  const admin = orNotFound(full.people.get('ADMIN'), 'user');
  const referrer = await world.signIn('REFERRING_PHYSICIAN', full.tenant);
  const params = { id: full.studyId };
  const look = async () => ({
    list: (await referrer.send(studies.list)).data.totalElements,
    search: (await referrer.send(studies.search, { query: { query: 'WIDENED' } })).data.totalElements,
    study: (await referrer.send(studies.get, { params })).status,
    patient: (await referrer.send(patients.get, { params: { id: full.patientId } })).status,
    qido: (await referrer.request({ method: 'GET', url: '/dicom-web/studies' })).payload.includes(full.studyUid),
    wado: (await referrer.request({ method: 'GET', url: `/dicom-web/studies/${full.studyUid}/metadata` })).statusCode,
    chat: (await referrer.send(chat.conversation, { params: { conversationId: full.studyId } })).status,
  });
  const nothing = { list: 0, search: 0, study: 404, patient: 404, qido: false, wado: 404, chat: 404 };
  expect(await look()).toEqual(nothing);

  await save(admin, { referrersSee: 'ALL' });

  const access = await look();
  expect(access).toMatchObject({ list: 1, search: 1, study: 200, patient: 200, qido: true, wado: 200 });
  expect([403, 404]).toContain(access.chat);
  const { data: study } = await referrer.send(studies.get, { params });
  expect(study.chatRefusal).toBe('You can join this conversation after a participant mentions you');
  const stranger = await world.signIn('REFERRING_PHYSICIAN');
  expect((await stranger.send(studies.get, { params })).status).toBe(404);

  await save(admin, { referrersSee: 'OWN' });
  expect(await look()).toEqual(nothing);
});

test('only the product name of an organization is public', async () => {
  const admin = await world.signIn('ADMIN');
  await save(admin, { productName: 'NorteView', name: 'Secret name' });
  const ask = (query: Record<string, string>) => world.send(ownOrganization.brand, { query });

  const known = await ask({ organization: admin.tenant.subdomain.toUpperCase() });
  const [plain, unknown] = [
    await ask({ organization: (await world.newTenant()).subdomain }),
    await ask({ organization: 'nobody-here' }),
  ];

  expect(known.data).toEqual({ productName: 'NorteView' });
  expect(JSON.stringify(known)).not.toContain('Secret name');
  expect(plain).toEqual(unknown);
});

test('a legal hold requires a reason, can be released, and prevents deletion', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const { id } = await admin.inScope((scope) => addStudy(scope, {}));
  const hold = (isOnLegalHold: boolean, reason: string, person = admin) =>
    person.send(studies.setLegalHold, { params: { id }, body: { isOnLegalHold, reason } });

  const unexplained = await hold(true, ' ');
  const refused = await hold(true, 'Court order 7', reader);
  const onHold = await hold(true, 'Court order 7');
  const removal = await admin.send(studies.remove, { params: { id } });
  const released = await hold(false, 'Case closed');

  expect(unexplained).toMatchObject({ status: 422, message: 'Reason is required' });
  expect(refused.status).toBe(403);
  expect(onHold.data.isOnLegalHold).toBe(true);
  expect(removal).toMatchObject({ status: 409, error: 'study.on_hold' });
  expect(released.data.isOnLegalHold).toBe(false);
  const entries = await admin.inScope(({ db }) =>
    db.selectFrom('audit_entries').select(['action', 'detail']).where('study_id', '=', id).orderBy('id').execute(),
  );
  expect(entries.filter(({ action }) => /hold|release/.test(action))).toEqual([
    { action: 'study.hold', detail: { reason: 'Court order 7' } },
    { action: 'study.release', detail: { reason: 'Case closed' } },
  ]);
  expect((await admin.send(studies.remove, { params: { id } })).status).toBe(200);
});

test('refuses a legal hold by users who may delete studies but not change settings', async () => {
  const admin = await world.signIn('ADMIN');
  const { id } = await admin.inScope((scope) => addStudy(scope, { is_on_legal_hold: true }));
  await world.owner
    .updateTable('roles')
    .set({ permissions: ['study.view', 'study.delete'] })
    .where('tenant_id', '=', admin.tenant.id)
    .where('built_in_for', '=', 'ADMIN')
    .execute();
  world.context.sessions.forget();

  const answer = await admin.send(studies.setLegalHold, {
    params: { id },
    body: { isOnLegalHold: false, reason: 'x' },
  });

  expect(answer.status).toBe(403);
});
