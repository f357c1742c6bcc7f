import { type ReportingSettingsForm, reportingSettings } from '@radwork/contract/reading/reporting-settings';
import type { Failure } from '@radwork/contract/core/failure';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { secretKeyOf } from '#core/installation/secret-key.ts';
import { createVault } from '#core/installation/vault.ts';
import { createWorld, type Person } from '#test/world.ts';
import { openKey, resealServiceKeys, settingsOfTenant } from './stored-settings.ts';

const world = await createWorld();

const form: ReportingSettingsForm = {
  isDictationAllowed: true,
  aiProvider: 'RULES',
  aiModel: '',
  aiBaseUrl: '',
  aiKey: '',
  dictationKey: '',
  isAiAgreed: false,
  criticalMinutes: 60,
  urgentMinutes: 1440,
  significantMinutes: 10_080,
  isLinkCodeRequired: false,
  linkDays: 30,
  isReviewRequired: false,
  isSignatureRequired: true,
  signingProof: 'RECENT_SIGN_IN' as const,
  letterhead: '',
  letterheadFooter: '',
  letterheadLogo: null,
  isReportStoredAsDicom: false,
  reportContact: '',
  reportIdentifier: 'BIRTH_DATE',
  revision: 1,
};
const gemini = { aiProvider: 'GEMINI', aiModel: 'gemini-flash-latest', aiKey: 'KEY-1', isAiAgreed: true } as const;

const read = async (admin: Person) => (await admin.send(reportingSettings.read)).data;
const forWriting = async (person: Person) => (await person.send(reportingSettings.forWriting)).data;

/** Changes fields of the stored settings and saves them. */
const save = async (admin: Person, changes: Partial<ReportingSettingsForm>) => {
  const { revision } = await read(admin);
  return admin.send(reportingSettings.save, { body: { ...form, revision, ...changes } });
};

const storedKey = (admin: Person) =>
  world.inTenant(admin.tenant, async (scope) => openKey(world.context.vault, await settingsOfTenant(scope)));

const faultsOf = ({ errors = [] }: Partial<Failure>) =>
  Object.fromEntries(errors.map(({ field, message }) => [field, message]));

const logo = async (format: 'png' | 'jpeg', side = 40) => {
  const picture = sharp({ create: { width: side, height: side, channels: 3, background: '#2c6bd6' } });
  const bytes = await picture
    .withMetadata({ exif: { IFD0: { Artist: 'Somebody' } } })
    [format]()
    .toBuffer();
  return `data:image/${format};base64,${bytes.toString('base64')}`;
};

test('a new tenant drafts by rules and sends no text to a provider', async () => {
  const writer = await world.signIn('RADIOLOGIST');

  expect(await forWriting(writer)).toEqual({
    isDictationAllowed: true,
    dictation: { server: '', isBrowserAllowed: true },
    drafting: {
      isOn: true,
      provider: 'RULES',
      providerName: 'Built-in drafter',
      model: '',
      whereTextGoes: '',
      isRuleBased: true,
    },
    clocks: { CRITICAL: 60, URGENT: 1440, SIGNIFICANT: 10_080 },
    isSignatureRequired: true,
    isReviewRequired: false,
    isLinkCodeRequired: false,
    linkDays: 30,
    showsPreliminary: false,
  });
});

test('an administrator changes every reporting setting, and report writers read the settings they need', async () => {
  const admin = await world.signIn('ADMIN');
  const writer = await world.signIn('RADIOLOGIST', admin.tenant);
  const changes = {
    isDictationAllowed: false,
    aiProvider: 'NONE',
    criticalMinutes: 30,
    urgentMinutes: 120,
    significantMinutes: 2880,
    isLinkCodeRequired: true,
    linkDays: 7,
    isReviewRequired: true,
    isSignatureRequired: false,
    letterhead: 'North Clinic',
    letterheadFooter: 'Tel. 555',
    isReportStoredAsDicom: true,
  } as const;

  const { data } = await save(admin, changes);

  expect(data).toMatchObject({ ...changes, revision: 2 });
  expect(await read(admin)).toEqual(data);
  expect(await forWriting(writer)).toMatchObject({
    isDictationAllowed: false,
    drafting: { isOn: false, provider: 'NONE' },
    clocks: { CRITICAL: 30, URGENT: 120, SIGNIFICANT: 2880 },
    isReviewRequired: true,
    isSignatureRequired: false,
    isLinkCodeRequired: true,
    linkDays: 7,
  });
});

test('when two administrators save simultaneously, the second gets a conflict and overwrites nothing', async () => {
  const admin = await world.signIn('ADMIN');
  const { revision } = await read(admin);

  const answers = await Promise.all(
    [5, 6].map((linkDays) => admin.send(reportingSettings.save, { body: { ...form, linkDays, revision } })),
  );

  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  const late = answers.find(({ status }) => status === 409);
  expect(late?.message).toMatch(/^Another user changed the settings\. Nothing was saved/);
  const won = answers.find(({ status }) => status === 200);
  expect(await read(admin)).toEqual(won?.data);
});

test.each([
  ['linkDays', { linkDays: 0 }, 'Use at least 1 day'],
  ['criticalMinutes', { criticalMinutes: 0.5 }, 'Enter whole minutes'],
  ['urgentMinutes', { urgentMinutes: 30 }, 'The limit must not be shorter than for critical findings'],
  ['significantMinutes', { significantMinutes: 100 }, 'The limit must not be shorter than for urgent findings'],
  ['aiModel', { ...gemini, aiModel: '' }, 'Model is required'],
  ['aiKey', { ...gemini, aiKey: '' }, 'API key is required'],
  ['aiBaseUrl', { aiProvider: 'OPENAI', aiModel: 'm', aiBaseUrl: 'models' }, 'Please enter a valid URL'],
  [
    'aiBaseUrl',
    { aiProvider: 'OPENAI', aiModel: 'm', aiBaseUrl: 'https://me:pw@models.lan' },
    'Please enter a valid URL',
  ],
  ['letterheadLogo', { letterheadLogo: 'https://example.org/logo.png' }, 'The logo must be a PNG or JPEG image'],
  [
    'letterheadLogo',
    { letterheadLogo: 'data:image/png;base64,PHN2Zz48L3N2Zz4=' },
    'The logo must be a PNG or JPEG image',
  ],
] as const)('refuses an invalid %s at its field (%j)', async (field, wrong, message) => {
  const admin = await world.signIn('ADMIN');

  const answer = await save(admin, wrong);

  expect(answer.status).toBe(422);
  expect(faultsOf(answer)).toEqual({ [field]: message });
  expect((await read(admin)).revision).toBe(1);
});

test('no response contains the key of a provider, and an empty key keeps the stored key', async () => {
  const admin = await world.signIn('ADMIN');

  const { data } = await save(admin, gemini);
  const again = await save(admin, { ...gemini, aiKey: '' });

  expect(data).toMatchObject({ hasAiKey: true });
  expect(JSON.stringify([data, again, await forWriting(admin)])).not.toContain('KEY-1');
  expect(await storedKey(admin)).toBe('KEY-1');
  const { ai_key } = await world.inTenant(admin.tenant, settingsOfTenant);
  expect(ai_key).not.toContain('KEY-1');
});

test('a provider key is kept only while its address has the same host', async () => {
  const admin = await world.signIn('ADMIN');
  const own = { aiProvider: 'OPENAI', aiModel: 'm', aiBaseUrl: 'https://models.example.org/v1' } as const;
  await save(admin, { ...own, aiKey: 'KEY-1', isAiAgreed: true });

  const moved = await save(admin, { ...own, aiBaseUrl: 'https://models.example.org/v2', isAiAgreed: true });
  expect(moved.data.hasAiKey).toBe(true);

  const elsewhere = await save(admin, { ...own, aiBaseUrl: 'https://thief.example.org/v1', isAiAgreed: true });
  expect(elsewhere.data.hasAiKey).toBe(false);
});

test('drafts with a new provider only after a user agrees to the provider, and records this user', async () => {
  const admin = await world.signIn('ADMIN');

  const silent = await save(admin, { ...gemini, isAiAgreed: false });
  const isOnBefore = (await forWriting(admin)).drafting.isOn;
  const agreed = await save(admin, { ...gemini, aiKey: '' });
  const { drafting } = await forWriting(admin);
  const unchanged = await save(admin, { ...gemini, aiKey: '', linkDays: 3 });
  const moved = await save(admin, { ...gemini, aiBaseUrl: 'https://eu.example.org/v1', isAiAgreed: false });

  expect(silent.data).toMatchObject({ aiAgreedBy: '', aiAgreedAt: null });
  expect(isOnBefore).toBe(false);
  expect(agreed.data).toMatchObject({ aiAgreedBy: admin.session.name, aiAgreedAt: expect.any(String) });
  expect(drafting).toMatchObject({
    isOn: true,
    whereTextGoes: 'generativelanguage.googleapis.com',
    isRuleBased: false,
  });
  expect(unchanged.data.aiAgreedAt).toBe(agreed.data.aiAgreedAt);
  expect(moved.data).toMatchObject({ aiAgreedBy: '', aiAgreedAt: null });
});

test('stores only the pixels of a logo, without metadata', async () => {
  const admin = await world.signIn('ADMIN');

  const { data } = await save(admin, { letterheadLogo: await logo('jpeg') });
  const unchanged = await save(admin, { letterheadLogo: data.letterheadLogo });

  const [, base64 = ''] = data.letterheadLogo?.split(',') ?? [];
  const bytes = Buffer.from(base64, 'base64');
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 40, height: 40 });
  expect(bytes.includes('Somebody')).toBe(false);
  expect(unchanged.data.letterheadLogo).toBe(data.letterheadLogo);
});

test('the audit log records changed settings without secrets', async () => {
  const admin = await world.signIn('ADMIN');
  await save(admin, { ...gemini, letterhead: 'Confidential street' });
  await save(admin, { ...gemini, aiKey: 'KEY-2', letterhead: 'Confidential street', linkDays: 9 });

  const entries = await world.inTenant(admin.tenant, ({ db }) =>
    db.selectFrom('audit_entries').select(['action', 'user_id', 'detail']).orderBy('id').execute(),
  );

  const own = entries.filter(({ action }) => action === 'reporting_settings.update');
  expect(own.map(({ user_id }) => user_id)).toEqual([admin.userId, admin.userId]);
  expect(own[1]?.detail).toEqual({ ai_key: 'changed', link_days: 9 });
  expect(JSON.stringify(own)).not.toMatch(/KEY-|Confidential/);
});

test('after a change of SECRET_KEY, resealing encrypts the provider keys with the new key', async () => {
  const admin = await world.signIn('ADMIN');
  await save(admin, gemini);
  const newKey = secretKeyOf('a new secret of this installation');

  const count = await resealServiceKeys(world.owner, createVault(newKey, [world.context.secretKey]));
  const again = await resealServiceKeys(world.owner, createVault(newKey, [world.context.secretKey]));

  expect(count).toBeGreaterThan(0);
  expect(again).toBe(0);
  const stored = await world.inTenant(admin.tenant, settingsOfTenant);
  expect(openKey(createVault(newKey), stored)).toBe('KEY-1');
});
