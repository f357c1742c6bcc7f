import { type Browser, expect, type Page, test } from '@playwright/test';
import { registerStudy } from '../src/api-steps.ts';
import { complaintsOf, signIn, violations } from '../src/steps.ts';

const editor = (page: Page) => page.getByRole('textbox', { name: 'Report text' });
const article = (page: Page) => page.getByRole('article', { name: 'Report text' });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** Signs in a user in a separate browser context. */
const colleague = async (browser: Browser, username: string): Promise<Page> => {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, username);
  return page;
};

const requestReview = async (page: Page) => {
  await page.getByRole('button', { name: 'Request review' }).click();
  const form = dialog(page, 'Request review');
  const reviewer = form.getByRole('combobox', { name: 'Reviewer' });
  // The second request already names the reviewer, and a click on a chosen option would remove it.
  if ((await reviewer.inputValue()) === '') {
    await reviewer.click();
    await page.getByRole('option', { name: 'Dr Samuel Adeyemi' }).click();
  }
  await form.getByRole('button', { name: 'Request review' }).click();
  await expect(form).toBeHidden();
};

/** Selects words of a report in the reading view, as a user does with the mouse. */
const select = async (page: Page, words: string) =>
  article(page)
    .locator('p', { hasText: words })
    .evaluate((paragraph, wanted) => {
      const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const from = (node.textContent ?? '').indexOf(wanted);
        if (from >= 0) window.getSelection()?.setBaseAndExtent(node, from, node, from + wanted.length);
      }
    }, words);

const onSelection = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Selected text' }).getByRole('button', { name }).click();

test('a reviewer comments at the text and suggests a change, and the author accepts it', async ({ page, browser }) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'radiologist');
  const { id } = await registerStudy(page, { name: 'Review, Rosa', patientId: 'E2E-REVIEW' });
  const open = (who: Page) => who.goto(`/studies/${id}`);
  await open(page);
  await page.getByRole('button', { name: 'Create report' }).click();
  await editor(page).click();
  await page.keyboard.type('The left kidney is normal. No stone is seen.');
  await requestReview(page);

  const reviewer = await colleague(browser, 'reviewer');
  complaints.push(...complaintsOf(reviewer));
  await open(reviewer);
  await test.step('the reviewer selects words, comments and suggests', async () => {
    await select(reviewer, 'No stone');
    await onSelection(reviewer, 'Comment');
    await dialog(reviewer, 'Comment').getByRole('textbox', { name: 'Comment' }).fill('Also no hydronephrosis?');
    await dialog(reviewer, 'Comment').getByRole('button', { name: 'Add comment' }).click();
    await expect(reviewer.getByRole('heading', { name: '1 open comment' })).toBeVisible();
    await select(reviewer, 'left');
    await onSelection(reviewer, 'Suggest change');
    const form = dialog(reviewer, 'Suggest change');
    await form.getByRole('textbox', { name: 'Suggested text' }).fill('right');
    await form.getByRole('button', { name: 'Suggest change' }).click();
    await expect(article(reviewer).locator('ins')).toHaveText('right');
    expect(await violations(reviewer)).toEqual([]);
    await reviewer.getByRole('button', { name: 'Submit review' }).click();
    const review = dialog(reviewer, 'Submit review');
    await expect(review.getByText('1 suggested change is open.', { exact: false })).toBeVisible();
    await review.getByRole('radio', { name: 'Request revision' }).check();
    await review.getByRole('button', { name: 'Please see my comments in the text.' }).click();
    expect(await violations(reviewer)).toEqual([]);
    await review.getByRole('button', { name: 'Submit review' }).click();
    await expect(review).toBeHidden();
  });

  await test.step('the author sees it live, accepts the suggestion, undoes and repeats it', async () => {
    const accept = editor(page).getByRole('button', { name: 'Accept suggestion 1' });
    await expect(accept).toBeVisible();
    await expect(editor(page).locator('ins')).toHaveText('right');
    expect(await violations(page, '.ProseMirror')).toEqual([]);
    expect(await violations(page, '[data-comment-list]')).toEqual([]);
    await accept.click();
    await expect(editor(page)).toContainText('The right kidney');
    await expect(page.getByRole('heading', { name: '1 open comment' })).toBeVisible();
    await editor(page).locator('p').first().click();
    await page.keyboard.press('Control+z');
    await expect(accept).toBeVisible();
    await page.keyboard.press('Control+Shift+z');
    await expect(accept).toBeHidden();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await expect(page.getByRole('button', { name: '2 settled comments' })).toBeVisible();
    await requestReview(page);
  });

  await test.step('the reviewer approves with one phrase, and the author sees what changed', async () => {
    await expect(article(reviewer)).toContainText('The right kidney');
    await reviewer.getByRole('button', { name: 'Submit review' }).click();
    const review = dialog(reviewer, 'Submit review');
    await review.getByRole('button', { name: 'I have reviewed the images and agree with the report.' }).click();
    await review.getByRole('button', { name: 'Submit review' }).click();
    await expect(review).toBeHidden();
    await page.getByRole('button', { name: 'What changed' }).click();
    await expect(dialog(page, 'What changed').getByText('Critical changes: Laterality')).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
  await reviewer.context().close();
  expect(complaints).toEqual([]);
});
