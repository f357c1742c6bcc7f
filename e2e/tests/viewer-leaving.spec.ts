import { expect, type Page, test } from '@playwright/test';
import { smallPet, smallStack, studyUidOf } from '../src/small-stacks.ts';
import { fusionIsThere, imageNumber, planesAreThere, store } from '../src/stack-steps.ts';
import { besidesLeaving, complaintsOf } from '../src/steps.ts';
import { contextsInUse, keepContexts, nodesHeld } from '../src/viewer-steps.ts';

// Clips play only if reduced motion is off.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Number of times that each viewer opens and closes. The browser drops the oldest graphics context after the 16th. */
const openings = 6;

/** Fewer nodes than one viewer has. A viewer that is not freed exceeds it. */
const fewNodes = 100;

const viewers = [
  { name: 'standard', path: 'viewer', isThere: (page: Page) => expect(imageNumber(page).first()).toBeVisible() },
  { name: 'ultrasound', path: 'usviewer', isThere: (page: Page) => expect(imageNumber(page)).toBeVisible() },
  { name: 'planes', path: 'mpr', isThere: planesAreThere },
  { name: 'fusion', path: 'petct', isThere: fusionIsThere },
];

/** A CT and a PET in the same space, and a clip. */
const forAll = (study: string) => [
  ...smallStack(study, 'CT', 4),
  ...smallPet(study, 4),
  ...smallStack(study, 'US', 3, () => ({ elements: { Modality: 'US', SeriesNumber: 3 } })),
];

for (const { name, path, isThere } of viewers) {
  test(`leaving frees the graphics card and DOM nodes, also during loading: ${name}`, async ({ page }) => {
    const study = `leaving ${name}`;
    const complaints = complaintsOf(page);
    await keepContexts(page);
    await store(page, forAll(study));
    await page.goto(`/${path}/${studyUidOf(study)}`);
    const leave = page.getByRole('link', { name: 'Back to the study' });

    const nodes: number[] = [];
    for (let times = 0; times < openings; times += 1) {
      await isThere(page);
      // A browser that emulates the card gets a single context.
      expect(await contextsInUse(page)).toBeGreaterThan(0);
      await leave.click();
      // One context may remain, because the library keeps it to detect the graphics card.
      await expect.poll(() => contextsInUse(page)).toBeLessThanOrEqual(1);
      nodes.push(await nodesHeld(page));
      await page.goBack();
    }
    const [before, after] = [nodes.slice(0, openings / 2), nodes.slice(openings / 2)];
    expect(Math.max(...after), `Nodes held: ${nodes.join()}`).toBeLessThan(Math.max(...before) + fewNodes);

    await test.step('leaving while frames load frees the graphics card', async () => {
      await page.route(/\/frames\//, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 700));
        await route.continue().catch(() => undefined);
      });
      await page.reload();
      for (const moment of [0, 300, 900]) {
        await expect(leave).toBeVisible();
        await page.waitForTimeout(moment);
        await leave.click();
        await expect(page).toHaveURL(/\/studies\//);
        await page.waitForTimeout(900);
        await page.goBack();
      }
      await leave.click();
      await expect.poll(() => contextsInUse(page)).toBeLessThanOrEqual(1);
    });
    // The library warns for each slice that is no longer needed.
    expect(besidesLeaving(complaints)).toEqual([]);
  });
}
