import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { z } from 'zod';
import { radiologist, type Server, startServer } from '../server.ts';
import { draftReport } from '../editor/drafts.ts';
import { requestsOf } from './waterfall.ts';

/**
 * Prints the waterfall of study list, study page, report editor and viewer: each request until the screen is usable, its
 * start and end, its size and the script that sent it. Runs in Chromium with an empty cache on the production build, which
 * must exist (npm run build).
 */
const { values: args } = parseArgs({ options: { chromium: { type: 'string', default: '/usr/bin/chromium' } } });

/** Returns the ID of a study of the demo that has images. */
const studyWithImages = async ({ address, token }: Server): Promise<string> => {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${address}/api/studies?size=100`, { headers });
  const { content } = studyPage.parse(await response.json()).data;
  const study = content.find(({ instanceCount }) => instanceCount > 0);
  if (!study) throw new Error('The demo has no study with images');
  return study.id;
};

const studyPage = z.object({
  data: z.object({ content: z.array(z.object({ id: z.string(), instanceCount: z.number() })) }),
});

const server = await startServer();
const browser = await chromium.launch({
  executablePath: args.chromium,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
const viewport = { width: 1440, height: 900 };
try {
  const imaged = await studyWithImages(server);
  const drafted = await draftReport(server, 'Short', '<p>No acute finding.</p>');
  const signingIn = await browser.newContext({ viewport, baseURL: server.address });
  const page = await signingIn.newPage();
  await page.goto('/login');
  await page.getByLabel('Username').fill(radiologist.username);
  await page.getByLabel('Password', { exact: true }).fill(radiologist.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/dashboard/);
  const storageState = await signingIn.storageState();
  await signingIn.close();

  const writable = '[role=textbox][aria-label="Report text"][contenteditable=true]';
  for (const [name, path, shown] of [
    ['study list', '/studies', 'a[href^="/studies/"][title]'],
    ['study page', `/studies/${drafted}`, 'main h1'],
    ['report editor', `/studies/${drafted}`, writable],
    ['viewer', `/viewer/${imaged}`, 'main canvas'],
  ] as const) {
    const context = await browser.newContext({ viewport, storageState });
    const { requests, shownAfter } = await requestsOf(context, `${server.address}${path}`, shown);
    await context.close();
    const bytes = requests.reduce((sum, request) => sum + request.bytes, 0);
    console.log(
      `\n${name}: usable after ${shownAfter.toFixed(0)} ms, ${requests.length} requests, ${(bytes / 1000).toFixed(0)} kB`,
    );
    for (const { start, end, bytes: size, name: request, code } of requests) {
      const times = `${start.toFixed(0).padStart(6)} to ${(Number.isNaN(end) ? '…' : end.toFixed(0)).padStart(5)} ms`;
      console.log(`${times} ${(size / 1000).toFixed(1).padStart(7)} kB  ${request}${code && `  (sent by ${code})`}`);
    }
  }
} finally {
  await browser.close();
  await server.stop();
}
