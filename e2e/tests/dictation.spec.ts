import { expect, type Page, test } from '@playwright/test';
import { reportingSettings } from '@radwork/contract/reading/reporting-settings';
import { callAs, registerStudy } from '../src/api-steps.ts';
import { failToHear, sendInterim, listening, say, standInForSpeech } from '../src/speech.ts';
import { complaintsOf, signIn } from '../src/steps.ts';

const text = (page: Page) => page.getByRole('textbox', { name: 'Report text' });
const dictate = (page: Page) =>
  page.getByRole('button', { name: /^(?:Dictate|(?:Starting|Listening), stop dictation)$/ });

/** Registers a study for this journey and opens its report editor. */
const openEditor = async (page: Page, name: string): Promise<string> => {
  const { id } = await registerStudy(page, { name: `${name}, Dora`, patientId: `E2E-${name}` });
  await page.goto(`/studies/${id}`);
  await page.getByRole('button', { name: 'Create report' }).click();
  await expect(text(page)).toBeVisible();
  return id;
};

/** Accepts the first-use notice about speech data, and waits for the microphone. */
const agree = async (page: Page) => {
  await page.getByRole('button', { name: 'Start dictation' }).click();
  await expect(dictate(page)).toHaveText('Listening');
};

test('a user dictates two sentences and a command, and the text is still there after a reload', async ({ page }) => {
  const complaints = complaintsOf(page);
  await standInForSpeech(page);
  await signIn(page, 'radiologist');
  await openEditor(page, 'Dictate');

  await test.step('the first dictation shows where the speech is sent', async () => {
    await text(page).click();
    await page.keyboard.press('F4');
    await expect(page.getByText('may send your voice to its vendor')).toBeVisible();
    expect(await listening(page)).toEqual({ starts: 0, isOn: false });
    await agree(page);
  });

  await test.step('an interim result is visible but not part of the text', async () => {
    await sendInterim(page, 'there is no pleural eff');
    await expect(page.getByTestId('interim')).toHaveText('there is no pleural eff');
    await expect(text(page)).toContainText('there is no pleural eff');
  });

  await test.step('dictated sentences and commands change the text', async () => {
    await say(page, 'there is no pleural effusion comma no pneumothorax');
    await say(page, 'new paragraph the heart is enlarged');
    await say(page, 'delete that');
    await say(page, 'new paragraph the heart is normal in size');
    await expect(text(page).locator('p')).toHaveText([
      'There is no pleural effusion, no pneumothorax.',
      'The heart is normal in size.',
    ]);
  });

  await test.step('dictation continues after a pause, also with the focus outside the text', async () => {
    await page.getByRole('heading', { name: 'Report', exact: true }).click();
    await failToHear(page, 'no-speech');
    await expect(page.getByText('No speech detected. Try speaking again.')).toBeVisible();
    await expect.poll(() => listening(page)).toEqual({ starts: 2, isOn: true });
    await say(page, 'the bones are intact');
    await expect(text(page)).toContainText('The bones are intact.');
  });

  await test.step('the dictated text is saved and still there after a reload', async () => {
    await page.keyboard.press('F4');
    await expect(dictate(page)).toHaveText('Dictate');
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await expect(page.getByText('Report created successfully')).toBeVisible();
    await page.reload();
    await expect(text(page).locator('p')).toHaveText([
      'There is no pleural effusion, no pneumothorax.',
      'The heart is normal in size. The bones are intact.',
    ]);
  });

  expect(complaints).toEqual([]);
});

test('the microphone is turned off when the user leaves the report, and when the browser denies it', async ({
  page,
}) => {
  await standInForSpeech(page);
  await signIn(page, 'radiologist');
  await openEditor(page, 'Leave');
  await dictate(page).click();
  await agree(page);

  await failToHear(page, 'not-allowed');
  await expect(page.getByText('Microphone access denied. Please enable microphone permissions.')).toBeVisible();
  await expect(dictate(page)).toHaveText('Dictate');
  await dictate(page).click();
  await expect(dictate(page)).toHaveText('Listening');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Worklist & Studies' }).click();

  await expect(page).toHaveURL(/\/studies/);
  await expect.poll(() => listening(page)).toEqual({ starts: 2, isOn: false });
});

test('dictation that the administrator has turned off does not start and shows why', async ({ page, browser }) => {
  const office = await (await browser.newContext()).newPage();
  await signIn(office, 'admin');
  const { hasAiKey: _, aiAgreedBy, aiAgreedAt: __, ...settings } = await callAs(office, reportingSettings.read, {});
  const put = (isDictationAllowed: boolean, revision: number) =>
    callAs(office, reportingSettings.save, {
      body: { ...settings, isDictationAllowed, isAiAgreed: aiAgreedBy !== '', revision },
    });
  const { revision } = await put(false, settings.revision);
  await standInForSpeech(page);
  await signIn(page, 'radiologist');
  await openEditor(page, 'Forbidden');

  await dictate(page).click();

  await expect(page.getByRole('dialog').getByText('Your organization has turned off dictation.')).toBeVisible();
  expect(await listening(page)).toEqual({ starts: 0, isOn: false });
  await put(true, revision);
  await office.context().close();
});

test('the speech recognizer of the real browser is called, and its error is shown', async ({ page }) => {
  await signIn(page, 'radiologist');
  await openEditor(page, 'Real');
  await dictate(page).click();
  await page.getByRole('button', { name: 'Start dictation' }).click();

  await expect(
    page.getByText(
      /^(?:No microphone (?:detected|found)\.|Microphone access|Network error occurred|Speech recognition (?:is not available|error: ))/,
    ),
  ).toBeVisible();
  await expect(dictate(page)).toHaveText('Dictate');
});
