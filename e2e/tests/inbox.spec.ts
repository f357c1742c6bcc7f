import { type Browser, expect, type Page, test } from '@playwright/test';
import { chat } from '@radwork/contract/reading/chat';
import { notifications } from '@radwork/contract/identity/notifications';
import { workflow } from '@radwork/contract/reading/workflow';
import { callAs, registerStudy } from '../src/api-steps.ts';
import { complaintsOf, retryAndSucceed, signIn } from '../src/steps.ts';

const expectText = (page: Page, text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible();
const messages = (page: Page) => page.getByRole('log', { name: 'Messages' });
const field = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const inbox = (page: Page) => page.locator('[data-row]');
const unread = (page: Page) => page.getByRole('group', { name: 'Show' }).getByRole('button', { name: /^Unread/ });
const failing = { status: 500, json: { code: 500, error: 'server.error', message: 'Server error occurred' } };

/** Opens two browsers with a user each. The first user registers a study. */
const meet = async (browser: Browser, name: string) => {
  const contexts = [await browser.newContext(), await browser.newContext()];
  const [page, colleague] = await Promise.all(contexts.map((context) => context.newPage()));
  if (!page || !colleague) throw new Error('There are no two pages');
  await signIn(page, 'radiologist');
  await signIn(colleague, 'reviewer', '/dashboard');
  const { id } = await registerStudy(page, { name: `${name}, Ines`, patientId: `E2E-${name}` });
  return { page, colleague, id, close: () => Promise.all(contexts.map((context) => context.close())) };
};

const say = (page: Page, conversationId: string, text: string) =>
  callAs(page, chat.send, { body: { conversationId, text } });

const openChat = async (page: Page, id: string) => {
  await page.goto(`/studies/${id}`);
  await page.getByRole('button', { name: /^Open chat/ }).click();
  await expect(field(page)).toBeVisible();
};

test('a mention in the chat creates a notification that opens the message', async ({ browser }) => {
  const { page, colleague, id, close } = await meet(browser, 'Ibmention');
  const complaints = [complaintsOf(page), complaintsOf(colleague)];
  await openChat(page, id);
  await expectText(page, 'No messages yet');

  await test.step('the user finds a colleague by a part of the name', async () => {
    await field(page).click();
    await page.keyboard.type('Please look, @ade');
    await expect(page.getByRole('listbox', { name: 'Users' })).toContainText('@reviewer');
    await page.keyboard.press('Enter');
    await expect(field(page)).toHaveValue(/@reviewer/);
    await page.keyboard.type('at the hilum');
    await page.getByRole('button', { name: 'Send message' }).click();
    await expect(messages(page)).toContainText('at the hilum');
  });

  await test.step('the mentioned user opens the notification', async () => {
    const bell = colleague.getByRole('button', { name: /^Notifications, \d+ unread$/ });
    await bell.click();
    await colleague.getByRole('link', { name: 'All notifications' }).click();
    await inbox(colleague).first().getByRole('link', { name: 'Dr Hannah Weiss mentioned you in the chat' }).click();
    await expect(colleague).toHaveURL(new RegExp(`/studies/${id}#chat$`));
    await expect(messages(colleague)).toContainText('at the hilum');
  });

  await test.step('new messages are counted while the chat is minimized', async () => {
    await colleague.getByRole('button', { name: 'Minimize chat' }).click();
    await expect(messages(colleague)).toBeHidden();
    await say(page, id, 'And at the apex');
    await colleague.getByRole('button', { name: 'Show chat, 1 unread' }).click();
    await expect(messages(colleague)).toContainText('And at the apex');
    await colleague.getByRole('button', { name: 'Minimize chat' }).click();
    await expect(colleague.getByRole('button', { name: 'Show chat', exact: true })).toBeVisible();
  });

  expect(complaints.flat()).toEqual([]);
  await close();
});

test('notifications are read, cleared and restored, and unwanted types do not arrive', async ({ browser }) => {
  const { page, colleague, id, close } = await meet(browser, 'Ibinbox');
  const complaints = complaintsOf(colleague);
  await callAs(colleague, notifications.clearAll, { query: {} });
  for (const word of ['one', 'two', 'three']) await say(page, id, `@reviewer ${word}`);
  await colleague.goto('/notifications');

  await test.step('the user marks one notification as read', async () => {
    await expect(inbox(colleague)).toHaveCount(3);
    await expect(unread(colleague)).toHaveText('Unread 3');
    await inbox(colleague)
      .first()
      .getByRole('button', { name: /^Mark as read/ })
      .click();
    await expect(unread(colleague)).toHaveText('Unread 2');
    await unread(colleague).click();
    await expect(colleague).toHaveURL(/filter=unread/);
    await expect(inbox(colleague)).toHaveCount(2);
  });

  await test.step('the user deletes one notification and restores it', async () => {
    await inbox(colleague)
      .first()
      .getByRole('button', { name: /^Delete/ })
      .click();
    const question = colleague.getByRole('dialog', { name: 'Delete an unread notification?' });
    await question.getByRole('button', { name: 'Delete notification' }).click();
    await expect(inbox(colleague)).toHaveCount(1);
    await colleague.getByRole('button', { name: 'Undo' }).click();
    await expect(inbox(colleague)).toHaveCount(2);
  });

  await test.step('marking all notifications as read empties the unread list', async () => {
    await colleague.getByRole('button', { name: 'Mark all read' }).click();
    await expectText(colleague, 'All notifications marked as read');
    await expectText(colleague, 'No unread notifications');
    await expect(colleague.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  });

  await test.step('the user clears all notifications and restores them', async () => {
    await colleague.getByRole('group', { name: 'Show' }).getByRole('button', { name: /^All/ }).click();
    await expect(inbox(colleague)).toHaveCount(3);
    await colleague.getByRole('button', { name: 'Clear all' }).click();
    await colleague
      .getByRole('dialog', { name: 'Clear all notifications?' })
      .getByRole('button', { name: 'Clear all' })
      .click();
    await expectText(colleague, 'No notifications');
    await colleague.getByRole('button', { name: 'Undo' }).click();
    await expect(inbox(colleague)).toHaveCount(3);
  });

  await test.step('a notification of a type that is turned off does not arrive', async () => {
    await colleague.getByRole('button', { name: 'Preferences' }).click();
    const dialog = colleague.getByRole('dialog', { name: 'Notification preferences' });
    await expect(dialog.getByRole('switch', { name: 'Critical findings' })).toBeDisabled();
    await dialog.getByRole('switch', { name: 'Chat mentions' }).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expectText(colleague, 'Preferences saved');
    await say(page, id, '@reviewer four');
    const people = await callAs(page, workflow.assignable, { query: { studyId: id, query: 'reviewer' } });
    await callAs(page, workflow.assign, { params: { id }, body: { userIds: people.map((person) => person.id) } });
    await expect(unread(colleague)).toHaveText('Unread 1');
    await expect(inbox(colleague)).toHaveCount(4);
    await expect(inbox(colleague).first()).toContainText(/assigned/i);
    await callAs(colleague, notifications.savePreferences, { body: { unwanted: [] } });
  });

  expect(complaints).toEqual([]);
  await close();
});

test('older messages load above the visible one, which keeps its position', async ({ browser }) => {
  const { page, colleague, id, close } = await meet(browser, 'Iblong');
  // One user may not send so many messages in a minute.
  const third = await (await browser.newContext()).newPage();
  await signIn(third, 'admin');
  const speakers = [page, colleague, third];
  for (let number = 1; number <= 36; number += 1) {
    await say(speakers[number % speakers.length] ?? page, id, `Message number ${number}.`);
  }
  await openChat(colleague, id);
  await expect(messages(colleague).getByText('Message number 36.')).toBeInViewport();
  const gate = Promise.withResolvers<void>();
  await colleague.route(/\/api\/chat\/conversation\/.*before=/, async (route) => {
    await gate.promise;
    await route.continue();
  });

  const first = messages(colleague).locator('[data-message]').first();
  const words = String(await first.getByText(/^Message number/).textContent());
  const same = messages(colleague).getByText(words, { exact: true });
  await messages(colleague).evaluate((list) => list.scrollTo({ top: 0 }));
  await expect(same).toBeInViewport();
  const before = await same.boundingBox();
  const count = await messages(colleague).locator('[data-message]').count();
  gate.resolve();
  await expect.poll(() => messages(colleague).locator('[data-message]').count()).toBeGreaterThan(count);

  const after = await same.boundingBox();
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? Infinity))).toBeLessThan(4);
  await say(page, id, 'Something new.');
  await colleague.getByRole('button', { name: '1 new message' }).click();
  await expect(messages(colleague).getByText('Something new.')).toBeInViewport();
  await third.context().close();
  await close();
});

test('inbox and chat show loading, empty and error states', async ({ page }) => {
  await signIn(page, 'radiologist');
  const { id } = await registerStudy(page, { name: 'Ibstates, Ida', patientId: 'E2E-Ibstates' });
  const list = /\/api\/notifications\?/;
  const conversation = /\/api\/chat\/conversation\/[^/]+(\?|$)/;

  await test.step('the inbox shows loading, empty and error states', async () => {
    const gate = Promise.withResolvers<void>();
    await page.route(list, async (route) => {
      await gate.promise;
      await route.fulfill(failing);
    });
    await page.goto('/notifications');
    await expect(page.getByRole('status', { name: 'Loading notifications' })).toBeVisible();
    gate.resolve();
    const alert = page.getByRole('alert').filter({ hasText: 'Failed to load notifications' });
    await expect(alert).toBeVisible();
    await callAs(page, notifications.clearAll, { query: {} });
    await retryAndSucceed(page, list, alert);
    await expectText(page, 'No notifications');
  });

  await test.step('the chat shows loading, empty and error states', async () => {
    await page.route(conversation, (route) => route.fulfill(failing));
    await page.goto(`/studies/${id}`);
    await page.getByRole('button', { name: /^Open chat/ }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Error loading messages' });
    await expect(alert).toBeVisible();
    await retryAndSucceed(page, conversation, alert);
    await expectText(page, 'No messages yet');
  });
});
