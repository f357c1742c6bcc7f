import { reports } from '@radwork/contract/reading/reports';
import { reportLinks } from '@radwork/contract/reading/sharing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { begin, finalize, auditedActions } = reportSteps(world);

const finalized = async (author: Person) => {
  const { id } = await begin(author);
  await finalize(author, id);
  return id;
};

const share = (person: Person, id: string) => person.send(reportLinks.create, { params: { id }, body: {} });
const revoke = (person: Person, id: string) => person.send(reportLinks.revoke, { params: { id } });
const linkOf = (person: Person, id: string) => person.send(reportLinks.get, { params: { id } });

test('a finalized report has one share link, which is shown again to users who may share it', async () => {
  const author = await world.signIn();
  const admin = await world.signIn('ADMIN', author.tenant);
  const id = await finalized(author);

  const none = await linkOf(author, id);
  const created = await share(author, id);
  const again = await share(admin, id);

  expect(none.data).toBeNull();
  expect(created.data).toMatchObject({ linkHash: expect.stringMatching(/^[\w-]{43}$/), openCount: 0 });
  expect(again.data).toEqual(created.data);
  expect((await linkOf(admin, id)).data).toEqual(created.data);
  expect((await author.send(reports.get, { params: { id } })).data.linkHash).toBe(created.data.linkHash);
});

test('simultaneous requests create only one share link', async () => {
  const author = await world.signIn();
  const id = await finalized(author);

  const links = await Promise.all([1, 2, 3, 4, 5].map(() => share(author, id)));

  expect(new Set(links.map(({ data }) => data.linkHash)).size).toBe(1);
});

test('a share link expires after the number of days that the tenant set', async () => {
  const author = await world.signIn();
  const id = await finalized(author);
  await world.owner.updateTable('tenants').set({ link_days: 7 }).where('id', '=', author.tenant.id).execute();

  const { data } = await share(author, id);

  const days = (Date.parse(data.expiresAt) - Date.parse(data.createdAt)) / 86_400_000;
  const { data: terms } = await author.send(reportLinks.terms, { params: { id } });
  expect([days, terms.days]).toEqual([7, 7]);
});

test('the database contains nothing that can open a share link', async () => {
  const author = await world.signIn();
  const id = await finalized(author);

  const { data } = await share(author, id);

  const stored = await world.inTenant(author.tenant, ({ db }) => db.selectFrom('report_links').selectAll().execute());
  const token = Buffer.from(data.linkHash, 'base64url');
  expect(stored).toHaveLength(1);
  expect(stored[0]?.nonce.equals(token) || stored[0]?.token_hash.equals(token)).toBe(false);
});

test('refuses to share a draft', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);

  expect(await share(author, id)).toMatchObject({
    status: 409,
    message: 'The report is Draft. Only finalized reports can be shared.',
  });
});

test('a revoked link no longer opens, and sharing again creates another link', async () => {
  const author = await world.signIn();
  const id = await finalized(author);
  const first = await share(author, id);

  const revoked = await revoke(author, id);
  const twice = await revoke(author, id);
  const second = await share(author, id);

  expect([revoked.status, twice.status]).toEqual([200, 404]);
  expect(second.data.linkHash).not.toBe(first.data.linkHash);
  expect((await auditedActions(author)).filter((action) => action.startsWith('report_link'))).toEqual([
    'report_link.create',
    'report_link.revoke',
    'report_link.create',
  ]);
});

test('sharing replaces an expired link', async () => {
  const author = await world.signIn();
  const id = await finalized(author);
  const first = await share(author, id);
  await world.inTenant(author.tenant, ({ db }) =>
    db
      .updateTable('report_links')
      .set({ expires_at: sql`now()` })
      .execute(),
  );

  const gone = await linkOf(author, id);
  const second = await share(author, id);

  expect(gone.data).toBeNull();
  expect(second.data.linkHash).not.toBe(first.data.linkHash);
});

test('sharing replaces a used-up link', async () => {
  const author = await world.signIn();
  const id = await finalized(author);
  const { data: first } = await author.send(reportLinks.create, { params: { id }, body: { maxOpens: 1 } });
  await world.request({ method: 'GET', url: `/api/portal/report/${first.linkHash}` });

  const gone = await linkOf(author, id);
  const second = await share(author, id);

  expect(gone.data).toBeNull();
  expect(second.data.linkHash).not.toBe(first.linkHash);
});

test('refuses a share link to users who may not share', async () => {
  const author = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  const visitor = await world.signIn('SUPER_ADMIN');
  const id = await finalized(author);
  const headers = { 'x-tenantid': author.tenant.subdomain };

  const answers = [
    await share(referrer, id),
    await linkOf(referrer, id),
    await visitor.send(reportLinks.create, { params: { id }, body: {}, headers }),
  ];
  await share(author, id);
  const closing = [await revoke(referrer, id), await visitor.send(reportLinks.revoke, { params: { id }, headers })];

  expect([...answers, ...closing].map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  expect((await linkOf(author, id)).data).not.toBeNull();
});

test('creates a share link with the requested settings, and no second link', async () => {
  const author = await world.signIn();
  const id = await finalized(author);
  const body = { days: 2, passcode: 'marigold 77', maxOpens: 5 };

  const created = await author.send(reportLinks.create, { params: { id }, body });
  const other = await author.send(reportLinks.create, { params: { id }, body: { passcode: 'other code' } });
  const same = await share(author, id);

  expect(created.data).toMatchObject({ question: 'PASSCODE', maxOpens: 5, openCount: 0, lockedUntil: null });
  expect((Date.parse(created.data.expiresAt) - Date.parse(created.data.createdAt)) / 86_400_000).toBe(2);
  expect(other).toMatchObject({
    status: 409,
    message: 'This report already has a share link. Revoke it to create a link with other settings.',
  });
  expect(same.data).toEqual(created.data);
});

test('refuses to share without a code if the organization requires a code', async () => {
  const author = await world.signIn();
  const id = await finalized(author);
  await world.owner
    .updateTable('tenants')
    .set({ is_link_code_required: true })
    .where('id', '=', author.tenant.id)
    .execute();

  const bare = await share(author, id);
  const { data: terms } = await author.send(reportLinks.terms, { params: { id } });
  const coded = await author.send(reportLinks.create, { params: { id }, body: { passcode: 'marigold 77' } });

  expect(bare).toMatchObject({
    status: 422,
    message: 'Your organization requires a passcode or the date of birth',
  });
  expect(terms).toMatchObject({ isCodeRequired: true, days: 30 });
  expect(coded.data.question).toBe('PASSCODE');
});

test('refuses to ask for a birth date that is not in the record', async () => {
  const author = await world.signIn();
  const { id, study } = await begin(author);
  await finalize(author, id);
  await world.inTenant(author.tenant, ({ db }) =>
    sql`update patients set date_of_birth = null
      where id = (select patient_id from studies where id = ${study.id})`.execute(db),
  );

  const { data: terms } = await author.send(reportLinks.terms, { params: { id } });
  const created = await author.send(reportLinks.create, { params: { id }, body: { asksBirthDate: true } });

  expect(terms.hasBirthDate).toBe(false);
  expect(created).toMatchObject({ status: 422, message: 'The patient has no recorded date of birth' });
});

test.each([
  [{ passcode: 'short' }, 'Use at least 6 characters'],
  [{ days: 0 }, 'Use at least 1 day'],
  [{ days: 3651 }, 'Use at most 3,650 days'],
  [{ passcode: 'x'.repeat(65) }, 'Use at most 64 characters'],
  [{ maxOpens: 0 }, 'Use at least 1'],
  [{ maxOpens: 1001 }, 'Use at most 1,000'],
  [{ passcode: 'marigold', asksBirthDate: true }, 'Choose either a passcode or the date of birth'],
])('refuses a share link with %o: %s', async (body, message) => {
  const author = await world.signIn();
  const id = await finalized(author);

  expect(await author.send(reportLinks.create, { params: { id }, body })).toMatchObject({ status: 422, message });
  expect((await linkOf(author, id)).data).toBeNull();
});
