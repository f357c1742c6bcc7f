import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { reportingSettings } from '@radwork/contract/reading/reporting-settings';
import config from '../playwright.config.ts';
import { callAs, registerStudy } from '../src/api-steps.ts';
import { complaintsOf, signIn } from '../src/steps.ts';

// The microphone of these browsers beeps once a second.
test.use({
  permissions: ['microphone'],
  launchOptions: {
    ...config.use?.launchOptions,
    args: [
      ...(config.use?.launchOptions?.args ?? []),
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
    ],
  },
});

/** Starts a dictation server that counts the recordings and answers each with the same words. */
const startDictationServer = async (words: string) => {
  const recordings: Buffer[] = [];
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      recordings.push(Buffer.concat(parts));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ text: words }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, recordings, stop: () => server.close() };
};

test('the browser records phrases, and the words of the dictation server appear in the report', async ({
  page,
  browser,
}) => {
  const dictationServer = await startDictationServer('there is no pleural effusion');
  const office = await (await browser.newContext()).newPage();
  await signIn(office, 'admin');
  const { hasAiKey: _, aiAgreedBy, aiAgreedAt: __, ...settings } = await callAs(office, reportingSettings.read, {});
  const put = (dictationUrl: string, revision: number) =>
    callAs(office, reportingSettings.save, {
      body: { ...settings, dictationUrl, dictationModel: 'test', isAiAgreed: aiAgreedBy !== '', revision },
    });
  const { revision } = await put(`${dictationServer.url}/v1`, settings.revision);
  const complaints = complaintsOf(page);
  await signIn(page, 'radiologist');
  const { id } = await registerStudy(page, { name: 'Recorded, Rita', patientId: 'E2E-RECORDED' });
  await page.goto(`/studies/${id}`);
  await page.getByRole('button', { name: 'Create report' }).click();
  const text = page.getByRole('textbox', { name: 'Report text' });
  await text.click();

  await page.getByRole('button', { name: 'Dictate', exact: true }).click();
  const agree = page.getByRole('button', { name: 'Start dictation' });
  const listening = page.getByRole('button', { name: 'Listening, stop dictation' });
  await expect(agree.or(listening)).toBeVisible();
  if (await agree.isVisible()) await agree.click();
  await expect(text).toContainText('There is no pleural effusion');
  await listening.click();
  await expect(page.getByRole('button', { name: 'Dictate', exact: true })).toBeVisible();

  const [recording] = dictationServer.recordings;
  expect(recording?.includes('RIFF')).toBe(true);
  expect(complaints).toEqual([]);
  dictationServer.stop();
  await put('', revision);
  await office.context().close();
});
