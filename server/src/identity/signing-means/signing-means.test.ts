import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import { reports } from '@radwork/contract/reading/reports';
import { signingHeld, signingHolds } from '@radwork/contract/identity/signing-holds';
import { signingMeansCalls as means, type SigningProof } from '@radwork/contract/identity/signing-means';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createVault } from '#core/installation/vault.ts';
import { secretKeyOf } from '#core/installation/secret-key.ts';
import { codeOf, password } from '#test/account-steps.ts';
import { holdSteps, type Sender, thiefsPassword } from '#test/hold-steps.ts';
import { reportText, signature } from '#test/report-steps.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Tenant } from '#test/world.ts';
import { resealSigningMeans } from './reseal-means.ts';
import { sealedImageColumn } from './stored-means.ts';

const world = await createWorld();
const { newOwner, enrol, later, audited, told: notificationTitles, take } = holdSteps(world);

const pin = '190482';
const heldRefusal = { status: 403, error: signingHeld };
const picture = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a0001', 'hex').toString('base64')}`;

const ask = (tenant: Tenant, signing_proof: SigningProof) =>
  world.owner.updateTable('tenants').set({ signing_proof }).where('id', '=', tenant.id).execute();

const letUnprovenSign = (tenant: Tenant) =>
  world.owner.updateTable('tenants').set({ may_sign_unproven: true }).where('id', '=', tenant.id).execute();

const signedInLongAgo = ({ userId }: { userId: string }) =>
  world.owner
    .updateTable('sessions')
    .set({ authenticated_at: sql`now() - interval '16 minutes'` })
    .where('user_id', '=', userId)
    .execute();

/** Begins a report of a new study. */
const begin = async (sender: Sender, tenant: Tenant): Promise<string> => {
  const study = await world.inTenant(tenant, (scope) => addStudy(scope));
  const { data } = await sender.send(reports.create, {
    params: { id: study.id },
    body: { content: reportText, patientId: study.patientId },
  });
  return data.id;
};

/** Signs a new report. The form has these additional fields. */
const sign = async (sender: Sender, tenant: Tenant, more: object) =>
  sender.send(reports.finalize, {
    params: { id: await begin(sender, tenant) },
    body: { content: reportText, ...more },
  });

const setPin = (sender: Sender, body: object = { pin, password }) => sender.send(means.setPin, { body });
const save = (sender: Sender, body: object = {}) =>
  sender.send(means.saveSignature, { body: { signatureData: picture, ...body } });
const read = async (sender: Sender) => (await sender.send(means.read)).data;

const detailOf = async (tenant: Tenant, action: string) => {
  const rows = await world.inTenant(tenant, ({ db }) =>
    db.selectFrom('audit_entries').select('detail').where('action', '=', action).orderBy('id').execute(),
  );
  return rows.at(-1)?.detail;
};

test('saves a signature for its owner, who can sign with it', async () => {
  const rosa = await newOwner();

  const saved = await save(rosa);
  const signed = await sign(rosa, rosa.tenant, { usesSavedSignature: true });

  expect(saved).toMatchObject({ status: 200, data: { savedSignature: picture } });
  expect(signed).toMatchObject({ status: 200, data: { signatureData: picture } });
  expect(await audited(rosa)).toContain('saved_signature.save');
  expect(await notificationTitles(rosa)).toContain('Your signature was saved');
  expect(await detailOf(rosa.tenant, 'report.finalize')).toMatchObject({ usesSavedSignature: true });
});

test('signs an addendum with the saved signature', async () => {
  const rosa = await newOwner();
  await save(rosa);
  const { data } = await sign(rosa, rosa.tenant, { signatureData: signature });
  const words = { kind: 'ADDENDUM' as const, content: '<p>Seen again.</p>' };
  const draftResponse = await rosa.send(reportAddenda.begin, { params: { id: data.id }, body: words });

  const signed = await rosa.send(reportAddenda.sign, {
    params: { id: data.id, addendumId: draftResponse.data.addendumDraft?.id ?? '' },
    body: { ...words, revision: 1, usesSavedSignature: true },
  });

  expect(signed.data.addenda).toMatchObject([{ signatureData: picture }]);
});

test('neither shows nor uses a signature or PIN of another user, in this or another organization', async () => {
  const rosa = await newOwner();
  const colleague = await newOwner('RADIOLOGIST', rosa.tenant);
  const stranger = await newOwner();
  await world.owner.updateTable('users').set({ username: rosa.username }).where('id', '=', stranger.userId).execute();
  await save(rosa);
  await setPin(rosa);

  for (const other of [colleague, stranger]) {
    await ask(other.tenant, 'RECENT_SIGN_IN');
    const signed = await sign(other, other.tenant, { usesSavedSignature: true });
    await ask(other.tenant, 'PIN');
    const byPin = await sign(other, other.tenant, { signatureData: signature, pin });

    expect(await read(other)).toMatchObject({ savedSignature: null, pinSince: null });
    expect(signed).toMatchObject({ status: 422, errors: [{ field: 'signatureData' }] });
    expect(byPin).toMatchObject({
      status: 422,
      errors: [{ field: 'pin', message: 'You have no signing PIN. Set a PIN under My account.' }],
    });
  }
});

test('refuses the PIN of a user for a user of the same name in another organization', async () => {
  const [rosa, namesake] = [await newOwner(), await newOwner()];
  await setPin(rosa);
  await setPin(namesake, { pin: '573018', password });
  await world.owner.updateTable('users').set({ username: rosa.username }).where('id', '=', namesake.userId).execute();
  for (const { tenant } of [rosa, namesake]) await ask(tenant, 'PIN');

  const wrong = await sign(namesake, namesake.tenant, { signatureData: signature, pin });
  const right = await sign(rosa, rosa.tenant, { signatureData: signature, pin });

  expect(wrong).toMatchObject({ status: 422, errors: [{ field: 'pin', message: 'The PIN is wrong' }] });
  expect(right.status).toBe(200);
});

test('requires the password to save, use or remove a signature in an older session', async () => {
  const rosa = await newOwner();
  await save(rosa);
  await signedInLongAgo(rosa);

  const refused = [
    await save(rosa),
    await sign(rosa, rosa.tenant, { usesSavedSignature: true }),
    await rosa.send(means.removeSignature, { body: {} }),
  ];
  const removed = await rosa.send(means.removeSignature, { body: { password } });

  for (const answer of refused) expect(answer).toMatchObject({ status: 403, error: 'session.reauthenticate' });
  expect(removed).toMatchObject({ status: 200, data: { savedSignature: null } });
  expect(await audited(rosa)).toContain('saved_signature.remove');
});

test('saves a drawn signature while signing, but not a typed or saved signature', async () => {
  const rosa = await newOwner();

  const signed = await sign(rosa, rosa.tenant, { signatureData: picture, savesSignature: true });
  const typed = await sign(rosa, rosa.tenant, { signatureData: picture, typedName: rosa.name, savesSignature: true });
  const both = await sign(rosa, rosa.tenant, { signatureData: picture, usesSavedSignature: true });

  expect(signed.status).toBe(200);
  expect(await read(rosa)).toMatchObject({ savedSignature: picture });
  expect(typed).toMatchObject({ status: 422, errors: [{ field: 'savesSignature' }] });
  expect(both).toMatchObject({ status: 422, errors: [{ field: 'signatureData' }] });
});

test('an account with a signing hold saves no signature and sets no PIN', async () => {
  const rosa = await newOwner();
  await save(rosa);
  const admin = await world.signIn('ADMIN', rosa.tenant);

  const stolen = await take(admin, rosa);

  expect(await save(stolen, { signatureData: signature })).toMatchObject(heldRefusal);
  expect(await setPin(stolen, { pin, password: thiefsPassword })).toMatchObject(heldRefusal);
  expect(await read(stolen)).toMatchObject({ savedSignature: picture, pinSince: null });
});

test('ending the hold removes the signature image and the PIN that an attacker saved', async () => {
  const rosa = await newOwner();
  await letUnprovenSign(rosa.tenant);
  const [admin, second] = [await world.signIn('ADMIN', rosa.tenant), await world.signIn('ADMIN', rosa.tenant)];
  const stolen = await take(admin, rosa);
  const saved = [await save(stolen), await setPin(stolen, { pin, password: thiefsPassword })];

  const confirmed = await second.send(signingHolds.confirm, { params: { id: rosa.userId } });

  expect(saved.map(({ status }) => status)).toEqual([200, 200]);
  expect(confirmed).toMatchObject({ status: 200, data: { holds: [] } });
  expect(await read(stolen)).toMatchObject({ savedSignature: null, pinSince: null });
  expect(await audited(rosa)).toContain('signing_means.forget');
});

test('ending the hold keeps the signature and the PIN that were saved before it', async () => {
  const rosa = await newOwner();
  await save(rosa);
  await setPin(rosa);
  const [admin, second] = [await world.signIn('ADMIN', rosa.tenant), await world.signIn('ADMIN', rosa.tenant)];
  const stolen = await take(admin, rosa);

  await second.send(signingHolds.confirm, { params: { id: rosa.userId } });

  expect(await read(stolen)).toMatchObject({ savedSignature: picture, pinSince: expect.any(String) });
  expect(await audited(rosa)).not.toContain('signing_means.forget');
});

test('refuses a PIN of one repeated digit, of consecutive digits, or of another length', async () => {
  const rosa = await newOwner();

  for (const easy of ['111111', '123456', '654321', '890123', '12345', '1234567890123', '19o482']) {
    const answer = await setPin(rosa, { pin: easy, password });
    expect(answer).toMatchObject({ status: 422, errors: [{ field: 'pin' }] });
  }
  expect((await setPin(rosa)).status).toBe(200);
});

test('setting or removing a PIN requires a password or a code, even after a recent sign-in', async () => {
  const rosa = await newOwner();

  const refused = await setPin(rosa, { pin });
  const wrong = await setPin(rosa, { pin, password: 'a wrong password' });
  const set = await setPin(rosa);
  const withoutPassword = await rosa.send(means.removePin, { body: {} });
  const removed = await rosa.send(means.removePin, { body: { password } });

  expect(refused).toMatchObject({ status: 403, error: 'session.reauthenticate', errors: [{ field: 'password' }] });
  expect(wrong).toMatchObject({ status: 422, errors: [{ field: 'password', message: 'The password is wrong' }] });
  expect(set).toMatchObject({ status: 200, data: { pinSince: expect.any(String) } });
  expect(withoutPassword.status).toBe(403);
  expect(removed).toMatchObject({ status: 200, data: { pinSince: null } });
  expect(await audited(rosa)).toEqual(expect.arrayContaining(['signing_pin.set', 'signing_pin.remove']));
});

test('signing with a PIN requires it at each signature and accepts no password instead', async () => {
  const rosa = await newOwner();
  await setPin(rosa);
  await ask(rosa.tenant, 'PIN');

  const refused = await sign(rosa, rosa.tenant, { signatureData: signature, password });
  const signed = await sign(rosa, rosa.tenant, { signatureData: signature, pin });
  const next = await sign(rosa, rosa.tenant, { signatureData: signature });

  expect(refused).toMatchObject({ status: 403, errors: [{ field: 'pin', message: 'Enter your signing PIN' }] });
  expect(signed.status).toBe(200);
  expect(next.status).toBe(403);
  expect(await detailOf(rosa.tenant, 'report.finalize')).toMatchObject({ proof: 'PIN' });
});

test('checks five of 45 parallel PINs and then refuses even the correct PIN', async () => {
  const rosa = await newOwner();
  await setPin(rosa);
  await ask(rosa.tenant, 'PIN');
  const id = await begin(rosa, rosa.tenant);
  const guess = (typed: string) =>
    rosa.send(reports.finalize, {
      params: { id },
      body: { content: reportText, signatureData: signature, pin: typed },
    });

  const answers = await Promise.all(Array.from({ length: 45 }, (_, at) => guess(String(700_000 + at))));
  const right = await guess(pin);

  expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
  expect(right).toMatchObject({ status: 429, message: expect.stringContaining('Too many wrong PINs') });
  expect(await audited(rosa)).toEqual(expect.arrayContaining(['signing_pin.refuse', 'signing_pin.lock']));
});

test('wrong PINs do not lock the owner out of the sign-in', async () => {
  const rosa = await newOwner();
  await setPin(rosa);
  await ask(rosa.tenant, 'PIN');
  for (const typed of ['700001', '700002', '700003', '700004', '700005', '700006']) {
    await sign(rosa, rosa.tenant, { signatureData: signature, pin: typed });
  }

  const entered = await rosa.logIn();

  expect(entered.statusCode).toBe(200);
});

test('requires the password at each signature if the organization says so, even after a recent sign-in', async () => {
  const rosa = await newOwner();
  await ask(rosa.tenant, 'PASSWORD');

  const refused = await sign(rosa, rosa.tenant, { signatureData: signature });
  const signed = await sign(rosa, rosa.tenant, { signatureData: signature, password });
  const next = await sign(rosa, rosa.tenant, { signatureData: signature });

  expect(refused).toMatchObject({
    status: 403,
    error: 'session.reauthenticate',
    errors: [{ field: 'password', message: 'Enter your password to sign' }],
  });
  expect([signed.status, next.status]).toEqual([200, 403]);
});

test('requires a code at each signature if the organization says so, and accepts each code once', async () => {
  const rosa = await newOwner();
  const { key } = await enrol(rosa);
  await later(rosa);
  await ask(rosa.tenant, 'CODE');
  const code = codeOf(key);

  const refused = await sign(rosa, rosa.tenant, { signatureData: signature, password });
  const [one, other] = await Promise.all([
    sign(rosa, rosa.tenant, { signatureData: signature, code }),
    sign(rosa, rosa.tenant, { signatureData: signature, code }),
  ]);

  expect(refused).toMatchObject({ status: 403, errors: [{ field: 'code' }] });
  expect(new Set([one.status, other.status])).toEqual(new Set([200, 422]));
});

test('explains how to set up a second factor if signatures require it and the user has not done so', async () => {
  const rosa = await newOwner();
  await ask(rosa.tenant, 'CODE');

  const refused = await sign(rosa, rosa.tenant, { signatureData: signature, code: '123456' });

  expect(refused).toMatchObject({
    status: 422,
    errors: [
      {
        field: 'code',
        message: 'Signing requires an authenticator app. Set up a second factor under My account.',
      },
    ],
  });
});

test('seals signatures and PIN hashes, and seals them again for a new secret', async () => {
  const rosa = await newOwner();
  await save(rosa);
  await setPin(rosa);
  const newKey = secretKeyOf('another secret of thirty-two characters');
  const vault = createVault(newKey, [world.context.secretKey]);

  const stored = await world.owner
    .selectFrom('saved_signatures')
    .select('sealed_picture')
    .where('user_id', '=', rosa.userId)
    .executeTakeFirstOrThrow();
  const count = await resealSigningMeans(world.owner, vault);
  const moved = await world.owner
    .selectFrom('saved_signatures')
    .select('sealed_picture')
    .where('user_id', '=', rosa.userId)
    .executeTakeFirstOrThrow();
  await resealSigningMeans(world.owner, createVault(world.context.secretKey, [newKey]));

  expect(stored.sealed_picture).toMatch(/^v1\./);
  expect(count).toBeGreaterThanOrEqual(2);
  const place = sealedImageColumn({ tenantId: rosa.tenant.id, userId: rosa.userId });
  expect(createVault(newKey).open(moved.sealed_picture, place)).toBe(picture);
  expect(await read(rosa)).toMatchObject({ savedSignature: picture, pinSince: expect.any(String) });
});
