import { account, passwordLinks } from '@radwork/contract/identity/accounts';
import { drafting } from '@radwork/contract/reading/drafting';
import type { Endpoint } from '@radwork/contract/core/endpoint';
import { reportingSettings, type ReportingSettingsForm } from '@radwork/contract/reading/reporting-settings';
import { reports } from '@radwork/contract/reading/reports';
import { reportLinks } from '@radwork/contract/reading/sharing';
import { sessions } from '@radwork/contract/identity/sessions';
import { studies } from '@radwork/contract/imaging/studies';
import { ownOrganization, type OrganizationForm, tenants } from '@radwork/contract/identity/tenants';
import { beforeAll, describe, expect, test } from 'vitest';
import { localMinute } from '#core/values/local-minute.ts';
import { codeOf } from '#test/account-steps.ts';
import { findingSteps } from '#test/finding-steps.ts';
import { hasPoppler, textOfPdf, unspaced } from '#test/poppler.ts';
import { reportSteps } from '#test/report-steps.ts';
import { addStudy } from '#test/stored-study.ts';
import { form, image } from '#test/multipart-upload.ts';
import { createWorld, type Person, type CallData, type Tenant } from '#test/world.ts';

/*
 * A new administrator changes every setting through the API, and each test checks the effect. A setting that is stored
 * but not used fails here.
 */

const world = await createWorld();
const { begin, finalize, requestReview, review } = reportSteps(world);
const { add } = findingSteps(world);

type Administrator = { send: <E extends Endpoint>(endpoint: E, sent?: CallData) => ReturnType<typeof world.send<E>> };

/** Accepts the invitation, sets a password, signs in, and sets up the required second factor. */
const founded = async (subdomain: string): Promise<{ admin: Administrator; tenant: Tenant }> => {
  const operator = await world.signIn('SUPER_ADMIN');
  const { data: created } = await operator.send(tenants.create, {
    body: {
      name: 'Harbour Clinic',
      subdomain,
      timeZone: 'Europe/Berlin',
      locale: 'de-DE',
      storageQuotaBytes: null,
      administrator: { username: 'first.admin', name: 'Nora First', email: 'nora@example.org' },
    },
  });
  const password = 'four geese over the harbour';
  const token = created.invitation.link?.split('#')[1];
  await world.send(passwordLinks.use, { body: { token, password } });
  const login = { username: 'first.admin', password };
  const { data: session } = await world.send(sessions.login, {
    body: login,
    headers: { 'x-tenantid': subdomain },
  });
  expect(session.user.secondFactor).toBe('NEEDED');
  const send: Administrator['send'] = (endpoint, sent = {}) =>
    world.send(endpoint, { ...sent, headers: { authorization: `Bearer ${session.token}` } });
  expect((await send(ownOrganization.read)).status).toBe(403);
  const { data: factor } = await send(account.beginSecondFactor, { body: {} });
  await send(account.confirmSecondFactor, { body: { code: codeOf(factor.key) } });
  const row = await world.owner
    .selectFrom('tenants')
    .select('id')
    .where('subdomain', '=', subdomain)
    .executeTakeFirstOrThrow();
  return { admin: { send }, tenant: { id: row.id, subdomain } };
};

let [admin, tenant, reader] = [{} as Administrator, {} as Tenant, {} as Person];
beforeAll(async () => {
  ({ admin, tenant } = await founded('harbour'));
  reader = await world.signIn('RADIOLOGIST', tenant);
});

const decide = async (changes: Partial<OrganizationForm>) => {
  const {
    subdomain: _s,
    storedBytes: _b,
    storageQuotaBytes: _q,
    ...form
  } = (await admin.send(ownOrganization.read)).data;
  expect(await admin.send(ownOrganization.save, { body: { ...form, ...changes } })).toMatchObject({ status: 200 });
};

const report = async (changes: Partial<ReportingSettingsForm>) => {
  const { hasAiKey: _k, aiAgreedBy: _b, aiAgreedAt: _a, ...form } = (await admin.send(reportingSettings.read)).data;
  const body = { ...form, isAiAgreed: false, ...changes };
  expect(await admin.send(reportingSettings.save, { body })).toMatchObject({ status: 200 });
};

const paperOf = async (id: string) => {
  const { rawPayload } = await reader.request({ method: 'GET', url: `/api/reports/${id}/pdf` });
  return { text: textOfPdf(rawPayload) };
};

const signed = async () => {
  const { id } = await begin(reader);
  expect(await finalize(reader, id)).toMatchObject({ status: 200 });
  return id;
};

test('the sign-in page shows the product name, and each session shows the organization name', async () => {
  await decide({ productName: 'HarbourView', name: 'Harbour Imaging' });

  const { data: brand } = await world.send(ownOrganization.brand, { query: { organization: tenant.subdomain } });
  const { data: session } = await world.send(sessions.validate, { body: { token: reader.token } });

  expect(brand.productName).toBe('HarbourView');
  expect(session.tenant.name).toBe('Harbour Imaging');
});

describe.skipIf(!hasPoppler)('the printed report', () => {
  test('a printed report shows the letterhead and the footer', async () => {
    await report({ letterhead: 'Quay 7, Harbour', letterheadFooter: 'Telephone 555-0100' });

    const { text } = await paperOf(await signed());

    expect(text).toContain('Quay7,Harbour');
    expect(text).toContain('Telephone555-0100');
  });

  test('a printed report shows times in the organization’s time zone', async () => {
    const id = await signed();
    await decide({ timeZone: 'Asia/Tokyo' });
    const east = await paperOf(id);
    await decide({ timeZone: 'America/Los_Angeles' });
    const west = await paperOf(id);

    const { data } = await reader.send(reports.get, { params: { id } });
    const signedIn = (timeZone: string) => unspaced(localMinute(data.finalizedAt ?? '', timeZone));
    expect(east.text).toContain(signedIn('Asia/Tokyo'));
    expect(east.text).not.toContain(signedIn('America/Los_Angeles'));
    expect(west.text).toContain(signedIn('America/Los_Angeles'));
  });
});

test('a report needs a review only if the organization requires it', async () => {
  await report({ isReviewRequired: true });
  const { id } = await begin(reader);
  const reviewer = await world.signIn('RADIOLOGIST', tenant);

  const early = await finalize(reader, id);
  await requestReview(reader, id, reviewer);
  await review(reviewer, id, { approved: true, comments: 'Good' });
  const reviewed = await finalize(reader, id);
  await report({ isReviewRequired: false });

  expect([early.status, reviewed.status]).toEqual([409, 200]);
  await signed();
});

test('a report needs a signature only if the organization requires it', async () => {
  await report({ isSignatureRequired: true });
  const { id } = await begin(reader);
  const without = await finalize(reader, id, { signatureData: undefined });
  await report({ isSignatureRequired: false });

  expect(without.status).toBe(422);
  expect((await finalize(reader, id, { signatureData: undefined })).status).toBe(200);
  await report({ isSignatureRequired: true });
});

test('creates no draft while drafting is turned off', async () => {
  const { id: studyId } = await world.inTenant(tenant, (scope) => addStudy(scope));
  const ask = () => reader.send(drafting.generate, { body: { prompt: 'No acute finding.', studyId } });
  await report({ aiProvider: 'NONE' });
  const off = await ask();
  await report({ aiProvider: 'RULES' });

  expect(off.status).toBe(503);
  expect((await ask()).status).toBe(200);
});

test('share links expire and require codes as the organization set', async () => {
  await report({ linkDays: 5, isLinkCodeRequired: true });
  const id = await signed();

  const bare = await reader.send(reportLinks.create, { params: { id }, body: {} });
  const coded = await reader.send(reportLinks.create, { params: { id }, body: { passcode: 'marigold 77' } });
  await report({ linkDays: 30, isLinkCodeRequired: false });

  expect(bare.status).toBe(422);
  expect((Date.parse(coded.data.expiresAt) - Date.parse(coded.data.createdAt)) / 86_400_000).toBe(5);
});

test('a finding is due within the minutes that the organization set', async () => {
  await report({ criticalMinutes: 7, urgentMinutes: 70, significantMinutes: 700 });
  const { id } = await begin(reader);
  const minutesFor = async (severity: string) => {
    const { dueAt, identifiedDateTime } = await add(reader, id, severity);
    return (Date.parse(dueAt) - Date.parse(identifiedDateTime)) / 60_000;
  };

  expect([await minutesFor('CRITICAL'), await minutesFor('URGENT'), await minutesFor('SIGNIFICANT')]).toEqual([
    7, 70, 700,
  ]);
});

test('referring physicians see the studies that the organization allows', async () => {
  await world.inTenant(tenant, (scope) => addStudy(scope));
  const referrer = await world.signIn('REFERRING_PHYSICIAN', tenant);
  const visibleCount = async () => (await referrer.send(studies.list, { query: {} })).data.content.length;
  const before = await visibleCount();

  await decide({ referrersSee: 'ALL' });

  expect(before).toBe(0);
  expect(await visibleCount()).toBeGreaterThan(0);
});

test('if a file contradicts its patient, the setting of the organization decides whether it is stored', async () => {
  const upload = async (PatientName: string) => {
    const file = form(image({ PatientID: 'TWO-1', PatientName, PatientSex: 'F' }));
    return (await reader.request({ method: 'POST', url: '/api/stow-rs/studies', ...file })).statusCode;
  };
  await upload('Alpha^Maria');

  await decide({ contradictingPatients: 'REFUSE' });
  const refused = await upload('Kowalska^Maria');
  await decide({ contradictingPatients: 'KEEP' });
  const accepted = await upload('Kowalska^Maria');

  expect([refused, accepted]).toEqual([409, 200]);
});
