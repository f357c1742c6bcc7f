import { expect, type Page, test } from '@playwright/test';
import { openImage } from '@radwork/phantom/image-file';
import { documentTruth } from '@radwork/phantom/known-values';
import { files, openStudy, options, pane } from '../src/documents-study.ts';
import { complaintsOf } from '../src/steps.ts';
import { pictureOn, placementOf } from '../src/viewer-steps.ts';

/** Opens an image of the CT by its number, from 1. Its columns and rows count from 0. */
const valuesIn = (number: number) => {
  const file = files.find(({ name }) => name === `CT/${String(number).padStart(4, '0')}.dcm`);
  if (!file) throw new Error(`There is no image ${number}`);
  return openImage(file.bytes);
};

const shade = (value: number, { center, width }: { center: number; width: number }): number =>
  255 * Math.min(1, Math.max(0, (value - (center - 0.5)) / (width - 1) + 0.5));

/** Checks that the grays around a pixel are alike, so that interpolation does not matter. */
const isFlat = (image: ReturnType<typeof valuesIn>, column: number, row: number, within: number): boolean => {
  const around = [-2, -1, 0, 1, 2].flatMap((down) =>
    [-2, -1, 0, 1, 2].map((right) => image.valueAt(row + down, column + right)),
  );
  return Math.max(...around) - Math.min(...around) < within;
};

const choose = async (page: Page, name: RegExp) => {
  await page.getByRole('button', { name: 'Presentation states' }).click();
  await page.getByRole('menuitem', { name }).click();
};

/** Position of the circle that a presentation state draws, on the canvas. */
const circleOf = (page: Page) =>
  pane(page, 1)
    .getByTestId('presentation-graphics')
    .locator('path[d$="Z"]')
    .last()
    .evaluate((path: SVGPathElement) => {
      const { x, y, width, height } = path.getBBox();
      return { x: x + width / 2, y: y + height / 2, width };
    });

/** Expects an image that is upright, complete and shown with its own window. */
const expectAsRecorded = async (page: Page, number: number) => {
  const picture = await pictureOn(page);
  const onScreen = placementOf(picture, { rows: options.size, columns: options.size });
  const image = valuesIn(number);
  let compared = 0;
  for (let column = 4; column < options.size - 4; column += 7) {
    for (let row = 4; row < options.size - 4; row += 7) {
      if (!isFlat(image, column, row, 80)) continue;
      const expected = shade(image.valueAt(row, column), { center: 40, width: 400 });
      expect(Math.abs(picture.at(onScreen.of({ column, row })).red - expected)).toBeLessThan(30);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(40);
};

/** Expects the area outside the shutter to be covered, and the inside not. */
const expectShutter = async (
  page: Page,
  edges: { left: number; right: number; upper: number; lower: number } | undefined,
  onScreen: ReturnType<typeof placementOf>,
) => {
  if (!edges) throw new Error('The state has no shutter');
  const covers = (column: number, row: number) =>
    pane(page, 1)
      .getByTestId('shutter')
      .locator('path')
      .evaluate((path: SVGPathElement, point) => {
        const at = path.ownerSVGElement?.createSVGPoint() ?? new DOMPoint();
        Object.assign(at, point);
        return path.isPointInFill(at);
      }, onScreen.of({ column, row }));
  const { left, right, upper, lower } = edges;
  // The file counts pixels from 1, the image from 0.
  const [column, row] = [(left + right) / 2 - 1, (upper + lower) / 2 - 1];
  expect(await Promise.all([covers(left - 1, row), covers(left - 2, row)])).toEqual([false, true]);
  expect(await Promise.all([covers(right - 1, row), covers(right, row)])).toEqual([false, true]);
  expect(await Promise.all([covers(column, upper - 1), covers(column, upper - 2)])).toEqual([false, true]);
  expect(await Promise.all([covers(column, lower - 1), covers(column, lower)])).toEqual([false, true]);
};

test('a presentation state applies rotation, mirroring, window, inversion and graphics to its image', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  await openStudy(page);
  const [lung, inverse, table] = documentTruth.states(options);
  const size = options.size;

  await test.step('in a rotated and mirrored image, columns run down the screen and rows run across', async () => {
    await choose(page, /LUNG – Granuloma, lung window · Okafor, Dr Ngozi · 2026-11-12 12:00/);
    await expect(page.getByTestId('image-number')).toHaveText(new RegExp(`^${lung.image} / `));
    await expect(pane(page, 1).getByTestId('presentation')).toHaveText('Presentation LUNG – Granuloma, lung window');
    await expect(pane(page, 1).getByText('W 1500 L -600')).toBeVisible();
    const picture = await pictureOn(page);
    // The displayed area fits the viewport: its rows run across, its columns down.
    const [[firstColumn, firstRow], [lastColumn, lastRow]] = lung.area;
    const scale = Math.min(picture.width / (lastRow - firstRow + 1), picture.height / (lastColumn - firstColumn + 1));
    const onScreen = ({ column, row }: { column: number; row: number }) => ({
      x: picture.width / 2 + (row - (firstRow - 1 + lastRow) / 2) * scale,
      y: picture.height / 2 + (column - (firstColumn - 1 + lastColumn) / 2) * scale,
    });
    const image = valuesIn(lung.image);
    let compared = 0;
    for (let column = firstColumn + 3; column < lastColumn - 3; column += 5) {
      for (let row = firstRow + 3; row < lastRow - 3; row += 5) {
        if (!isFlat(image, column, row, 120)) continue;
        const pixel = picture.at(onScreen({ column: column + 0.5, row: row + 0.5 }));
        const expected = shade(image.valueAt(row, column), lung.window);
        // Graphics are drawn over the canvas, not in it.
        expect(Math.abs(pixel.red - expected), `column ${column}, row ${row}`).toBeLessThan(14);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(100);
    const expectedCircle = onScreen(lung.circle);
    const graphic = await circleOf(page);
    expect(Math.hypot(graphic.x - expectedCircle.x, graphic.y - expectedCircle.y)).toBeLessThan(2);
    expect(graphic.width / (2 * lung.circle.radius * scale)).toBeCloseTo(1, 1);
    await expect(pane(page, 1).getByText('Seen in LUNG')).toBeVisible();
    await page.keyboard.press('i');
    await expect(pane(page, 1).getByText('Modified by the user')).toBeVisible();
    await page.keyboard.press('i');
    await expect(pane(page, 1).getByText('Modified by the user')).toHaveCount(0);
  });

  await test.step('an image outside the presentation state stays unchanged', async () => {
    await page.keyboard.press('ArrowUp');
    await expect(pane(page, 1).getByText('Presentation LUNG: not for this image')).toBeVisible();
    await expect(pane(page, 1).getByText('W 400 L 40')).toBeVisible();
    await expectAsRecorded(page, lung.image - 1);
  });

  await test.step('a presentation state inverts its image and draws a shutter', async () => {
    await choose(page, /^INVERSE/);
    await expect(page.getByTestId('image-number')).toHaveText(new RegExp(`^${inverse.image} / `));
    const picture = await pictureOn(page);
    const onScreen = placementOf(picture, { rows: size, columns: size });
    const image = valuesIn(inverse.image);
    let compared = 0;
    for (let column = 4; column < size - 4; column += 5) {
      for (let row = 4; row < size - 4; row += 5) {
        if (!isFlat(image, column, row, 60)) continue;
        const expected = 255 - shade(image.valueAt(row, column), inverse.window);
        const slack = (40 / inverse.window.width) * 255;
        expect(Math.abs(picture.at(onScreen.of({ column, row })).red - expected)).toBeLessThan(slack);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(60);
    await expectShutter(page, inverse.shutter, onScreen);
  });

  await test.step('a presentation state applies a lookup table stored outside the header', async () => {
    await page.keyboard.press(',');
    await page.keyboard.press('p');
    await expect(pane(page, 1).getByTestId('presentation')).toHaveText('Presentation TABLE – Cyst, through a table');
    const picture = await pictureOn(page);
    const onScreen = placementOf(picture, { rows: size, columns: size });
    const image = valuesIn(table.image);
    const { first = 0, entries = [] } = table.table ?? {};
    const steep: number[] = [];
    for (let column = 4; column < size - 4; column += 3) {
      for (let row = 4; row < size - 4; row += 3) {
        const value = image.valueAt(row, column);
        // In steep parts of the table, noise becomes a large difference.
        if (value < 60 || !isFlat(image, column, row, 80)) continue;
        const expected = (255 * (entries[Math.min(entries.length - 1, value - first)] ?? 0)) / 65_535;
        steep.push(picture.at(onScreen.of({ column, row })).red - expected);
      }
    }
    expect(steep.length).toBeGreaterThan(20);
    expect(Math.max(...steep.map(Math.abs))).toBeLessThan(30);
    expect(Math.abs(steep.reduce((sum, one) => sum + one, 0) / steep.length)).toBeLessThan(3);
  });

  await test.step('without a presentation state, images look as recorded', async () => {
    await page.keyboard.press(',');
    await page.keyboard.press('p');
    await expect(pane(page, 1).getByTestId('presentation')).toHaveCount(0);
    await expect(pane(page, 1).getByText('W 400 L 40')).toBeVisible();
    await expectAsRecorded(page, inverse.image);
  });
  expect(complaints).toEqual([]);
});
