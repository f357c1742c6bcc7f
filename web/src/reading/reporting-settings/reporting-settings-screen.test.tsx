import { dictation } from '@radwork/contract/reading/dictation';
import { type ReportingSettings, reportingSettings } from '@radwork/contract/reading/reporting-settings';
import { reviewPhrases } from '@radwork/contract/reading/review-phrases';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, signIn, visit } from '#test/screen.tsx';

const stored = (more: Partial<ReportingSettings> = {}): ReportingSettings => ({
  revision: 3,
  isDictationAllowed: true,
  isBrowserDictationAllowed: true,
  dictationUrl: '',
  dictationModel: '',
  hasDictationKey: false,
  aiProvider: 'RULES',
  aiModel: '',
  aiBaseUrl: '',
  hasAiKey: false,
  aiAgreedBy: '',
  aiAgreedAt: null,
  criticalMinutes: 60,
  urgentMinutes: 1440,
  significantMinutes: 10_080,
  isLinkCodeRequired: false,
  linkDays: 30,
  readingClaimMinutes: 10,
  showsPreliminary: false,
  isReviewRequired: false,
  isSignatureRequired: true,
  signingProof: 'RECENT_SIGN_IN',
  letterhead: 'North Clinic',
  letterheadFooter: '',
  letterheadLogo: null,
  isReportStoredAsDicom: false,
  reportContact: '',
  reportIdentifier: 'BIRTH_DATE',
  ...more,
});

const gemini = stored({
  aiProvider: 'GEMINI',
  aiModel: 'gemini-flash-latest',
  hasAiKey: true,
  aiAgreedBy: 'Ada Admin',
  aiAgreedAt: '2026-11-22T09:12:00Z',
});

const open = async (settings: ReportingSettings, ...answers: Parameters<typeof visit>[1][]) => {
  signIn('ADMIN');
  const view = visit(
    '/reporting-settings',
    answer(reportingSettings.read, () => settings),
    ...answers,
  );
  await screen.findByRole('heading', { name: 'Drafting' });
  return view;
};

const saved = (calls: { method: string; body: unknown }[]) => calls.filter(({ method }) => method === 'PUT');
const saveButton = () => screen.getByRole('button', { name: 'Save' });

test('the settings screen saves all settings with the revision that it loaded', async () => {
  const { calls } = await open(
    stored(),
    answer(reportingSettings.save, () => stored({ isDictationAllowed: false, revision: 4 })),
  );
  expect(saveButton()).toHaveProperty('disabled', true);

  await userEvent.click(screen.getByRole('switch', { name: 'Allow dictation' }));
  expect(screen.getByText('Not saved yet')).toBeDefined();
  await userEvent.click(saveButton());

  expect(await screen.findByText('Reporting settings saved')).toBeDefined();
  expect(saved(calls)[0]?.body).toEqual({
    revision: 3,
    isDictationAllowed: false,
    isBrowserDictationAllowed: true,
    dictationUrl: '',
    dictationModel: '',
    dictationKey: '',
    aiProvider: 'RULES',
    aiModel: '',
    aiBaseUrl: '',
    aiKey: '',
    isAiAgreed: false,
    criticalMinutes: 60,
    urgentMinutes: 1440,
    significantMinutes: 10_080,
    isLinkCodeRequired: false,
    linkDays: 30,
    readingClaimMinutes: 10,
    showsPreliminary: false,
    isReviewRequired: false,
    isSignatureRequired: true,
    signingProof: 'RECENT_SIGN_IN',
    letterhead: 'North Clinic',
    letterheadFooter: '',
    letterheadLogo: null,
    isReportStoredAsDicom: false,
    reportContact: '',
    reportIdentifier: 'BIRTH_DATE',
  });
  await waitFor(() => expect(saveButton()).toHaveProperty('disabled', true));
});

test('the consent names the destination of texts, and the screen does not show a stored key', async () => {
  await open(gemini);

  expect(
    screen.getByRole('checkbox', {
      name: 'We agree to send report texts to generativelanguage.googleapis.com',
    }),
  ).toHaveProperty('checked', true);
  expect(screen.getByText(/^Agreed by Ada Admin on /)).toBeDefined();
  expect(screen.getByLabelText(/API key/)).toHaveProperty('value', '');
  expect(screen.getByText(/Leave empty to keep/)).toBeDefined();
});

test('the settings screen does not save a provider without a model', async () => {
  const { calls } = await open(gemini);

  await userEvent.clear(screen.getByLabelText(/Model/));
  await userEvent.click(saveButton());

  expect(await screen.findByText('Model is required')).toBeDefined();
  expect(document.activeElement).toBe(screen.getByLabelText(/Model/));
  expect(saved(calls)).toEqual([]);
});

test('the settings screen tests a connection before saving, and shows a readable error', async () => {
  const message = 'Google Gemini rejected the API key (401)';
  const { calls } = await open(
    gemini,
    answer(reportingSettings.test, () => ({
      isOk: false,
      milliseconds: 80,
      server: '',
      cause: 'OTHER' as const,
      message,
    })),
  );

  await userEvent.click(screen.getByRole('button', { name: 'Test connection' }));

  expect(await screen.findByText(message)).toBeDefined();
  expect(calls.at(-1)?.body).toEqual({
    aiProvider: 'GEMINI',
    aiModel: 'gemini-flash-latest',
    aiBaseUrl: '',
    aiKey: '',
  });
  await userEvent.type(screen.getByLabelText(/Model/), '2');
  expect(screen.queryByText(message)).toBeNull();
});

test('the second of two administrators who save is warned, and can load the saved settings', async () => {
  const message = 'Another user changed the settings. Nothing was saved. Reload them.';
  let current = stored();
  signIn('ADMIN');
  visit(
    '/reporting-settings',
    answer(reportingSettings.read, () => current),
    refuse(reportingSettings.save, 409, message),
  );
  await userEvent.click(await screen.findByRole('switch', { name: 'Allow dictation' }));
  await userEvent.click(saveButton());
  const notice = await screen.findByRole('button', { name: 'Reload settings' });
  expect(screen.getAllByText(message)).not.toEqual([]);
  current = stored({ letterhead: 'South Clinic', revision: 4 });

  await userEvent.click(notice);
  const question = await screen.findByRole('dialog', { name: 'Reload settings?' });
  await userEvent.click(within(question).getByRole('button', { name: 'Reload settings' }));

  await waitFor(() => expect(screen.getByLabelText('Header')).toHaveProperty('value', 'South Clinic'));
});

test.each([
  ['text/plain', 10, 'The logo must be a PNG or JPEG image'],
  ['image/png', 300 * 1024, 'The logo is larger than 200 KB'],
])('the settings screen refuses a logo of type %s and %i bytes', async (type, size, words) => {
  const { container } = await open(stored());
  const input = container.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error('There is nothing to choose a file with');

  await userEvent.upload(input, new File([new Uint8Array(size)], 'logo', { type }), { applyAccept: false });

  expect((await screen.findByRole('alert')).textContent).toBe(words);
});

test('the settings screen shows a chosen logo, saves it with the other settings, and can remove it', async () => {
  const { container, calls } = await open(
    stored(),
    answer(reportingSettings.save, (sent) => stored(sent.body as object)),
  );
  const input = container.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error('There is nothing to choose a file with');
  await userEvent.upload(input, new File(['logo'], 'logo.png', { type: 'image/png' }));
  expect(await screen.findByRole('img', { name: 'Letterhead logo' })).toBeDefined();

  await userEvent.click(saveButton());
  await screen.findByText('Reporting settings saved');
  expect(saved(calls)[0]?.body).toMatchObject({ letterheadLogo: 'data:image/png;base64,bG9nbw==' });
  await userEvent.click(screen.getByRole('button', { name: 'Remove logo' }));

  expect(screen.queryByRole('img', { name: 'Letterhead logo' })).toBeNull();
  expect(saveButton()).toHaveProperty('disabled', false);
});

test('an administrator tests and saves a dictation server, whose key the screen never shows', async () => {
  const { calls } = await open(
    stored({ hasDictationKey: true, dictationUrl: 'http://whisper.lan:8000/v1' }),
    answer(dictation.test, () => ({
      isOk: true,
      milliseconds: 120,
      server: '',
      cause: null,
      message: 'The dictation server answered',
    })),
    answer(reportingSettings.save, () => stored({ revision: 4 })),
  );
  const address = screen.getByRole('textbox', { name: 'Address of the dictation server' });
  expect(screen.getByLabelText<HTMLInputElement>('Key of the dictation server').value).toBe('');

  await userEvent.clear(address);
  await userEvent.type(address, 'http://speech.lan/v1');
  await userEvent.click(screen.getByRole('switch', { name: /^Allow the recognizer of the browser/ }));
  await userEvent.click(screen.getAllByRole('button', { name: 'Test connection' })[0] as HTMLElement);
  expect(await screen.findByText('The dictation server answered, 120 ms')).toBeDefined();
  await userEvent.click(saveButton());

  await screen.findByText('Reporting settings saved');
  expect(saved(calls)[0]?.body).toMatchObject({
    dictationUrl: 'http://speech.lan/v1',
    dictationKey: '',
    isBrowserDictationAllowed: false,
  });
});

test('an address that is no URL is refused at its field', async () => {
  await open(stored());

  await userEvent.type(screen.getByRole('textbox', { name: 'Address of the dictation server' }), 'whisper');
  await userEvent.click(saveButton());

  expect(await screen.findByText('Please enter a valid URL')).toBeDefined();
});

test('an administrator creates and deletes shared review phrases, apart from the other settings', async () => {
  const phrase = { id: 'p1', text: 'Agreed.', decision: 'APPROVE', isShared: true } as const;
  const { calls } = await open(
    stored(),
    answer(reviewPhrases.list, () => [phrase]),
    answer(reviewPhrases.create, () => phrase),
    answer(reviewPhrases.remove, () => undefined),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Create phrase' }));
  expect(await screen.findByText('Phrase is required')).toBeDefined();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Decision' }), 'REVISE');
  await userEvent.type(screen.getByRole('textbox', { name: 'Phrase' }), 'Compare.{Enter}');
  await screen.findByText('Phrase saved');
  await userEvent.click(screen.getByRole('button', { name: 'Delete phrase "Agreed."' }));
  await screen.findByText('Phrase deleted');

  const changes = calls.filter(({ method, url }) => method !== 'GET' && url.pathname.startsWith('/api/review-phrases'));
  expect(changes.map(({ method, url, body }) => [method, url.pathname, body])).toEqual([
    ['POST', '/api/review-phrases', { text: 'Compare.', decision: 'REVISE', isShared: true }],
    ['DELETE', '/api/review-phrases/p1', undefined],
  ]);
  expect(saved(calls)).toEqual([]);
});
