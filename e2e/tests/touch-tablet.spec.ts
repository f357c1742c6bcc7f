import { expect, type Locator, test } from '@playwright/test';
import { expectPageStill, fingersOn, parting } from '../src/touch-input.ts';
import { fusionIsThere, pane, planesAreThere } from '../src/stack-steps.ts';
import { complaintsOf, signIn, violations } from '../src/steps.ts';
import { body, brain, button, chest, expectDoubled, placesIn, takeTool, zoomOf } from '../src/touch-steps.ts';
import { measurements } from '../src/viewer-steps.ts';

/** Ends of the only line in a viewport, left to right, in page coordinates. */
const lineIn = async (one: Locator) => {
  const places = await placesIn(one.locator('canvas.cornerstone-canvas'));
  const { x: left, y: top } = places(0, 0);
  const line = one.locator('svg.svg-layer line').first();
  const ends = await Promise.all(['x1', 'y1', 'x2', 'y2'].map((name) => line.getAttribute(name)));
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = ends.map(Number);
  const [start, end] = [
    { x: left + x1, y: top + y1 },
    { x: left + x2, y: top + y2 },
  ] as const;
  return start.x < end.x ? ([start, end] as const) : ([end, start] as const);
};

type Line = Awaited<ReturnType<typeof lineIn>>;

/** Largest distance between the ends of two lines, in CSS pixels. */
const apart = (one: Line, other: Line) =>
  Math.max(...one.map(({ x, y }, at) => Math.hypot(x - (other[at]?.x ?? NaN), y - (other[at]?.y ?? NaN))));

test.describe('Radwork on a tablet', () => {
  test.use({ viewport: { width: 1024, height: 768 }, hasTouch: true });

  test('fingers scroll, measure, zoom and pan images, while the page stays still', async ({ page }) => {
    const complaints = complaintsOf(page);
    await signIn(page, 'radiologist');
    await page.goto(`/viewer/${await brain(page, 'stack')}`);
    await expect(page.getByTestId('image-number')).toHaveCount(3);
    const fingers = await fingersOn(page);
    const [first, second] = [pane(page, 'Viewport 1'), pane(page, 'Viewport 2')];
    const at = await placesIn(first.locator('canvas.cornerstone-canvas'));
    const image = first.getByTestId('image-number');

    await test.step('one finger scrolls the images', async () => {
      await fingers.drag([at(0.5, 0.3), at(0.5, 0.7)]);
      await expect(image).not.toHaveText('1 / 12');
    });

    await test.step('two taps draw and measure one line', async () => {
      await takeTool(page, 'Length');
      await fingers.tap(at(0.3, 0.4));
      await page.waitForTimeout(400);
      await fingers.tap(at(0.7, 0.4));
      await expect(measurements(first)).toHaveText([/^\d+(\.\d+)? mm$/]);
      await expect.poll(async () => apart(await lineIn(first), [at(0.3, 0.4), at(0.7, 0.4)])).toBeLessThan(2);
      await expect(measurements(first)).toHaveCount(1);
    });

    await test.step('a finger near the end of a line moves that end', async () => {
      const { x, y } = at(0.7, 0.4);
      await fingers.drag([{ x: x + 12, y: y + 12 }, at(0.7, 0.5)]);
      await expect.poll(async () => apart(await lineIn(first), [at(0.3, 0.4), at(0.7, 0.5)])).toBeLessThan(2);
    });

    await test.step('an interrupted touch or a second finger draws no measurement and moves none', async () => {
      const before = await lineIn(first);
      await fingers.interrupted([at(0.2, 0.8), at(0.6, 0.8)]);
      await fingers.drag([at(0.7, 0.5), at(0.8, 0.55)], [at(0.2, 0.9), at(0.3, 0.95)]);
      await button(page, 'Fit to window').tap();
      await expect(measurements(first)).toHaveCount(1);
      expect(apart(await lineIn(first), before)).toBeLessThan(2);
    });

    await test.step('two fingers zoom, and the image point under them stays there', async () => {
      const [words, zoom, [start, end]] = [
        await measurements(first).textContent(),
        await zoomOf(first),
        await lineIn(first),
      ];
      await fingers.drag(...parting(at(0.5, 0.5), 80, 160));
      expectDoubled(zoom, await zoomOf(first));
      const after = await lineIn(first);
      const factor = (after[1].x - after[0].x) / (end.x - start.x);
      const middle = at(0.5, 0.5);
      const parted = ({ x, y }: { x: number; y: number }) => ({
        x: middle.x + (x - middle.x) * factor,
        y: middle.y + (y - middle.y) * factor,
      });
      expect(apart(after, [parted(start), parted(end)])).toBeLessThan(2);
      await expect(measurements(first)).toHaveText(words ?? '');
      await expectPageStill(page);
    });

    await test.step('two fingers pan the image', async () => {
      const [[start], { x, y }] = [await lineIn(first), at(0.5, 0.7)];
      await fingers.drag(
        [
          { x: x - 60, y },
          { x: x - 30, y: y - 50 },
        ],
        [
          { x: x + 60, y },
          { x: x + 90, y: y - 50 },
        ],
      );
      const [moved] = await lineIn(first);
      expect(moved.x - start.x).toBeGreaterThan(20);
      expect(moved.y - start.y).toBeLessThan(-35);
      await expectPageStill(page);
    });

    await test.step('without a measuring tool, a scrolling finger moves no line', async () => {
      await button(page, 'Fit to window').tap();
      await takeTool(page, 'Scroll');
      const imageText = await image.textContent();
      await fingers.drag([at(0.5, 0.45), at(0.5, 0.15)]);
      await expect(image).not.toHaveText(imageText ?? '');
      await fingers.drag([at(0.5, 0.15), at(0.5, 0.45)]);
      await expect(image).toHaveText(imageText ?? '');
      expect(apart(await lineIn(first), [at(0.3, 0.4), at(0.7, 0.5)])).toBeLessThan(2);
    });

    await test.step('two taps enlarge a viewport, two more taps restore it, and a tap on a series opens the series there', async () => {
      const over = await placesIn(second);
      for (const enlarged of ['true', null]) {
        await fingers.tap(over(0.5, 0.4));
        await fingers.tap(over(0.5, 0.4));
        await (enlarged
          ? expect(second).toHaveAttribute('data-enlarged', enlarged)
          : expect(second).not.toHaveAttribute('data-enlarged'));
        await page.waitForTimeout(500);
      }
      await page.getByRole('navigation', { name: 'Series' }).getByRole('button', { name: 'T1 sagittal' }).tap();
      await expect(second.getByText('T1 sagittal')).toBeVisible();
    });
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('fingers move the crosshairs of planes and fusion, and a pinch keeps them in place', async ({ page }) => {
    test.setTimeout(180_000);
    const complaints = complaintsOf(page);
    await signIn(page, 'radiologist');
    const fingers = await fingersOn(page);

    await test.step('fingers move the crosshairs of planes', async () => {
      await page.goto(`/mpr/${await chest(page, 'planes')}`);
      await planesAreThere(page);
      const axial = pane(page, 'Axial');
      const at = await placesIn(axial.locator('canvas.cornerstone-canvas'));
      const crossing = axial.getByText(/^[LR] [\d.]+ {2}[AP] [\d.]+ {2}[HF] [\d.]+ mm$/);
      const first = await crossing.textContent();
      await fingers.drag([at(0.5, 0.5), at(0.4, 0.45)]);
      await expect(crossing).not.toHaveText(first ?? '');
      const [before, zoom] = [await crossing.textContent(), await zoomOf(axial)];
      await fingers.drag(...parting(at(0.5, 0.6), 80, 160));
      expectDoubled(zoom, await zoomOf(axial));
      await expect(crossing).toHaveText(before ?? '');
      await button(page, 'Reset view').tap();
      await expect(crossing).toHaveText(first ?? '');

      const handle = await placesIn(axial.locator('svg circle').first());
      const { x, y } = handle(0.5, 0.5);
      const upright = () =>
        axial
          .locator('svg:not(.svg-layer) line')
          .evaluateAll((lines) =>
            lines.some((line) => Math.abs(Number(line.getAttribute('x1')) - Number(line.getAttribute('x2'))) < 1),
          );
      expect(await upright()).toBe(true);
      await fingers.drag([
        { x: x + 12, y: y + 10 },
        { x: x + 40, y: y + 60 },
      ]);
      await expect.poll(upright).toBe(false);
      await expect(crossing).toHaveText(first ?? '');
      await expectPageStill(page);
    });

    await test.step('fingers move the crosshairs and spheres of fusion', async () => {
      await page.goto(`/petct/${await body(page, 'fusion')}`);
      await fusionIsThere(page);
      const fused = pane(page, 'Fused');
      const at = await placesIn(fused);
      const upright = fused.locator('svg line').nth(2);
      await takeTool(page, 'Go to a point');
      await fingers.tap(at(0.6, 0.45));
      await expect
        .poll(async () => Number(await upright.getAttribute('x1')))
        .toBeCloseTo(at(0.6, 0).x - at(0, 0).x, -1);
      const value = await fused.getByTestId('uptake-value').textContent();
      await fingers.drag(...parting(at(0.5, 0.5), 80, 160));
      await expect
        .poll(async () => Number(await upright.getAttribute('x1')))
        .toBeGreaterThan(at(0.66, 0).x - at(0, 0).x);
      await expect(fused.getByTestId('uptake-value')).toHaveText(value ?? '');

      await takeTool(page, 'Sphere');
      await fingers.drag([at(0.5, 0.5), at(0.58, 0.5)]);
      const sphere = fused.locator('circle').first();
      const radius = async () => Number(await sphere.getAttribute('r'));
      await expect.poll(radius).toBeGreaterThan(10);
      const radiusBefore = await radius();
      const edge = at(0.58, 0.5);
      await fingers.drag([{ x: edge.x + 14, y: edge.y }, at(0.66, 0.5)]);
      await expect.poll(radius).toBeGreaterThan(radiusBefore + 10);
      await expect(fused.locator('circle:not([class])')).toHaveCount(1);
      await expectPageStill(page);
    });
    expect(complaints).toEqual([]);
  });
});
