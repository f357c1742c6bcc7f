import { createHash } from 'node:crypto';
import { portal } from '@radwork/contract/reading/portal';
import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import { reportLinks } from '@radwork/contract/reading/sharing';
import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { findingSteps } from '#test/finding-steps.ts';
import { reportSteps, signature } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { begin, finalize, auditedActions, tamperWith } = reportSteps(world);
const { add, withdraw } = findingSteps(world);

const shared = async (author: Person) => {
  const { id, study } = await begin(author);
  await finalize(author, id, { content: '<p>Final.</p>' });
  const { data } = await author.send(reportLinks.create, { params: { id }, body: {} });
  return { id, study, hash: data.linkHash };
};

// Each request has another address. Otherwise the limit per address would affect the next test.
let caller = 0;
const open = (hash: string, remoteAddress = `10.1.0.${++caller}`) =>
  world.request({ method: 'GET', url: `/api/portal/report/${hash}`, remoteAddress });

const change = (author: Person, statement: RawBuilder<unknown>) =>
  world.inTenant(author.tenant, ({ db }) => statement.execute(db));

test('a link shows the report without a session and counts the opening', async () => {
  const author = await world.signIn();
  const { id, hash } = await shared(author);

  const response = await open(hash);

  expect(response.statusCode).toBe(200);
  expect(response.json().data).toEqual({
    content: '<p>Final.</p>',
    tenantName: `Clinic ${author.tenant.subdomain}`,
    contact: '',
    patientName: 'Doe, Jane',
    patientIdentifier: expect.objectContaining({ kind: 'PATIENT_ID' }),
    studyDate: '2026-11-20T09:30:00',
    studyDescription: '',
    modality: 'CT',
    authorName: `Dr ${author.username}`,
    finalizedByName: `Dr ${author.username}`,
    finalizedByCredentials: '',
    finalizedAt: expect.any(String),
    statement: 'I confirm that this report is complete and accurate',
    signatureData: signature,
    contentHash: createHash('sha256').update('<p>Final.</p>').digest('hex'),
    signingRemark: '',
    identityStatement: '',
    isUnchanged: true,
    letterhead: '',
    letterheadFooter: '',
    letterheadLogo: null,
    amended: false,
    newerSignedAt: null,
    addenda: [],
    criticalFindings: [],
    criticalFindingsDetails: '',
  });
  expect((await author.send(reportLinks.get, { params: { id } })).data).toMatchObject({
    openCount: 1,
    lastOpenedAt: expect.any(String),
  });
  expect(await auditedActions(author)).toContain('report_link.open');
});

test('HEAD does not open a link, so a message preview does not count as an opening', async () => {
  const author = await world.signIn();
  const { id, hash } = await shared(author);

  const looks = await world.request({ method: 'HEAD', url: `/api/portal/report/${hash}`, remoteAddress: '10.1.9.1' });

  expect(looks.statusCode).toBe(404);
  const { openCount } = await author.inScope(({ db }) =>
    db
      .selectFrom('report_links')
      .select('open_count as openCount')
      .where('report_id', '=', id)
      .executeTakeFirstOrThrow(),
  );
  expect(openCount).toBe(0);
});

test('marks a text that no longer matches its signed hash', async () => {
  const author = await world.signIn();
  const { id, hash } = await shared(author);
  const before = await open(hash);
  await tamperWith(id);

  const after = await open(hash);

  expect([before, after].map((answer) => answer.json().data.isUnchanged)).toEqual([true, false]);
});

test('a report opened by link shows the letterhead, critical findings and later addenda', async () => {
  const author = await world.signIn();
  const { id, hash } = await shared(author);
  const letter = { letterhead: 'Harbour Street 1', letterhead_footer: 'Ground floor', letterhead_logo: signature };
  await world.owner.updateTable('tenants').set(letter).where('id', '=', author.tenant.id).execute();
  const stays = await add(author, id);
  await withdraw(author, (await add(author, id)).id);
  const addendum = { kind: 'ADDENDUM', content: '<p>Compared with the prior.</p>' };
  const { data: draftReport } = await author.send(reportAddenda.begin, { params: { id }, body: addendum });
  const draft = (await open(hash)).json().data;
  await author.send(reportAddenda.sign, {
    params: { id, addendumId: draftReport.addendumDraft?.id ?? '' },
    body: { ...addendum, revision: 1, signatureData: signature },
  });

  const { data } = (await open(hash)).json();

  expect(draft).toMatchObject({ amended: false, addenda: [] });
  expect(data).toMatchObject({
    letterhead: 'Harbour Street 1',
    letterheadFooter: 'Ground floor',
    letterheadLogo: signature,
    content: '<p>Final.</p>',
    amended: true,
    addenda: [{ kind: 'ADDENDUM', content: addendum.content, signedByName: `Dr ${author.username}` }],
    criticalFindings: [{ finding: stays.finding, severity: 'CRITICAL', identifiedDateTime: stays.identifiedDateTime }],
  });
  // Readers without an account see the names of persons, but no ids or user names.
  expect(JSON.stringify(data)).not.toContain(author.userId);
  expect(JSON.stringify(data)).not.toContain(`"${author.username}"`);
});

test('the page of a report signed as critical still shows it as critical after the finding is withdrawn', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);
  const signed = await finalize(author, id, { hasCriticalFindings: true, criticalFindingsDetails: 'Free air' });
  const { data } = await author.send(reportLinks.create, { params: { id }, body: {} });
  const page = async () => (await open(data.linkHash)).json().data;
  const before = await page();
  for (const finding of signed.data.criticalFindings) await withdraw(author, finding.id);

  const after = await page();

  expect(before).toMatchObject({ criticalFindings: [{ finding: 'Free air' }], criticalFindingsDetails: '' });
  expect(after).toMatchObject({ criticalFindings: [], criticalFindingsDetails: 'Free air' });
});

test('a report opened by link is neither cached nor indexed', async () => {
  const { hash } = await shared(await world.signIn());

  const { headers } = await open(hash);

  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow, noarchive',
    'referrer-policy': 'no-referrer',
  });
});

test('a wrong, expired or revoked link, a suspended tenant and a deleted study get the same response', async () => {
  const [expired, revoked, suspended, deleted] = [
    await world.signIn(),
    await world.signIn(),
    await world.signIn(),
    await world.signIn(),
  ];
  const links = [await shared(expired), await shared(revoked), await shared(suspended), await shared(deleted)];
  await change(expired, sql`update report_links set expires_at = now()`);
  await change(revoked, sql`update report_links set revoked_at = now()`);
  await change(deleted, sql`update studies set deleted_at = now()`);
  await world.owner
    .updateTable('tenants')
    .set({ suspended_at: sql`now()` })
    .where('id', '=', suspended.tenant.id)
    .execute();

  const answers = await Promise.all(['A'.repeat(43), 'x', ...links.map(({ hash }) => hash)].map((hash) => open(hash)));

  const bodies = answers.map((answer) => ({ ...answer.json(), traceId: '' }));
  expect(bodies).toEqual(
    answers.map(() => ({ code: 404, error: 'report.not_found', message: 'Report not found', traceId: '' })),
  );
});

test('a link opens only its own report', async () => {
  const author = await world.signIn();
  const first = await shared(author);
  const second = await begin(author);

  await finalize(author, second.id, { content: '<p>Second.</p>' });

  expect((await open(first.hash)).json().data.content).toBe('<p>Final.</p>');
  expect((await open(second.id)).statusCode).toBe(404);
});

const unknown = `/api/portal/report/${'B'.repeat(43)}`;

test.each([
  ['without a code', 1, { method: 'GET', url: unknown }],
  ['with a code', 2, { method: 'POST', url: unknown, payload: { code: 'wrong' } }],
  ['a PDF', 3, { method: 'POST', url: `${unknown}/pdf`, payload: {} }],
] as const)('limits how often one IP address can request a link %s', async (_, network, request) => {
  const ask = (host: number) => world.request({ ...request, remoteAddress: `10.9.${network}.${host}` });
  const answers = [];
  // The loop may last into a second minute. In each minute 30 requests are allowed.
  for (let attempt = 0; attempt < 62; attempt++) answers.push(await ask(9));

  const refused = answers.filter(({ statusCode }) => statusCode === 429);

  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThanOrEqual(32);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask(10)).statusCode).toBe(404);
});

test('the IP addresses of one IPv6 network share one limit for opening links', async () => {
  const ask = (host: number) =>
    world.request({ method: 'GET', url: unknown, remoteAddress: `2001:db8:9:9:${host}::1` });
  const answers = [];
  for (let host = 1; host <= 40; host++) answers.push(await ask(host));

  expect(answers.at(-1)?.statusCode).toBe(429);
});

test('a link opens without a session, and a session changes nothing', async () => {
  const author = await world.signIn();
  const { hash } = await shared(author);

  const answer = await author.send(portal.report, { params: { hash } });

  expect(answer.data.content).toBe('<p>Final.</p>');
});
