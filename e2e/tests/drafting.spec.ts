import { createServer } from 'node:http';
import { expect, type Page, test } from '@playwright/test';
import { reportingSettings, type ReportingSettingsForm } from '@radwork/contract/reading/reporting-settings';
import { callAs, registerStudy } from '../src/api-steps.ts';
import { complaintsOf, signIn, violations } from '../src/steps.ts';

const text = (page: Page) => page.getByRole('textbox', { name: 'Report text' });
const open = (page: Page) => page.getByRole('group', { name: 'Open AI passages' });

/** Registers a study for this journey and opens its report editor, without the template that is laid out. */
const openEditor = async (page: Page, name: string) => {
  const { id } = await registerStudy(page, {
    name: `${name}, Dora`,
    patientId: `E2E-${name}`,
    description: 'CT Chest',
  });
  await page.goto(`/studies/${id}`);
  await page.getByRole('button', { name: 'Create report' }).click();
  await expect(text(page)).toContainText('Impression');
  await text(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await expect(text(page)).toHaveText('');
};

const choose = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'AI drafting' }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

test('the built-in drafter writes a report, which stays a proposal after a reload, and is accepted or rejected', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'radiologist');
  await openEditor(page, 'Rules');

  await test.step('a draft is generated from findings and marked as rule-based', async () => {
    await choose(page, 'Generate report');
    const dialog = page.getByRole('dialog', { name: 'Generate report' });
    await expect(dialog.getByText('Built-in drafter · rule-based.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Generate report' }).click();
    await expect(dialog.getByText('Findings are required')).toBeVisible();
    await dialog.getByLabel('Findings').fill('6x5mm nodule in the left lower lobe\nno effusion');
    await dialog.getByRole('button', { name: 'Generate report' }).click();
    await expect(page.getByText('Report generated successfully')).toBeVisible();
    await expect(text(page)).toContainText('6 × 5 mm nodule in the left lower lobe.');
    await expect(text(page)).toContainText('Pleura: No effusion.');
  });

  await test.step('the draft is still a proposal after a reload', async () => {
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await expect(page.getByText('Report created successfully')).toBeVisible();
    await page.reload();
    await expect(open(page).getByText(/^AI passage \d of 2$/)).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });

  await test.step('the user accepts the draft section by section with keys', async () => {
    await text(page).click();
    await page.keyboard.press('Control+Alt+Enter');
    await expect(open(page).getByText('1 AI passage open')).toBeVisible();
    await page.keyboard.press('Control+Alt+Enter');
    await expect(open(page)).toHaveCount(0);
    await expect(text(page)).toContainText('6 × 5 mm nodule in the left lower lobe.');
  });

  await test.step('a second draft appears below the existing headings and must be visible before the user accepts it', async () => {
    await page.keyboard.press('Control+Home');
    for (let line = 0; line < 40; line += 1) await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Home');
    await choose(page, 'Generate report');
    await page.getByRole('dialog').getByRole('button', { name: 'Generate report' }).click();
    await expect(open(page).getByText(/of 2$/)).toBeVisible();
    await expect(text(page).locator('h2')).toHaveText(['Findings', 'Impression']);
    await expect(text(page).locator('ins').first()).toBeInViewport();
    await text(page).locator('p').first().scrollIntoViewIfNeeded();
    await page.reload();
    await expect(open(page).getByText('AI passage 1 of 2')).toBeVisible();
    await expect(text(page).locator('ins').first()).not.toBeInViewport();
    await open(page).getByRole('button', { name: 'Accept' }).click();
    await expect(page.getByText(/^The unread part of the passage/)).toBeVisible();
    await expect(text(page).locator('ins').first()).toBeInViewport();
    await expect(open(page).getByText('AI passage 1 of 2')).toBeVisible();
    const accept = open(page).getByRole('button', { name: 'Accept' });
    await expect(async () => {
      if (await accept.isVisible()) await accept.click({ timeout: 2000 });
      await expect(open(page)).toHaveCount(0, { timeout: 1000 });
    }).toPass();
    await expect(text(page).locator('h2')).toHaveText(['Findings', 'Impression']);
  });

  await test.step('a new wording is proposed for a line, and rejecting it restores the text', async () => {
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('cyst of 2cm');
    await page.keyboard.press('Shift+Home');
    await page.getByRole('button', { name: 'Enhance wording' }).click();
    await expect(text(page).locator('ins')).toHaveText('Cyst of 2 cm.');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await expect(text(page).locator('ins, del')).toHaveCount(0);
    await expect(text(page)).toContainText('cyst of 2cm');
  });

  expect(complaints).toEqual([]);
});

/**
 * A server with OpenAI's protocol. It sends every caller the same streamed answer, and continues when the test allows.
 */
const startModel = async () => {
  const prompts: string[] = [];
  let answerNow = () => {};
  const allowed = new Promise<void>((resolve) => {
    answerNow = resolve;
  });
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', async () => {
      prompts.push(body);
      if (!body.includes('"stream":true')) {
        const choices = [{ index: 0, message: { role: 'assistant', content: 'ready' }, finish_reason: 'stop' }];
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ id: 'c', choices }));
        return;
      }
      const chunk = (delta: object, finish_reason: string | null) =>
        response.write(`data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
      response.setHeader('content-type', 'text/event-stream');
      chunk({ content: 'Nodule of ' }, null);
      await allowed;
      chunk({ content: '[NAME 1].' }, null);
      chunk({}, 'stop');
      response.end('data: [DONE]\n\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { prompts, answerNow, url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
};

const saveSettings = async (office: Page, changes: Partial<ReportingSettingsForm>) => {
  const { hasAiKey: _, aiAgreedBy: __, aiAgreedAt, ...settings } = await callAs(office, reportingSettings.read, {});
  await callAs(office, reportingSettings.save, { body: { ...settings, isAiAgreed: aiAgreedAt !== null, ...changes } });
};

test('a custom model is set up and drafts while the user types, without the identity of the patient', async ({
  page,
  browser,
}) => {
  const model = await startModel();
  const office = await (await browser.newContext()).newPage();
  await signIn(office, 'admin');
  try {
    await test.step('an administrator tests the model, agrees to its use and saves', async () => {
      await office.goto('/reporting-settings');
      await office.getByRole('combobox', { name: 'Provider' }).click();
      await office.getByRole('option', { name: 'OpenAI-compatible server' }).click();
      await office.getByLabel('Base URL').fill(model.url);
      await office.getByLabel('Model').fill('m-1');
      await office.getByRole('button', { name: 'Test connection' }).click();
      await expect(office.getByText(/^The model answered, \d+ ms$/)).toBeVisible();
      await office.getByRole('checkbox', { name: /^We agree to send report texts to 127\.0\.0\.1/ }).click();
      expect(await violations(office)).toEqual([]);
      await office.getByRole('button', { name: 'Save' }).click();
      await expect(office.getByText('Reporting settings saved')).toBeVisible();
    });

    await signIn(page, 'radiologist');
    await openEditor(page, 'Model');
    await text(page).click();
    await page.keyboard.type('Nodule of Dora');

    await test.step('the answer of the model appears while the user continues typing', async () => {
      await choose(page, 'Generate impression');
      await expect(page.getByText('Drafting impression')).toBeVisible();
      await expect(text(page)).toContainText('Nodule of DoraNodule of ');
      await text(page).click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.type('Small. ');
      model.answerNow();
      await expect(text(page).locator('p').first()).toHaveText('Small. Nodule of Dora');
      await expect(text(page).locator('ins')).toHaveText('Nodule of Dora.');
    });

    await test.step('the text sent to the model contains no patient data', async () => {
      await choose(page, 'Show sent text');
      await expect(page.getByRole('dialog').getByText('Nodule of [NAME 1]')).toBeVisible();
      expect(model.prompts.join('\n')).not.toMatch(/Dora|E2E-Model/);
    });
  } finally {
    await saveSettings(office, { aiProvider: 'RULES', aiModel: '', aiBaseUrl: '', aiKey: '', isAiAgreed: false });
    model.close();
  }
});
