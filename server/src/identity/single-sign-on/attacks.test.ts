import { reports } from '@radwork/contract/reading/reports';
import { roles } from '@radwork/contract/identity/roles';
import { signingHeld } from '@radwork/contract/identity/signing-holds';
import { singleSignOn, type SingleSignOnForm } from '@radwork/contract/identity/single-sign-on';
import { afterAll, expect, test } from 'vitest';
import { holdSteps } from '#test/hold-steps.ts';
import { reachingThisMachine } from '#test/import-steps.ts';
import { radworkAddress, startOidcProvider } from '#test/oidc-provider.ts';
import { reportText, signature } from '#test/report-steps.ts';
import { singleSignOnSteps } from '#test/single-sign-on-steps.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Tenant } from '#test/world.ts';

/** In each test, an administrator tries to sign as another user by single sign-on. */
const world = await createWorld({ ...reachingThisMachine, PUBLIC_URL: radworkAddress });
const provider = await startOidcProvider();
const { setUp, change, somebody, signIn, refusal } = singleSignOnSteps(world, provider);
const { newOwner } = holdSteps(world);
afterAll(provider.stop);

const heldRefusal = { status: 403, error: signingHeld };

const readers: SingleSignOnForm['rules'] = [{ value: 'staff', userType: 'RADIOLOGIST', roleIds: [] }];
const clerks: SingleSignOnForm['rules'] = [{ value: 'staff', userType: 'REFERRING_PHYSICIAN', roleIds: [] }];
const byGroups: Partial<SingleSignOnForm> = { groupsClaim: 'groups', fallbackType: null, rules: clerks };

/** Signs a report in the session of a sign-in at the provider. */
const signBy = async (tenant: Tenant, token: string) => {
  const study = await world.inTenant(tenant, (scope) => addStudy(scope));
  const headers = { authorization: `Bearer ${token}` };
  const created = await world.send(reports.create, {
    params: { id: study.id },
    body: { content: reportText, patientId: study.patientId },
    headers,
  });
  expect(created).toMatchObject({ status: 200 });
  return world.send(reports.finalize, {
    params: { id: created.data.id },
    body: { content: reportText, signatureData: signature },
    headers,
  });
};

/** Lifts all holds, as for users known for a long time. */
const confirmAll = (tenant: Tenant) =>
  world.inTenant(tenant, ({ db }) =>
    db.updateTable('signing_holds').set({ lifted_at: new Date().toISOString(), lifted_how: 'CONFIRMED' }).execute(),
  );

test("an administrator cannot sign with a physician's account connected to the administrator's identity", async () => {
  const rosa = await newOwner();
  const { admin, tenant } = await setUp({ isEnrolling: false }, rosa.tenant);
  const thief = somebody();
  expect(await refusal(tenant, thief)).toBe('unknown');
  const { data: arrivals } = await admin.send(singleSignOn.arrivals);
  const arrival = arrivals.find(({ subject }) => subject === thief);

  const linked = await admin.send(singleSignOn.link, {
    params: { arrivalId: arrival?.id ?? '' },
    body: { username: rosa.username },
  });
  const { token } = await signIn(tenant, thief);
  const signed = await signBy(tenant, token);

  expect(linked.status).toBe(200);
  expect(signed).toMatchObject(heldRefusal);
  expect(signed.message).toContain(`linked to single sign-on by ${admin.session.name}`);
});

test('a user whose group gains the right to sign must first be confirmed', async () => {
  const { admin, tenant } = await setUp(byGroups);
  const clerk = somebody({ groups: ['staff'] });
  await signIn(tenant, clerk);
  await confirmAll(tenant);

  expect(await change(admin, { rules: readers })).toMatchObject({ status: 200 });
  const { token, user } = await signIn(tenant, clerk);
  const signed = await signBy(tenant, token);

  expect(user.userType).toBe('RADIOLOGIST');
  expect(signed).toMatchObject(heldRefusal);
  expect(signed.message).toContain(`permission to sign granted by ${admin.session.name}`);
});

test('a user who becomes a reader by another claim of the provider must first be confirmed', async () => {
  const { admin, tenant } = await setUp({
    ...byGroups,
    rules: [...readers, { value: 'desk', userType: 'REFERRING_PHYSICIAN', roleIds: [] }],
  });
  const clerk = somebody({ groups: ['desk'], realm_access: { roles: ['staff'] } });
  await signIn(tenant, clerk);
  await confirmAll(tenant);

  await change(admin, { groupsClaim: 'realm_access.roles' });
  const { token } = await signIn(tenant, clerk);

  expect(await signBy(tenant, token)).toMatchObject(heldRefusal);
});

test('a user whose group has a role that gained the right to sign must first be confirmed', async () => {
  const { admin, tenant } = await setUp(byGroups);
  const clerk = somebody({ groups: ['staff'] });
  await signIn(tenant, clerk);
  const governor = await world.signIn('SUPER_ADMIN', tenant);
  const created = await governor.send(roles.create, { body: { name: 'Desk', permissions: ['study.view'] } });
  expect(created).toMatchObject({ status: 200 });
  const { data: role } = created;
  await change(admin, { rules: [{ value: 'staff', userType: 'RADIOLOGIST', roleIds: [role.id] }] });
  // Makes the last sign-in later than the choice of the group's rights. At that time, the role still gave no right.
  await world.inTenant(tenant, ({ db }) =>
    db
      .updateTable('user_identities')
      .set({ last_used_at: new Date(Date.now() + 1).toISOString() })
      .execute(),
  );
  await confirmAll(tenant);

  const grown = await governor.send(roles.update, {
    params: { id: role.id },
    body: {
      name: 'Desk',
      permissions: ['study.view', 'patient.view', 'report.view', 'report.create', 'report.edit', 'report.finalize'],
      revision: role.revision,
    },
  });
  const { token } = await signIn(tenant, clerk);

  expect(grown.status).toBe(200);
  expect(await signBy(tenant, token)).toMatchObject(heldRefusal);
});

test('a user whose groups change at the provider can sign immediately', async () => {
  const { tenant } = await setUp({
    ...byGroups,
    rules: [{ value: 'readers', userType: 'RADIOLOGIST', roleIds: [] }, ...clerks],
  });
  const promoted = somebody({ groups: ['staff'] });
  await signIn(tenant, promoted);
  await confirmAll(tenant);

  provider.people.set(promoted, { ...provider.people.get(promoted), groups: ['readers'] });
  const { token } = await signIn(tenant, promoted);

  expect(await signBy(tenant, token)).toMatchObject({ status: 200 });
});
