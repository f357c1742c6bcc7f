import { expect, test } from '@playwright/test';
import { signIn } from '../src/steps.ts';

/** Decrypted message, as a browser passes it to the worker. */
const message = {
  id: 'm1',
  title: 'Critical finding due and not communicated',
  body: 'You are on call. Act now.',
  link: '/critical-findings',
  isCritical: true,
};

type ShownNotification = { title: string; body: string; requireInteraction: boolean };

test('a push message appears while no page of Radwork is open', async ({ browser, baseURL }) => {
  const context = await browser.newContext();
  await context.grantPermissions(['notifications'], { origin: baseURL ?? '' });
  const page = await context.newPage();
  await signIn(page, 'radiologist', '/account');
  // The subscription fails, since no push service is reachable here. The worker stays.
  await page.getByRole('button', { name: 'Turn on push messages in this browser' }).click();
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations())[0]?.active?.state))
    .toBe('activated');
  const elsewhere = await context.newPage();
  const debugging = await context.newCDPSession(elsewhere);
  const registered = new Promise<string>((resolve) => {
    debugging.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const registration = registrations.find(({ scopeURL }) => scopeURL === `${baseURL}/assets/`);
      if (registration) resolve(registration.registrationId);
    });
  });
  await debugging.send('ServiceWorker.enable');
  const registrationId = await registered;
  await page.close();
  const began = performance.now();

  const data = JSON.stringify(message);
  await debugging.send('ServiceWorker.deliverPushMessage', { origin: baseURL ?? '', registrationId, data });

  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  const notificationsShown = () =>
    worker.evaluate(async () => {
      const { registration } = globalThis as unknown as {
        registration: { getNotifications: () => Promise<ShownNotification[]> };
      };
      const notifications = await registration.getNotifications();
      return notifications.map(({ title, body, requireInteraction }) => ({ title, body, requireInteraction }));
    });
  await expect
    .poll(notificationsShown)
    .toEqual([{ title: message.title, body: message.body, requireInteraction: true }]);
  const duration = Math.round(performance.now() - began);
  test
    .info()
    .annotations.push({ type: 'ms until a push message was shown with no page open', description: `${duration}` });
  expect(context.pages().map((open) => open.url())).toEqual(['about:blank']);
  await context.close();
});
