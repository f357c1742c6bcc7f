import { setTimeout as look } from 'node:timers/promises';
import { expect as usualExpect, type Page } from '@playwright/test';
import { countActions, printEfforts, type StudyEffort } from './counted-actions.ts';
import type { OpenedStudy } from './watch-studies.ts';

/** Waits longer than Playwright does, because the machine may be busy. */
const expect = usualExpect.configure({ timeout: 30_000 });

const text = 'No acute abnormality.';

const studyIn = (page: Page): string => new URL(page.url()).pathname.split('/')[2] ?? '';

/** Returns the 95th percentile, by the nearest rank. */
const p95 = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.ceil(numbers.length * 0.95) - 1] ?? Number.NaN;

/** Reads studies in reading mode: N, then `pause` milliseconds of looking, text, signature and the next study. */
export const readInTurn = async (page: Page, count: number, pause: number): Promise<void> => {
  await expect(page.getByRole('list', { name: 'Studies to read next' })).toBeVisible();
  const efforts: StudyEffort[] = [];
  const bar = page.getByRole('region', { name: 'Reading' });
  await page.keyboard.press('n');
  for (let at = 0; at < count; at += 1) {
    await expect(bar).toBeVisible();
    const study = studyIn(page);
    const editor = page.getByRole('textbox', { name: 'Report text' });
    await expect(editor).toBeVisible();
    await page.waitForFunction(
      (id) => (Reflect.get(window, 'openedStudies') as OpenedStudy[]).at(-1)?.id === id,
      study,
    );
    await look(pause);
    const actions = countActions(page);
    // Writing needs the caret, so this click belongs to the writing.
    await editor.click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(text);
    await actions.click(page.getByRole('button', { name: 'Finalize', exact: true }));
    const form = page.getByRole('dialog', { name: 'Finalize report' });
    await expect(form).toBeVisible();
    await actions.click(form.getByRole('checkbox', { name: /I confirm that this report/ }), { isConfirmation: true });
    await actions.click(form.getByRole('button', { name: 'Finalize report' }), { isConfirmation: true });
    await page.waitForURL((url) => !url.pathname.includes(study));
    efforts.push(actions.effort());
  }
  printEfforts(efforts);
  const opened = await page.evaluate(() => Reflect.get(window, 'openedStudies') as OpenedStudy[]);
  const times = opened.map(({ ms }) => ms);
  const [first = Number.NaN, ...next] = times;
  console.log(`first image after N: ${first.toFixed(0)} ms`);
  console.log(
    `first image of the next study after the confirmation, with the signature: ${next.map((ms) => ms.toFixed(0)).join(', ')} ms`,
  );
  await skipStudies(page, pause);
  console.log(`two readers: see the tests of the reading queue; p95 of all openings ${p95(times).toFixed(0)} ms`);
};

/** Skips through the rest of the queue, to time the next image without a signature. */
const skipStudies = async (page: Page, pause: number): Promise<void> => {
  const before = await page.evaluate(() => (Reflect.get(window, 'openedStudies') as OpenedStudy[]).length);
  while (page.url().includes('/viewer/')) {
    const study = studyIn(page);
    await look(pause);
    await page.getByRole('region', { name: 'Reading' }).getByRole('button', { name: 'Skip' }).click();
    await page.waitForURL((url) => !url.pathname.includes(study));
    const now = studyIn(page);
    if (!page.url().includes('/viewer/')) break;
    await page.waitForFunction((id) => (Reflect.get(window, 'openedStudies') as OpenedStudy[]).at(-1)?.id === id, now);
  }
  const times = await page.evaluate(
    (from) => (Reflect.get(window, 'openedStudies') as OpenedStudy[]).slice(from).map(({ ms }) => ms),
    before,
  );
  console.log(
    `first image after Skip: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms, p95 ${p95(times).toFixed(0)} ms`,
  );
};
