import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { radiologist, startServer } from '../server.ts';
import { draftReport, longReport } from './drafts.ts';
import { timeOpening, timeTyping } from './page-times.ts';

/**
 * Measures the time from opening a study in the list to writing its report, and whether a long text delays typing. Runs
 * in Chromium on the production build, which must exist (npm run build).
 */
const { values: args } = parseArgs({
  options: { rounds: { type: 'string', default: '11' }, chromium: { type: 'string', default: '/usr/bin/chromium' } },
});

const server = await startServer();
const browser = await chromium.launch({
  executablePath: args.chromium,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
try {
  const short = await draftReport(server, 'Short', '<p>No acute finding.</p>');
  const long = await draftReport(server, 'Long', longReport);
  const page = await browser.newPage({ baseURL: server.address, viewport: { width: 1440, height: 900 } });
  await page.goto('/login');
  await page.getByLabel('Username').fill(radiologist.username);
  await page.getByLabel('Password', { exact: true }).fill(radiologist.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/dashboard/);

  for (const [name, id] of [
    ['a short report', short],
    ['a report of 9,400 characters', long],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round < Number(args.rounds); round += 1) times.push(await timeOpening(page, id));
    const [first = 0] = times;
    times.sort((one, other) => one - other);
    const middle = times[Math.floor(times.length / 2)] ?? 0;
    const slowest = times.at(-1) ?? 0;
    console.log(
      `opening ${name}: median ${middle.toFixed(0)} ms, first ${first.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms`,
    );
  }
  const longTasks = await timeTyping(page, long);
  const longest = Math.max(0, ...longTasks);
  console.log(`typing in it: ${longTasks.length} tasks of more than 50 ms, the longest ${longest.toFixed(0)} ms`);
} finally {
  await browser.close();
  await server.stop();
}
