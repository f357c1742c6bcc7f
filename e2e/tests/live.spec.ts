import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { complaintsOf, signIn } from '../src/steps.ts';

/** Longest delay until a change appears in another browser, without a reload. */
const soon = { timeout: 2000 };

type Study = { id: string; accessionNumber: string; patient: { patientName: string } };

/** A pending study, found as the signed-in user of the page. */
const pendingStudy = (page: Page): Promise<Study> =>
  page.evaluate(async () => {
    const response = await fetch('/api/studies?status=PENDING&size=1', {
      headers: { authorization: `Bearer ${localStorage.getItem('token')}` },
    });
    const { data }: { data: { content: Study[] } } = await response.json();
    const [study] = data.content;
    if (!study) throw new Error('The demo has no study that waits');
    return study;
  });

const isLive = (page: Page) => expect(page.getByRole('contentinfo').getByText('Live', { exact: true })).toBeVisible();

/** Records each opening of the stream, in any tab of a browser. */
const streamsOf = (context: BrowserContext): string[] => {
  const opened: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/api/live')) opened.push(request.url());
  });
  return opened;
};

/** Changes the status of the open study, and waits for the reply. */
const changeStatus = async (page: Page, label: string) => {
  const answered = page.waitForResponse((response) => response.url().includes('/status?') && response.ok());
  await page.getByRole('combobox', { name: 'Next status' }).selectOption({ label });
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await answered;
};

/** Sends a chat message in the open study, and waits until it appears. */
const write = async (page: Page, words: string) => {
  await page.getByRole('textbox', { name: 'Message' }).fill(words);
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByRole('log', { name: 'Messages' }).getByText(words)).toBeVisible();
};

/** Opens the report editor of the open study, and waits for its reading lock. */
const beginReport = async (page: Page) => {
  const lockTaken = page.waitForResponse((response) => response.url().endsWith('/reading-lock') && response.ok());
  await page.getByRole('button', { name: 'Create report' }).click();
  await lockTaken;
};

/** Takes over the report of the open study, and waits for the reading lock. */
const takeOver = async (page: Page, reason: string) => {
  const lockTaken = page.waitForResponse((response) => response.url().endsWith('/reading-lock') && response.ok());
  await page.getByRole('button', { name: 'Take over' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take over report' });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await dialog.getByRole('button', { name: 'Take over' }).click();
  await lockTaken;
};

test('a change appears for another user within two seconds, without a reload', async ({ browser }) => {
  const [one, other] = [await browser.newContext(), await browser.newContext()];
  const [page, colleague] = [await one.newPage(), await other.newPage()];
  const complaints = [complaintsOf(page), complaintsOf(colleague)];
  const streams = streamsOf(other);
  await signIn(page, 'radiologist');
  await signIn(colleague, 'reviewer');
  const { id, accessionNumber, patient } = await pendingStudy(page);
  const rowOn = (viewedPage: Page) => viewedPage.getByRole('row', { name: new RegExp(patient.patientName) });

  await test.step('a status changed in the study changes in the list of the other user', async () => {
    await colleague.goto(`/studies?query=${accessionNumber}`);
    const row = rowOn(colleague);
    await expect(row).toContainText('Pending');
    await isLive(colleague);
    await page.goto(`/studies/${id}`);
    await changeStatus(page, 'In progress');
    await expect(row).toContainText('In progress', soon);
  });

  await test.step('a message appears in the chat of the other user', async () => {
    await colleague.goto(`/studies/${id}`);
    await colleague.getByRole('button', { name: /^Open chat/ }).click();
    await page.getByRole('button', { name: /^Open chat/ }).click();
    await isLive(colleague);
    await write(page, 'Have you seen the old films?');
    await expect(colleague.getByRole('log').getByText('Have you seen the old films?')).toBeVisible(soon);
    await write(colleague, 'They are on their way.');
    await expect(page.getByRole('log').getByText('They are on their way.')).toBeVisible(soon);
  });

  const [writer, taker] = ['Dr Hannah Weiss', 'Dr Samuel Adeyemi'];
  const editorOn = (viewedPage: Page) => viewedPage.getByRole('textbox', { name: 'Report text' });

  await test.step('a user who opens the editor appears in the list, and disappears after leaving the page', async () => {
    await colleague.goto(`/studies?query=${accessionNumber}`);
    const row = rowOn(colleague);
    await expect(row).toContainText('In progress');
    await isLive(colleague);
    await beginReport(page);
    await expect(row).toContainText(`Being read by ${writer} since`, soon);
    await page.goto(`/studies/${id}`);
    await expect(row).not.toContainText('Being read by', soon);
  });

  await test.step('the other user can only read the report until taking it over with a reason', async () => {
    await colleague.goto(`/studies/${id}`);
    await expect(colleague.getByRole('button', { name: 'Create report' })).toBeVisible();
    await isLive(colleague);
    await beginReport(page);
    await expect(colleague.getByText(`Being read by ${writer} since`)).toBeVisible(soon);
    await expect(colleague.getByRole('button', { name: 'Create report' })).toBeHidden();

    await editorOn(page).fill('Half a sentence');
    await takeOver(colleague, 'The ward waits');
    await expect(page.getByText(`${taker} took over this report from you`)).toBeVisible(soon);
    await expect(page.getByText('The ward waits')).toBeVisible();
    await expect(editorOn(page)).toBeHidden();
    await expect(editorOn(colleague)).toBeVisible();
    await page.getByRole('button', { name: 'Show my text' }).click();
    await expect(page.getByRole('dialog').getByText('Half a sentence')).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('a second tab shows changes that the stream of the first tab delivers', async () => {
    const opened = streams.length;
    const tab = await other.newPage();
    await tab.goto(`/studies?query=${accessionNumber}`);
    const row = rowOn(tab);
    await expect(row).toContainText('In progress');
    await isLive(tab);
    await changeStatus(page, 'Canceled');
    await expect(row).toContainText('Canceled', soon);
    expect(streams).toHaveLength(opened);
  });

  expect(complaints.flat()).toEqual([]);
  await one.close();
  await other.close();
});
