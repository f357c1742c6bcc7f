import { type Browser, devices, expect, type Page, test } from '@playwright/test';
import { criticalFindings } from '@radwork/contract/reading/critical-findings';
import { reports } from '@radwork/contract/reading/reports';
import { callAs, registerStudy } from '../src/api-steps.ts';
import { complaintsOf, signIn } from '../src/steps.ts';

const passcode = 'marigold 77';
const finding = 'Tension pneumothorax on the right';
/** The shortest data accepted as a signature image. */
const signatureData = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64')}`;

/** Finalizes a report for a new patient and opens its page as radiologist. */
const openFinalized = async (page: Page, name: string) => {
  await signIn(page, 'radiologist');
  const { id, patient } = await registerStudy(page, { name: `${name}, Ines`, patientId: `E2E-${name}` });
  const content = '<p>Air in the right pleural space.</p>';
  const draft = await callAs(page, reports.create, { params: { id }, body: { content, patientId: patient.id } });
  await callAs(page, reports.finalize, { params: { id: draft.id }, body: { content, signatureData } });
  await page.goto(`/studies/${id}`);
  return { studyId: id, reportId: draft.id };
};

/** A phone of a recipient without an account. Records all its requests. */
const strangersPhone = async (browser: Browser) => {
  const { defaultBrowserType: _, ...phone } = devices['iPhone 13'];
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  const requestedUrls: string[] = [];
  page.on('request', (request) => requestedUrls.push(request.url()));
  return { page, asked: requestedUrls, close: () => context.close() };
};

test(
  'a critical finding is recorded, communicated and acknowledged by its recipient',
  { tag: '@gate' },
  async ({ page, browser }) => {
    const complaints = complaintsOf(page);
    const { studyId } = await openFinalized(page, 'Critjourney');

    await page.getByRole('button', { name: 'Add critical finding' }).click();
    await page.getByRole('textbox', { name: 'Finding' }).fill(finding);
    await page.getByRole('combobox', { name: 'Severity' }).click();
    await page.getByRole('option', { name: 'Critical: within minutes' }).click();
    await page.getByRole('button', { name: 'Add finding' }).click();
    await expect(page.getByText('Critical findings: not communicated')).toBeVisible();
    await expect(page.getByRole('timer')).toHaveText(/^(60:00|59:\d\d) left$/);

    await page.getByRole('button', { name: 'Record communication' }).click();
    await page.getByRole('combobox', { name: 'Recipient' }).click();
    await page.getByRole('option', { name: 'Dr Samuel Adeyemi' }).click();
    await page.getByRole('combobox', { name: 'Method' }).click();
    await page.getByRole('option', { name: 'Phone' }).click();
    await page.getByRole('checkbox', { name: 'Recipient read back the finding' }).check();
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await expect(page.getByText('Communicated, not acknowledged')).toBeVisible();

    const [communicatedFinding] = await callAs(page, criticalFindings.ofStudy, { params: { id: studyId } });
    const context = await browser.newContext();
    const colleague = await context.newPage();
    await signIn(colleague, 'reviewer');
    await colleague.goto(`/critical-findings?findingId=${communicatedFinding?.id}`);
    const card = colleague.getByRole('region', { name: 'Finding from your notification' });
    await expect(card).toContainText(finding);
    await card.getByRole('button', { name: 'Acknowledge' }).click();
    await expect(card).toContainText('Acknowledged by Dr Samuel Adeyemi');
    await context.close();

    // The first browser updates automatically.
    await expect(page.getByText('Acknowledged by Dr Samuel Adeyemi', { exact: true })).toBeVisible();
    expect(complaints).toEqual([]);
  },
);

test(
  'a protected link opens on a phone only with its passcode, which appears in no URL',
  { tag: '@gate' },
  async ({ page, browser }) => {
    const { studyId } = await openFinalized(page, 'Sharejourney');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByText('Passcode', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Passcode' }).fill(passcode);
    await page.getByRole('button', { name: 'Create link' }).click();
    const open = page.getByRole('link', { name: 'Open link' });
    const { pathname, origin } = new URL(String(await open.getAttribute('href')));
    const { page: phone, asked: requestedUrls, close } = await strangersPhone(browser);

    // The older form of the address.
    await phone.goto(`${origin}/#${pathname}`);
    await expect(phone.getByRole('heading', { name: 'This report is protected' })).toBeVisible();
    await expect(phone.getByText('Sharejourney')).toHaveCount(0);
    await phone.getByLabel('Passcode').fill('not this one');
    await phone.getByRole('button', { name: 'Show report' }).click();
    await expect(phone.getByText('The passcode or date of birth is wrong. Check it and try again.')).toBeVisible();
    await phone.getByLabel('Passcode').fill(passcode);
    await phone.getByRole('button', { name: 'Show report' }).click();
    await expect(phone.getByRole('heading', { name: 'Sharejourney, Ines' })).toBeVisible();
    await expect(phone.getByText('Air in the right pleural space.')).toBeVisible();

    const width = await phone.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(width[0]).toBe(width[1]);
    expect(requestedUrls.filter((url) => !url.startsWith(origin) && !/^(data|blob):/.test(url))).toEqual([]);
    expect(requestedUrls.filter((url) => url.includes('marigold'))).toEqual([]);
    await close();

    await page.goto(`/studies/${studyId}`);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const log = page.getByRole('region', { name: 'Log of opens' });
    await expect(log.getByRole('row')).toHaveText([/Time/, /Opened.*127\.0\.0\.x/, /Wrong code.*127\.0\.0\.x/]);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke link' }).click();
    await expect(page.getByText('Link revoked')).toBeVisible();
    const stranger = await strangersPhone(browser);
    await stranger.page.goto(`${origin}${pathname}`);
    await expect(stranger.page.getByText('Failed to load report. Please try again later.')).toBeVisible();
    await stranger.close();
  },
);
