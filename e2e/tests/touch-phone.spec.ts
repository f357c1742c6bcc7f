import { expect, type Locator, test } from '@playwright/test';
import { expectPageStill, fingersOn } from '../src/touch-input.ts';
import { fusionIsThere, pane, planesAreThere } from '../src/stack-steps.ts';
import { complaintsOf, signIn, violations } from '../src/steps.ts';
import { body, brain, button, chest, heart, placesIn } from '../src/touch-steps.ts';

// Clips play only if reduced motion is off.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Visible texts in the overlays of a viewport that overlap each other. */
const overlapping = (one: Locator) =>
  one.locator('[class*=overlays] :not(:has(*))').evaluateAll((leaves) => {
    const boxes = leaves.map((leaf) => {
      const [words, own] = [document.createRange(), leaf.getBoundingClientRect()];
      words.selectNodeContents(leaf);
      const { left, right, top, bottom } = words.getBoundingClientRect();
      return {
        words: leaf.textContent,
        left: Math.max(left, own.left),
        right: Math.min(right, own.right),
        top: top + 2,
        bottom: bottom - 2,
      };
    });
    return boxes.flatMap((box, at) =>
      boxes
        .slice(at + 1)
        .filter((other) => box.left < other.right && other.left < box.right)
        .filter((other) => box.top < other.bottom && other.top < box.bottom)
        .map((other) => `${box.words} / ${other.words}`),
    );
  });

test.describe('Radwork on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test(
    'every viewer fits a phone in portrait: no text is cut off or overlapped, and every tool is reachable',
    { tag: '@gate' },
    async ({ page }) => {
      test.setTimeout(180_000);
      const complaints = complaintsOf(page);
      await signIn(page, 'radiologist');
      const fingers = await fingersOn(page);
      const expectUsable = async () => {
        const bar = page.getByRole('toolbar', { name: 'Image tools' });
        const over = (await placesIn(bar))(0.5, 0.5);
        const last = button(page, 'Keyboard shortcuts');
        // Starts at changing positions, since a slider under the finger would move instead.
        for (const from of [360, 240, 150, 360, 240, 150, 360, 240]) {
          await fingers.drag([
            { x: from, y: over.y },
            { x: 10, y: over.y },
          ]);
        }
        await expect(last).toBeInViewport({ ratio: 1 });
        await expectPageStill(page);
        expect(await violations(page)).toEqual([]);
      };

      await test.step('the standard viewer fits a phone', async () => {
        await page.goto(`/viewer/${await brain(page, 'phone')}`);
        await expect(page.getByTestId('image-number')).toHaveCount(1);
        expect(await overlapping(pane(page, 'Viewport 1'))).toEqual([]);
        await expectUsable();
      });

      await test.step('the planes viewer with four planes fits a phone', async () => {
        await page.goto(`/mpr/${await chest(page, 'phone-planes')}`);
        await planesAreThere(page);
        for (const name of ['Axial', 'Sagittal', 'Coronal']) expect(await overlapping(pane(page, name))).toEqual([]);
        await expectUsable();
      });

      await test.step('the fusion viewer fits a phone', async () => {
        await page.goto(`/petct/${await body(page, 'phone-fusion')}`);
        await fusionIsThere(page);
        await page.getByRole('group', { name: 'Panes' }).getByRole('button', { name: 'CT', exact: true }).tap();
        await expect(pane(page, 'CT')).toBeVisible();
        await expectUsable();
      });

      await test.step('the ultrasound viewer fits a phone, and a finger moves the clip', async () => {
        await page.goto(`/usviewer/${await heart(page, 'phone-film')}`);
        const cineControls = page.getByRole('group', { name: 'Cine' });
        await cineControls.getByRole('button', { name: 'Pause' }).tap();
        const at = await placesIn(cineControls.getByRole('slider', { name: 'Frame', exact: true }).locator('..'));
        await fingers.drag([at(0.3, 0.5), at(0.8, 0.5)]);
        await expect(page.getByTestId('image-number')).toHaveText('10 / 12');
        await expectUsable();
      });
      expect(complaints).toEqual([]);
    },
  );
});
