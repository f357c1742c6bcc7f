import { account, passwordLinks } from '@radwork/contract/identity/accounts';
import { reports } from '@radwork/contract/reading/reports';
import { signingHeld, signingHolds } from '@radwork/contract/identity/signing-holds';
import { tenants } from '@radwork/contract/identity/tenants';
import { users } from '@radwork/contract/identity/users';
import { afterAll, expect, test } from 'vitest';
import { startMailing } from '#core/notifications/mail.ts';
import { codeOf, password } from '#test/account-steps.ts';
import { eventually } from '#test/eventually.ts';
import { holdSteps, thiefsPassword } from '#test/hold-steps.ts';
import { startMailServer } from '#test/mail-server.ts';
import { reportText } from '#test/report-steps.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';
import { maySignUnproven } from './stored-holds.ts';

/** Ways in which an account can sign again after another user has changed it. */
const mailServer = await startMailServer();
const world = await createWorld();
const mailing = await createWorld({
  SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
  MAIL_FROM: 'radwork@example.org',
  PUBLIC_URL: 'http://radwork.example',
});
const stop = startMailing(mailing.context, mailing.url, { onError: () => {}, pauses: [1] });
afterAll(async () => {
  await stop();
  await mailServer.close();
});

const { newOwner, enrol, later, audited, told: notificationTitles, invite, sign, enter, usePath } = holdSteps(world);
const mailed = holdSteps(mailing);

const heldRefusal = { status: 403, error: signingHeld };

/** Returns the latest mail to an address that contains a text. */
const letter = (address: string, words: string) =>
  eventually(async () => {
    const mail = mailServer.received.findLast(({ to, text }) => to.includes(address) && text.includes(words));
    expect(mail, `${address}: ${words}`).toBeDefined();
    return mail?.text ?? '';
  });

const changeAddress = async (admin: Person, id: string, email: string) => {
  const { data } = await admin.send(users.get, { params: { id } });
  const { username, name, userType, specialization, department, revision } = data;
  const body = { username, name, email, userType, specialization, department, revision };
  return admin.send(users.update, { params: { id }, body });
};

test('a code of a second factor set up before the hold proves the account at sign-in', async () => {
  const rosa = await newOwner();
  const { key } = await enrol(rosa);
  const admin = await world.signIn('ADMIN', rosa.tenant);
  const { data } = await admin.send(users.resetPassword, { params: { id: rosa.userId } });
  await usePath(data.link);
  await later(rosa);

  const sender = await enter(rosa, thiefsPassword, codeOf(key));

  expect((await sign(sender, rosa.tenant)).status).toBe(200);
  expect(await audited(rosa)).toContain('signing.release');
  expect(await notificationTitles(rosa)).toContain('Your account can sign again');
});

test('a code of an earlier second factor proves the account in a session, but a recovery code does not', async () => {
  const rosa = await newOwner();
  const { key, recoveryCodes } = await enrol(rosa);
  const admin = await world.signIn('ADMIN', rosa.tenant);
  await admin.send(users.resetPassword, { params: { id: rosa.userId } });
  await later(rosa);

  const before = await rosa.send(signingHolds.own);
  const byRecovery = await rosa.send(signingHolds.proveByCode, { body: { code: recoveryCodes[0] ?? '' } });
  const refused = await sign(rosa, rosa.tenant);
  const proven = await rosa.send(signingHolds.proveByCode, { body: { code: codeOf(key) } });

  expect(before.data).toMatchObject({ holds: [{ cause: 'PASSWORD' }], canProveByCode: true, proofAddress: null });
  expect(byRecovery.status).toBe(422);
  expect(refused).toMatchObject(heldRefusal);
  expect(proven.data.holds).toEqual([]);
  expect((await sign(rosa, rosa.tenant)).status).toBe(200);
});

test('an administrator cannot confirm their own changes to an account, but a second administrator can', async () => {
  const admin = await world.signIn('ADMIN');
  const second = await world.signIn('ADMIN', admin.tenant);
  const { sender, userId } = await invite(admin);
  await second.send(users.resetPassword, { params: { id: userId } });

  const bySecond = await second.send(signingHolds.confirm, { params: { id: userId } });
  const between = await sign(sender, admin.tenant);
  const byFirst = await admin.send(signingHolds.confirm, { params: { id: userId } });

  expect(bySecond.data.holds.map(({ cause }) => cause)).toEqual(['PASSWORD']);
  expect(between).toMatchObject(heldRefusal);
  expect(byFirst.data.holds).toEqual([]);
  expect((await sign(sender, admin.tenant)).status).toBe(200);
});

test('a visiting super administrator can confirm changes by an administrator', async () => {
  const admin = await world.signIn('ADMIN');
  const operator = await world.signIn('SUPER_ADMIN');
  const { sender, userId } = await invite(admin);

  await operator.send(signingHolds.confirm, {
    params: { id: userId },
    headers: { 'x-tenantid': admin.tenant.subdomain },
  });

  expect((await sign(sender, admin.tenant)).status).toBe(200);
});

test('an unconfirmed account signs with a remark if a super administrator allows it', async () => {
  const operator = await world.signIn('SUPER_ADMIN');
  const admin = await world.signIn('ADMIN');
  const { sender, userId } = await invite(admin);
  const { data: known } = await operator.send(tenants.list, { query: { query: admin.tenant.subdomain } });
  const id = known.content[0]?.id ?? '';

  const saved = await operator.send(signingHolds.setTenantRule, { params: { id }, body: { isAllowed: true } });
  const read = await operator.send(signingHolds.tenantRule, { params: { id } });
  const signed = await sign(sender, admin.tenant);
  const entries = await world.inTenant(admin.tenant, ({ db }) =>
    db.selectFrom('audit_entries').select('detail').where('action', '=', 'report.finalize').execute(),
  );

  expect(saved.data).toEqual({ isAllowed: true });
  expect(read.data).toEqual({ isAllowed: true });
  expect(await world.inTenant(admin.tenant, maySignUnproven)).toBe(true);
  expect(signed.data.signingRemark).toContain(
    `The account was not confirmed at signing: account created by ${admin.session.name}`,
  );
  expect(entries.map(({ detail }) => detail)).toEqual([expect.objectContaining({ isUnproven: true })]);

  const second = await world.signIn('ADMIN', admin.tenant);
  await second.send(signingHolds.confirm, { params: { id: userId } });
  expect((await sign(sender, admin.tenant)).data.signingRemark).toBe('');
});

test('the owner of an account that no other user changed signs without a remark', async () => {
  const rosa = await newOwner();

  const signed = await sign(rosa, rosa.tenant);

  expect(signed).toMatchObject({ status: 200, data: { signingRemark: '' } });
  expect((await rosa.send(signingHolds.own)).data.holds).toEqual([]);
});

test('using a reset link mailed to the unchanged address proves the account', async () => {
  const rosa = await mailed.newOwner();
  const admin = await mailing.signIn('ADMIN', rosa.tenant);
  const answer = await admin.send(users.resetPassword, { params: { id: rosa.userId } });
  const refused = await mailed.sign(rosa, rosa.tenant);
  const text = await letter(rosa.email, '/set-password#');

  await mailed.usePath(/\/set-password#[\w-]+/.exec(text)?.[0] ?? null);
  const sender = await mailed.enter(rosa, thiefsPassword);

  expect(answer.data).toEqual({ sentTo: rosa.email, link: null });
  expect(refused).toMatchObject(heldRefusal);
  expect((await mailed.sign(sender, rosa.tenant)).status).toBe(200);
});

test('after a change of address, only a link sent to the old address proves the account', async () => {
  const rosa = await mailed.newOwner();
  const admin = await mailing.signIn('ADMIN', rosa.tenant);
  const thief = `thief.${rosa.username}@example.org`;
  await changeAddress(admin, rosa.userId, thief);
  await letter(rosa.email, 'An administrator changed your e-mail address');
  await admin.send(users.resetPassword, { params: { id: rosa.userId } });
  const reset = await letter(thief, '/set-password#');
  await letter(rosa.email, 'An administrator requested a new password');
  await mailed.usePath(/\/set-password#[\w-]+/.exec(reset)?.[0] ?? null);
  const stolen = await mailed.enter(rosa, thiefsPassword);

  const mailRequest = await stolen.send(signingHolds.askForMail);
  const text = await letter(rosa.email, '/account#signing=');
  const token = /#signing=([\w-]+)/.exec(text)?.[1] ?? '';
  const elsewhere = await mailed.enter(rosa, thiefsPassword);
  const inOtherSession = await elsewhere.send(signingHolds.proveByMail, { body: { token } });
  const refused = await mailed.sign(stolen, rosa.tenant);
  const proven = await stolen.send(signingHolds.proveByMail, { body: { token } });
  const again = await stolen.send(signingHolds.proveByMail, { body: { token } });

  expect(mailRequest.data).toEqual({ sentTo: rosa.email });
  expect(inOtherSession.status).toBe(404);
  expect(refused).toMatchObject(heldRefusal);
  expect(proven.data.holds).toEqual([]);
  expect(again.status).toBe(404);
  expect((await mailed.sign(stolen, rosa.tenant)).status).toBe(200);
  expect((await elsewhere.send(account.read)).status).toBe(401);
});

test('a link sent to the address that an administrator typed does not prove an invited user', async () => {
  const admin = await mailing.signIn('ADMIN');
  const created = await admin.send(users.create, {
    body: { username: 'greg.house', name: 'Dr House', email: 'greg@example.org', userType: 'RADIOLOGIST' },
  });
  const text = await letter('greg@example.org', '/set-password#');
  await mailed.usePath(/\/set-password#[\w-]+/.exec(text)?.[0] ?? null);
  const sender = await mailed.enter({ username: 'greg.house', tenant: admin.tenant }, thiefsPassword);

  const state = await sender.send(signingHolds.own);
  const mailRequest = await sender.send(signingHolds.askForMail);

  expect(created.data.invitation).toEqual({ sentTo: 'greg@example.org', link: null });
  expect(state.data).toMatchObject({ holds: [{ cause: 'INVITED' }], canProveByCode: false, proofAddress: null });
  expect(mailRequest.status).toBe(409);
  expect(await mailed.sign(sender, admin.tenant)).toMatchObject(heldRefusal);
});

test('a request for a forgotten password causes no signing hold', async () => {
  const rosa = await mailed.newOwner();
  await mailing.send(passwordLinks.forgot, {
    body: { username: rosa.username },
    headers: { 'x-tenantid': rosa.tenant.subdomain },
  });
  const text = await letter(rosa.email, '/set-password#');

  await mailed.usePath(/\/set-password#[\w-]+/.exec(text)?.[0] ?? null, password);
  const sender = await mailed.enter(rosa, password);

  expect((await mailed.sign(sender, rosa.tenant)).status).toBe(200);
});

test('owner and administrators see the signing holds, and the report shows why it cannot be signed', async () => {
  const rosa = await newOwner();
  const admin = await world.signIn('ADMIN', rosa.tenant);
  const study = await world.inTenant(rosa.tenant, (scope) => addStudy(scope));
  const body = { content: reportText, patientId: study.patientId };
  const created = await rosa.send(reports.create, { params: { id: study.id }, body });

  await admin.send(users.resetPassword, { params: { id: rosa.userId } });
  const { data } = await rosa.send(signingHolds.own);
  const report = await rosa.send(reports.get, { params: { id: created.data.id } });
  const listed = await admin.send(users.get, { params: { id: rosa.userId } });

  expect(data.holds).toMatchObject([{ cause: 'PASSWORD', placedByName: admin.session.name }]);
  expect((await admin.send(signingHolds.ofUser, { params: { id: rosa.userId } })).data.holds).toEqual(data.holds);
  expect(listed.data.isHeld).toBe(true);
  expect(created.data.rights.canFinalize).toBe(true);
  expect(report.data.rights).toMatchObject({ canFinalize: false, canEdit: true });
  expect(report.data.rights.reasons.find(({ act }) => act === 'finalize')?.reason).toContain('must be confirmed');
});
