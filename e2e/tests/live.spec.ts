import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { complaintsOf, signIn } from '../src/steps.ts';

/** How soon what one does is to appear with the other, without a reload (issue 4). */
const soon = { timeout: 2000 };

type Study = { id: string; accessionNumber: string; patient: { patientName: string } };

/** A study that nobody has begun, as whoever is signed in on this page finds it. */
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

/** Every time a browser opens the stream, in whichever of its tabs. */
const streamsOf = (context: BrowserContext): string[] => {
  const opened: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/api/live')) opened.push(request.url());
  });
  return opened;
};

/** Gives the study that is open another status; it is changed when this resolves. */
const changeStatus = async (page: Page, label: string) => {
  const answered = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());
  await page.getByRole('combobox', { name: 'Next status' }).selectOption({ label });
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await answered;
};

/** Says something about the study that is open; it is said when this resolves. */
const write = async (page: Page, words: string) => {
  await page.getByRole('textbox', { name: 'Message' }).fill(words);
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByRole('log', { name: 'Messages' }).getByText(words)).toBeVisible();
};

test('what one does appears with the other within two seconds, without a reload', async ({ browser }) => {
  const [one, other] = [await browser.newContext(), await browser.newContext()];
  const [page, colleague] = [await one.newPage(), await other.newPage()];
  const complaints = [complaintsOf(page), complaintsOf(colleague)];
  const streams = streamsOf(other);
  await signIn(page, 'radiologist');
  await signIn(colleague, 'reviewer');
  const { id, accessionNumber, patient } = await pendingStudy(page);
  const rowOn = (shown: Page) => shown.getByRole('row', { name: new RegExp(patient.patientName) });

  await test.step('a status that is changed on the study changes in the list', async () => {
    await colleague.goto(`/studies?query=${accessionNumber}`);
    const row = rowOn(colleague);
    await expect(row).toContainText('Pending');
    await isLive(colleague);
    await page.goto(`/studies/${id}`);
    await changeStatus(page, 'In progress');
    await expect(row).toContainText('In progress', soon);
  });

  await test.step('a message appears in the chat of the other', async () => {
    await colleague.goto(`/studies/${id}`);
    await colleague.getByRole('button', { name: /^Open chat/ }).click();
    await page.getByRole('button', { name: /^Open chat/ }).click();
    await isLive(colleague);
    await write(page, 'Have you seen the old films?');
    await expect(colleague.getByRole('log').getByText('Have you seen the old films?')).toBeVisible(soon);
    await write(colleague, 'They are on their way.');
    await expect(page.getByRole('log').getByText('They are on their way.')).toBeVisible(soon);
  });

  await test.step('a second tab shows changes as well, over the stream of the first', async () => {
    const opened = streams.length;
    const tab = await other.newPage();
    await tab.goto(`/studies?query=${accessionNumber}`);
    const row = rowOn(tab);
    await expect(row).toContainText('In progress');
    await isLive(tab);
    await changeStatus(page, 'Cancelled');
    await expect(row).toContainText('Cancelled', soon);
    expect(streams).toHaveLength(opened);
  });

  expect(complaints.flat()).toEqual([]);
  await one.close();
  await other.close();
});
