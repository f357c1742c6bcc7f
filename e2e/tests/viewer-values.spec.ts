import { expect, test } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import type { Elements } from '@radwork/dicom/part10';
import { enhancedCt, enhancedCtPlane, enhancedCtScale, enhancedMr, storedInColumn } from '@radwork/phantom/enhanced';
import { patients } from '@radwork/phantom/patients';
import { side, smallStack, studyUidOf } from '../src/small-stacks.ts';
import { imageNumber, store } from '../src/stack-steps.ts';
import { farthestFromServer, tableStacks } from '../src/table-stacks.ts';
import {
  clickOn,
  drag,
  measurements,
  openViewer,
  pictureOn,
  placementOf,
  scrollTo,
  upload,
} from '../src/viewer-steps.ts';

const quarters = [
  { row: 16, column: 16, colour: [200, 40, 60] },
  { row: 16, column: 48, colour: [40, 180, 90] },
  { row: 48, column: 16, colour: [60, 70, 220] },
  { row: 48, column: 48, colour: [210, 190, 50] },
] as const;
const quarterAt = (row: number, column: number) => (row < side / 2 ? 0 : 2) + (column < side / 2 ? 0 : 1);
const inQuarters = <T>(valueOf: (quarter: number) => T): T[] =>
  Array.from({ length: side * side }, (_, at) => valueOf(quarterAt(Math.floor(at / side), at % side)));

const colours: Elements = {
  BitsAllocated: 8,
  BitsStored: 8,
  HighBit: 7,
  RescaleIntercept: undefined,
  RescaleSlope: undefined,
  RescaleType: undefined,
  WindowCenter: undefined,
  WindowWidth: undefined,
  Modality: 'OT',
};

/** Colors of a palette in the header (PS3.3 §C.7.6.3.1.5, C.7.6.3.1.6). */
const inPalette = () => {
  const descriptor = [256, 0, 16];
  const palette = (part: 0 | 1 | 2) =>
    Buffer.from(
      Uint16Array.from({ length: 256 }, (_, index) => (quarters[index - 10]?.colour[part] ?? 0) * 257).buffer,
    );
  return smallStack('palette', 'Palette', 1, () => ({
    elements: {
      ...colours,
      PhotometricInterpretation: 'PALETTE COLOR',
      RedPaletteColorLookupTableDescriptor: descriptor,
      GreenPaletteColorLookupTableDescriptor: descriptor,
      BluePaletteColorLookupTableDescriptor: descriptor,
      RedPaletteColorLookupTableData: palette(0),
      GreenPaletteColorLookupTableData: palette(1),
      BluePaletteColorLookupTableData: palette(2),
    },
    file: { pixelData: Buffer.from(inQuarters((quarter) => 10 + quarter)) },
  }));
};

/** Luminance for each pixel, color for every second pixel (PS3.3 §C.7.6.3.1.2, YBR_FULL_422). */
const atHalfWidth = () => {
  const ybr = quarters.map(({ colour: [red, green, blue] }) => [
    Math.round(0.299 * red + 0.587 * green + 0.114 * blue),
    Math.round(128 - 0.1687 * red - 0.3313 * green + 0.5 * blue),
    Math.round(128 + 0.5 * red - 0.4187 * green - 0.0813 * blue),
  ]);
  const pairs = inQuarters((quarter) => ybr[quarter] ?? []).filter((_, at) => at % 2 === 0);
  return smallStack('half width', 'Half width', 1, () => ({
    elements: { ...colours, SamplesPerPixel: 3, PlanarConfiguration: 0, PhotometricInterpretation: 'YBR_FULL_422' },
    file: { pixelData: Buffer.from(pairs.flatMap(([y = 0, cb = 0, cr = 0]) => [y, y, cb, cr])) },
  }));
};

test('values and colors match the image, even with functional groups, palettes and lookup tables', async ({ page }) => {
  test.setTimeout(300_000);
  await test.step('a probe shows the right values, even on later images', async () => {
    await store(page, smallStack('probe', 'CT', 4));
    await openViewer(page, studyUidOf('probe'));
    await scrollTo(page, 3);
    const { of } = placementOf(await pictureOn(page), { rows: side, columns: side });
    await page.keyboard.press('v');
    await clickOn(page, of({ row: 26, column: 12 }));
    await clickOn(page, of({ row: 50, column: 40 }));

    // Stored as 1250 and as 900 + 4 per column; the intercept subtracts 1024.
    await expect(measurements(page)).toHaveText(['226 HU', '36 HU']);
  });

  await test.step('an enhanced image with one frame gets sides and values from its functional groups', async () => {
    const options = { patient: patients[0], studyDate: '20261110', accessionNumber: 'ONE-FRAME' };
    const mr = enhancedMr({ ...options, seed: 'one frame of MR' });
    const ct = enhancedCt({ ...options, seed: 'one frame of CT' });
    await upload(page, [mr, ct]);
    const lettersAt = (edge: string) => page.getByLabel('Viewport 1').locator(`span[class^="_${edge}_"]`);
    const letters = () =>
      Promise.all(['left', 'right', 'top', 'bottom'].map((edge) => lettersAt(edge).allTextContents()));

    // Rows run to the patient's right and posterior, columns to the feet.
    await openViewer(page, readHeader(mr.bytes).studyInstanceUID);
    await expect.poll(letters).toEqual([['LA'], ['RP'], ['H'], ['F']]);

    await openViewer(page, readHeader(ct.bytes).studyInstanceUID);
    await expect.poll(letters).toEqual([['R'], ['L'], ['A'], ['P']]);
    const { of } = placementOf(await pictureOn(page), enhancedCtPlane);
    await page.keyboard.press('v');
    await clickOn(page, of({ row: 24, column: 12 }));
    await clickOn(page, of({ row: 30, column: 40 }));
    const hounsfield = (column: number) => storedInColumn(column) * enhancedCtScale.slope + enhancedCtScale.intercept;
    await expect(measurements(page)).toHaveText([`${hounsfield(12)} HU`, `${hounsfield(40)} HU`]);
  });

  for (const [name, study, files] of [
    ['of a palette in the header', 'palette', inPalette],
    ['that are stored at half their width', 'half width', atHalfWidth],
  ] as const) {
    await test.step(`colors ${name} are shown correctly`, async () => {
      await upload(page, files());
      await openViewer(page, studyUidOf(study));
      const picture = await pictureOn(page);
      const { of } = placementOf(picture, { rows: side, columns: side });
      for (const { colour, ...place } of quarters) {
        const { red, green, blue } = picture.at(of(place));
        expect(
          [red, green, blue].map((value, at) => Math.abs(value - (colour[at] ?? 0)) < 4),
          `${red} ${green} ${blue}`,
        ).toEqual([true, true, true]);
      }
    });
  }

  // Images must look as the server renders them, with values from their tables.
  for (const { name, study, files } of tableStacks()) {
    await test.step(name, async () => {
      const [file] = files;
      if (!file) throw new Error('There is no file');
      await upload(page, files);
      await openViewer(page, studyUidOf(study));

      // Rounding on the screen may differ by one gray.
      expect(await farthestFromServer(page, file), name).toBeLessThan(3);
      const { of } = placementOf(await pictureOn(page), { rows: side, columns: side });
      if (name === 'a table of values') {
        await page.keyboard.press('v');
        await clickOn(page, of({ row: 8, column: 10 }));
        await expect(measurements(page)).toHaveText('8410 10⁻³ OD');
      }
      if (name === 'a table of greys') {
        await expect(page.getByLabel('Viewport 1').getByText('VOI LUT STANDARD')).toBeVisible();
        await page.keyboard.press('w');
        await drag(page, of({ row: 30, column: 30 }), of({ row: 34, column: 36 }));
        await expect(page.getByText(/^W \d+ {2}L \d+$/)).toBeVisible();
        // A window is linear from black to white. The table's gray at the middle would be far off.
        const [dark, middle, bright] = [48, 32, 16].map(
          async (column) => (await pictureOn(page)).at(of({ row: 8, column })).red,
        );
        expect(Math.abs(2 * ((await middle) ?? 0) - ((await dark) ?? 0) - ((await bright) ?? 0))).toBeLessThan(6);

        await page.getByRole('button', { name: 'Window presets' }).click();
        await page.getByRole('menuitem', { name: /^VOI LUT STANDARD/ }).click();
        await expect(page.getByLabel('Viewport 1').getByText('VOI LUT STANDARD')).toBeVisible();
        expect(await farthestFromServer(page, file)).toBeLessThan(3);
      }
    });
  }
});

test('two images of one series each have their own orientation until the reader rotates one of them', async ({
  page,
}) => {
  const mammogram = (ImageLaterality: string, PatientOrientation: [string, string]) => ({
    elements: {
      Modality: 'MG',
      ViewPosition: 'CC',
      ImageLaterality,
      PatientOrientation,
      // A projection has no position in the patient. Slices in one frame of reference would scroll together.
      ImagePositionPatient: undefined,
      ImageOrientationPatient: undefined,
      FrameOfReferenceUID: undefined,
    },
  });
  const views = [mammogram('R', ['A', 'R']), mammogram('L', ['A', 'L'])];
  await store(
    page,
    smallStack('mammogram', 'MG', 2, (index) => views[index] ?? {}),
  );
  await page.goto(`/viewer/${studyUidOf('mammogram')}`);
  await expect(imageNumber(page)).toHaveText(['1 / 2', '2 / 2']);
  /** Corner of the image with the block that is recorded at the upper left. */
  const corner = async () => {
    const picture = await pictureOn(page);
    const { of } = placementOf(picture, { rows: side, columns: side });
    const [upper, lower, left, right] = [[8, 17], [46, 55], 12, 51];
    const corners = [
      ['upper left', upper, left],
      ['upper right', upper, right],
      ['lower left', lower, left],
      ['lower right', lower, right],
    ] as const;
    const lights = corners.map(([name, rows, column]) => ({
      name,
      light: Math.max(...rows.map((row) => picture.at(of({ row, column })).red)),
    }));
    return lights.toSorted((one, other) => other.light - one.light)[0]?.name;
  };

  // A right view has rows to posterior and columns to medial, a left view rows to anterior and columns to medial.
  await expect.poll(corner).toBe('lower right');
  await page.keyboard.press('ArrowDown');
  await expect(imageNumber(page).first()).toHaveText('2 / 2');
  await expect.poll(corner).toBe('lower left');
  await page.keyboard.press('ArrowUp');
  await expect.poll(corner).toBe('lower right');

  await page.keyboard.press('o');
  await page.keyboard.press('o');
  await expect.poll(corner).toBe('upper left');
  await page.keyboard.press('ArrowDown');
  await expect(imageNumber(page).first()).toHaveText('2 / 2');
  await expect.poll(corner).toBe('upper left');
});
