import { account } from '@radwork/contract/identity/accounts';
import { criticalFindings } from '@radwork/contract/reading/critical-findings';
import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import { reports } from '@radwork/contract/reading/reports';
import { roles } from '@radwork/contract/identity/roles';
import { signingHeld, signingHolds } from '@radwork/contract/identity/signing-holds';
import { tenants } from '@radwork/contract/identity/tenants';
import { users } from '@radwork/contract/identity/users';
import { expect, test } from 'vitest';
import { codeOf, password } from '#test/account-steps.ts';
import { findingSteps } from '#test/finding-steps.ts';
import { holdSteps, thiefsPassword } from '#test/hold-steps.ts';
import { reportSteps, reportText, signature } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

/** In each test, a user tries to sign as another user. */
const world = await createWorld();
const { newOwner, enrol, later, audited, told: notificationTitles, take, invite, sign, enter } = holdSteps(world);
const { begin, requestReview } = reportSteps(world);
const { add, communicate } = findingSteps(world);

const heldRefusal = { status: 403, error: signingHeld };

const change = async (admin: Person, id: string, changes: object) => {
  const { data: user } = await admin.send(users.get, { params: { id } });
  const { username, name, email, userType, specialization, department, revision } = user;
  const body = { username, name, email, userType, specialization, department, revision, ...changes };
  return admin.send(users.update, { params: { id }, body });
};

test("an administrator who resets a physician's password and reads the link cannot sign as that physician", async () => {
  const rosa = await newOwner();
  const admin = await world.signIn('ADMIN', rosa.tenant);

  const stolen = await take(admin, rosa);
  const signed = await sign(stolen, rosa.tenant);

  expect(signed).toMatchObject(heldRefusal);
  expect(signed.message).toContain(`new password requested by ${admin.session.name}`);
  expect(await audited(rosa)).toContain('signing.hold');
  expect(await notificationTitles(rosa)).toContain('An administrator requested a new password for you');
});

test('an account taken over by an administrator cannot approve, sign addenda or settle critical findings', async () => {
  const rosa = await newOwner();
  const admin = await world.signIn('ADMIN', rosa.tenant);
  const author = await world.signIn('RADIOLOGIST', rosa.tenant);
  const reviewed = await begin(author);
  const reviewer = { ...author, userId: rosa.userId };
  await requestReview(author, reviewed.id, reviewer);
  const mine = await sign(rosa, rosa.tenant);
  const { id } = await add(author, reviewed.id);
  await communicate(author, id, { recipientId: rosa.userId, method: 'PHONE' });

  const stolen = await take(admin, rosa);
  const approved = await stolen.send(reports.submitReview, {
    params: { id: reviewed.id },
    body: { approved: true, comments: 'Agreed' },
  });
  const draftResponse = await stolen.send(reportAddenda.begin, {
    params: { id: mine.data.id },
    body: { kind: 'ADDENDUM', content: reportText, passage: '', corrects: null },
  });
  const draft = draftResponse.data.addendumDraft;
  const added = await stolen.send(reportAddenda.sign, {
    params: { id: mine.data.id, addendumId: draft?.id ?? '' },
    body: {
      kind: 'ADDENDUM',
      content: reportText,
      passage: '',
      corrects: null,
      revision: draft?.revision ?? 0,
      signatureData: signature,
    },
  });
  const acknowledged = await stolen.send(criticalFindings.acknowledge, { params: { id } });
  const withdrawn = await stolen.send(criticalFindings.withdraw, { params: { id }, body: { reason: 'A mistake' } });

  expect(mine.status).toBe(200);
  expect(approved).toMatchObject(heldRefusal);
  expect(draftResponse.status).toBe(200);
  expect(added).toMatchObject(heldRefusal);
  expect(acknowledged).toMatchObject(heldRefusal);
  expect(withdrawn).toMatchObject(heldRefusal);
});

test('an administrator cannot sign with an account created for an invented user', async () => {
  const admin = await world.signIn('ADMIN');

  const { sender, userId } = await invite(admin);
  const signed = await sign(sender, admin.tenant);
  const confirmed = await admin.send(signingHolds.confirm, { params: { id: userId } });

  expect(signed).toMatchObject(heldRefusal);
  expect(confirmed).toMatchObject({ status: 409, error: 'signing.same_person' });
});

test('a user who was moved from another organization must be confirmed again', async () => {
  const mover = await world.signIn('SUPER_ADMIN');
  const otherTenant = await world.newTenant();
  const { data } = await mover.send(tenants.list, { query: { query: otherTenant.subdomain } });
  const created = await mover.send(users.create, {
    body: { username: 'moved.one', name: 'Moved One', email: 'moved@example.org', userType: 'RADIOLOGIST' },
  });

  const moved = await mover.send(users.setTenant, {
    params: { id: created.data.user.id },
    body: { tenantId: data.content[0]?.id ?? '' },
  });
  await holdSteps(world).usePath(moved.data.invitation?.link ?? null);
  const sender = await enter({ username: 'moved.one', tenant: otherTenant }, thiefsPassword);

  expect(await sign(sender, otherTenant)).toMatchObject(heldRefusal);
});

test('an account cannot sign after another user removed its second factor', async () => {
  const rosa = await newOwner();
  await enrol(rosa);
  const admin = await world.signIn('ADMIN', rosa.tenant);

  await admin.send(account.resetSecondFactor, { params: { id: rosa.userId } });

  expect(await sign(rosa, rosa.tenant)).toMatchObject(heldRefusal);
});

test('a second factor that an attacker set up after taking over an account does not prove the account', async () => {
  const rosa = await newOwner();
  const admin = await world.signIn('ADMIN', rosa.tenant);
  const stolen = await take(admin, rosa);

  const enrollment = await stolen.send(account.beginSecondFactor, { body: { currentPassword: thiefsPassword } });
  await stolen.send(account.confirmSecondFactor, { body: { code: codeOf(enrollment.data.key) } });
  await later(rosa);
  const proven = await stolen.send(signingHolds.proveByCode, { body: { code: codeOf(enrollment.data.key) } });
  await later(rosa);
  const again = await enter(rosa, thiefsPassword, codeOf(enrollment.data.key));

  expect(proven).toMatchObject({ status: 409, error: 'signing.no_way' });
  expect(await sign(again, rosa.tenant)).toMatchObject(heldRefusal);
});

test('an account with a changed name or e-mail address cannot sign before its owner confirms the change', async () => {
  const rosa = await newOwner();
  const paul = await newOwner('RADIOLOGIST', rosa.tenant);
  const admin = await world.signIn('ADMIN', rosa.tenant);

  await change(admin, rosa.userId, { email: 'thief@example.org' });
  await change(admin, paul.userId, { name: 'Dr Gregory House' });

  expect(await sign(rosa, rosa.tenant)).toMatchObject(heldRefusal);
  expect(await sign(paul, rosa.tenant)).toMatchObject(heldRefusal);
});

test('a physician who changes their own name cannot sign, and cannot confirm the change', async () => {
  const rosa = await newOwner();
  const { key } = await enrol(rosa);
  const { data } = await rosa.send(account.read);
  const { email, specialization, department, revision } = data;

  await rosa.send(account.save, {
    body: { name: 'Dr Gregory House', email, specialization, department, revision },
  });
  await later(rosa);
  const proven = await rosa.send(signingHolds.proveByCode, { body: { code: codeOf(key) } });

  expect(await sign(rosa, rosa.tenant)).toMatchObject(heldRefusal);
  expect(proven).toMatchObject({ status: 409, error: 'signing.no_way' });
});

test('a user who gains the right to sign by a role, a type or a changed role must be confirmed first', async () => {
  const governor = await world.signIn('SUPER_ADMIN');
  const { tenant } = governor;
  const byType = await newOwner('REFERRING_PHYSICIAN', tenant);
  const byRole = await newOwner('RADIOLOGIST', tenant);
  const byGrowth = await newOwner('RADIOLOGIST', tenant);
  const can = ['study.view', 'report.view', 'report.create', 'report.edit'] as const;
  const form = { name: 'Resident', description: '', permissions: [...can] };
  const { data: resident } = await governor.send(roles.create, { body: form });
  const signs = { name: 'Signs', description: '', permissions: [...can, 'report.finalize' as const] };
  const { data: signing } = await governor.send(roles.create, { body: signs });
  for (const { userId } of [byRole, byGrowth]) {
    await governor.send(users.setRoles, { params: { id: userId }, body: { roles: [resident.id] } });
  }

  await change(governor, byType.userId, { userType: 'RADIOLOGIST' });
  await governor.send(users.setRoles, { params: { id: byRole.userId }, body: { roles: [signing.id] } });
  await governor.send(roles.update, {
    params: { id: resident.id },
    body: { ...signs, name: 'Resident', revision: resident.revision },
  });

  for (const owner of [byType, byRole, byGrowth]) {
    const answer = await sign(await enter(owner, password), tenant);
    expect(answer).toMatchObject(heldRefusal);
    expect(answer.message).toContain('permission to sign granted');
  }
});

test('a physician with a role that manages users cannot sign as a colleague', async () => {
  const governor = await world.signIn('SUPER_ADMIN');
  const thief = await world.signIn('RADIOLOGIST', governor.tenant);
  const rosa = await newOwner('RADIOLOGIST', governor.tenant);
  const { data: choices } = await governor.send(users.roleChoices);
  const radiologist = choices.find(({ builtInFor }) => builtInFor === 'RADIOLOGIST');
  const role = { name: 'Office', description: '', permissions: ['user.manage' as const] };
  const { data: office } = await governor.send(roles.create, { body: role });
  await world.inTenant(governor.tenant, ({ db }) =>
    db.insertInto('user_roles').values({ user_id: thief.userId, role_id: office.id }).execute(),
  );

  expect(radiologist).toBeDefined();
  expect(await sign(await take(thief, rosa), rosa.tenant)).toMatchObject(heldRefusal);
});

test('an administrator cannot confirm a user through an account that they created or took over', async () => {
  const thief = await world.signIn('ADMIN');
  const { tenant } = thief;
  const rosa = await newOwner('RADIOLOGIST', tenant);
  const colleague = await newOwner('ADMIN', tenant);
  const stolen = await take(thief, rosa);
  const puppet = await invite(thief, { userType: 'ADMIN' });
  const takenOver = await take(thief, colleague);

  for (const second of [puppet.sender, takenOver]) {
    const confirmed = await second.send(signingHolds.confirm, { params: { id: rosa.userId } });
    expect(confirmed).toMatchObject({ status: 403 });
  }
  const byHerself = await stolen.send(signingHolds.confirm, { params: { id: rosa.userId } });

  expect(byHerself.status).toBe(403);
  expect(await sign(stolen, tenant)).toMatchObject(heldRefusal);
});

test('only a super administrator can allow unconfirmed accounts to sign', async () => {
  const admin = await world.signIn('ADMIN');
  const { data } = await (
    await world.signIn('SUPER_ADMIN')
  ).send(tenants.list, {
    query: { query: admin.tenant.subdomain },
  });
  const id = data.content[0]?.id ?? '';

  const refused = await admin.send(signingHolds.setTenantRule, { params: { id }, body: { isAllowed: true } });

  expect(refused.status).toBe(403);
});

test('a later name of the account does not change earlier signatures', async () => {
  const rosa = await newOwner();
  const admin = await world.signIn('ADMIN', rosa.tenant);
  const signed = await sign(rosa, rosa.tenant);
  const { id } = signed.data;
  const addendum = { kind: 'ADDENDUM' as const, content: '<p>Seen again.</p>' };
  const draftResponse = await rosa.send(reportAddenda.begin, { params: { id }, body: addendum });
  await rosa.send(reportAddenda.sign, {
    params: { id, addendumId: draftResponse.data.addendumDraft?.id ?? '' },
    body: { ...addendum, revision: 1, signatureData: signature },
  });

  await change(admin, rosa.userId, { name: 'Dr Gregory House' });
  const read = await rosa.send(reports.get, { params: { id } });

  expect(signed.data.finalizedBy?.name).toBe('Rosa Lind');
  expect(read.data.finalizedBy?.name).toBe('Rosa Lind');
  expect(read.data.addenda.map(({ finalizedBy }) => finalizedBy.name)).toEqual(['Rosa Lind']);
});
