import type { Browser, BrowserContext } from '@playwright/test';
import { serveOhif } from '../../../e2e/src/ohif-server.ts';
import { upload } from '../../../e2e/src/viewer-steps.ts';
import { radiologist, type Server } from '../server.ts';

/** A viewer to be measured: opens browser contexts without a cache, and gives the addresses of a study. */
export type Viewer = {
  name: string;
  open: () => Promise<BrowserContext>;
  stack: (studyUid: string) => string;
  volume: (studyUid: string) => string;
  stop: () => Promise<void>;
};

const viewport = { width: 1440, height: 900 };

type Files = readonly { bytes: Buffer }[];

/** Files of one request. They stay below the size limit of a request. */
const together = 25;

/** Our viewer, for a signed-in user who has uploaded these files. */
export const ours = async (browser: Browser, { address }: Server, files: Files): Promise<Viewer> => {
  const context = await browser.newContext({ viewport, baseURL: address });
  const page = await context.newPage();
  await page.goto(`${address}/login`);
  await page.getByLabel('Username').fill(radiologist.username);
  await page.getByLabel('Password', { exact: true }).fill(radiologist.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/dashboard/);
  for (let at = 0; at < files.length; at += together) await upload(page, files.slice(at, at + together));
  const storageState = await context.storageState();
  await context.close();
  return {
    name: 'Radwork',
    open: () => browser.newContext({ viewport, storageState }),
    stack: (studyUid) => `${address}/viewer/${studyUid}`,
    volume: (studyUid) => `${address}/mpr/${studyUid}`,
    stop: () => Promise.resolve(),
  };
};

/** OHIF's published build on its own origin, with our archive. */
export const ohif = async (browser: Browser, { address }: Server, build: string): Promise<Viewer> => {
  const { username: name, password } = radiologist;
  const served = await serveOhif(build, { origin: address, name, password });
  const at = (studyUid: string) => `${served.url}/viewer?StudyInstanceUIDs=${studyUid}`;
  return {
    name: 'OHIF',
    open: () => browser.newContext({ viewport }),
    stack: at,
    volume: (studyUid) => `${at(studyUid)}&hangingprotocolId=mpr`,
    stop: served.stop,
  };
};
