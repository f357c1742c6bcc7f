import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { computedRadiography, ctVolume } from '@radwork/phantom/studies';
import { upload } from '../../../e2e/src/viewer-steps.ts';
import { radiologist, type Server, startServer } from '../server.ts';
import { readFromList } from './read-from-list.ts';
import { readInTurn } from './read-in-turn.ts';
import { watchStudies } from './watch-studies.ts';

/**
 * Reads unread studies in Chromium on the production build (npm run build). Prints for each study the actions apart
 * from the writing, the seconds, and the time from the key to the first image of the next study. `--way list` goes
 * through the study page: list, viewer, report. `--record FOLDER` keeps a video. `--pause` is the time in seconds that
 * the reader looks at each study; meanwhile the next studies are loaded in advance.
 */
const { values: args } = parseArgs({
  options: {
    studies: { type: 'string', default: '10' },
    way: { type: 'string', default: 'reading' },
    record: { type: 'string' },
    pause: { type: 'string', default: '0' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});
const count = Number(args.studies);

const signature =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60"><path d="M10 40 L60 10 L100 40 L190 20" stroke="black" stroke-width="2" fill="none"/></svg>';

/** Saves a signature for the reader, which the dialog then fills in. */
const saveSignature = async ({ address, token }: Server): Promise<void> => {
  const response = await fetch(`${address}/api/account/signature`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ signatureData: `data:image/svg+xml;base64,${Buffer.from(signature).toString('base64')}` }),
  });
  if (!response.ok) throw new Error(`The signature was not saved: ${await response.text()}`);
};

const server = await startServer();
const browser = await chromium.launch({
  executablePath: args.chromium,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
  ],
});
try {
  await saveSignature(server);
  const context = await browser.newContext({
    baseURL: server.address,
    viewport: { width: 1440, height: 900 },
    ...(args.record && { recordVideo: { dir: args.record, size: { width: 1440, height: 900 } } }),
  });
  const page = await context.newPage();
  await page.addInitScript(watchStudies);
  await page.goto('/login');
  await page.getByLabel('Username').fill(radiologist.username);
  await page.getByLabel('Password', { exact: true }).fill(radiologist.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/dashboard/);
  for (let at = 0; at < count; at += 1) {
    const options = {
      seed: `reading ${at}`,
      patient: {
        PatientName: `Reading^Patient ${at}`,
        PatientID: `BENCH-R-${at}`,
        PatientBirthDate: '19610203',
        PatientSex: 'F',
      },
      studyDate: '20261112',
      accessionNumber: `BENCH-R-${at}`,
    } as const;
    const files = at % 2 === 0 ? ctVolume({ ...options, slices: 24, size: 512 }) : computedRadiography(options);
    await upload(page, [...files]);
  }
  await page.goto('/dashboard');
  await (args.way === 'list' ? readFromList(page, count) : readInTurn(page, count, Number(args.pause) * 1000));
  await context.close();
} finally {
  await browser.close();
  await server.stop();
}
