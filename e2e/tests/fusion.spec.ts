import { expect, type Page, test } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import { petCt } from '@radwork/phantom/studies';
import { ctTruth, petTruth } from '@radwork/phantom/known-values';
import { complaintsOf, signIn } from '../src/steps.ts';
import { upload } from '../src/viewer-steps.ts';

const patient = {
  PatientName: 'Fusion^Frida',
  PatientID: 'E2E-FUSION',
  PatientBirthDate: '19580401',
  PatientSex: 'F',
} as const;

const study = { patient, studyDate: '20261112', slices: 60, size: 128 };

type Pane = 'CT' | 'PET' | 'Fused' | 'Projection';
const pane = (page: Page, name: Pane) => page.getByRole('region', { name, exact: true });
const ball = (name: string) => {
  const [inCt, inPet] = [ctTruth, petTruth].map(({ spheres }) => spheres.find((sphere) => sphere.name === name));
  if (!inCt || !('hounsfield' in inCt) || !inPet || !('suv' in inPet)) throw new Error(`No ${name}`);
  return { ...inCt, suv: inPet.suv };
};

/** Opens the fusion viewer and waits until both volumes are complete and drawn. */
const openFusion = async (page: Page, studyUid: string) => {
  await page.goto(`/petct/${studyUid}`);
  await expect(pane(page, 'Fused').locator('canvas').first()).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0, { timeout: 60_000 });
  await expect(pane(page, 'Projection').locator('canvas').first()).toBeVisible();
};

type Rgb = readonly [red: number, green: number, blue: number];

/** Pixels of a viewport, once two readings agree. */
const pictureOf = async (page: Page, name: Pane) => {
  let last = '';
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const reading = await pane(page, name)
      .locator('canvas.cornerstone-canvas')
      .evaluate((canvas: HTMLCanvasElement) => {
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
        copy?.drawImage(canvas, 0, 0);
        const pixels = copy?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
        let binary = '';
        for (let i = 0; i < pixels.length; i += 32_768)
          binary += String.fromCharCode(...pixels.subarray(i, i + 32_768));
        return { width: canvas.width, height: canvas.height, base64: btoa(binary) };
      });
    if (reading.base64 === last) {
      const rgba = Buffer.from(last, 'base64');
      const at = (x: number, y: number): Rgb => {
        const index = (Math.floor(y) * reading.width + Math.floor(x)) * 4;
        return [rgba[index] ?? 0, rgba[index + 1] ?? 0, rgba[index + 2] ?? 0];
      };
      return { ...reading, at };
    }
    last = reading.base64;
    await page.waitForTimeout(250);
  }
  throw new Error(`The pane ${name} never settled`);
};

/**
 * Position of a patient point on the canvas of a fitted axial slice. The slice covers 400 mm, and its center is the
 * center of the canvas.
 */
const onCanvas = ({ width, height }: { width: number; height: number }, [left, posterior]: readonly number[]) => {
  const { columns, rows, pixelSpacing, position } = ctTruth.planes({ slices: study.slices, size: study.size })[0] ?? {
    columns: 1,
    rows: 1,
    pixelSpacing: 1,
    position: [0, 0, 0],
  };
  const scale = Math.min(width / (columns * pixelSpacing), height / (rows * pixelSpacing));
  const middle = [
    position[0] + ((columns - 1) / 2) * pixelSpacing,
    position[1] + ((rows - 1) / 2) * pixelSpacing,
  ] as const;
  return {
    x: width / 2 + ((left ?? 0) - middle[0]) * scale,
    y: height / 2 + ((posterior ?? 0) - middle[1]) * scale,
    scale,
  };
};

/** Scrolls with keys to the slice nearest to a height. */
const goToHeight = async (page: Page, height: number) => {
  const location = pane(page, 'Fused').getByText(/^[HF] \d+\.\d mm$/);
  const sliceLocation = async () => {
    const [, side, distance] = /^([HF]) ([\d.]+)/.exec((await location.textContent()) ?? '') ?? [];
    return (side === 'F' ? -1 : 1) * Number(distance);
  };
  for (let step = 0; step < 90; step += 1) {
    const now = await sliceLocation();
    if (Math.abs(now - height) <= 2) return;
    await page.keyboard.press(now > height ? 'ArrowDown' : 'ArrowUp');
    await expect.poll(sliceLocation).not.toBe(now);
  }
  throw new Error(`No slice at ${height} mm`);
};

/** Center of mass of a sphere: the pixels closer to its own gray than to its surroundings. */
const massOf = (picture: Awaited<ReturnType<typeof pictureOf>>, around: { x: number; y: number }, reach: number) => {
  const grey = (x: number, y: number) => picture.at(x, y)[0];
  const inside = grey(around.x, around.y);
  const rim = [0, 1, 2, 3, 4, 5, 6, 7].map((turn) => {
    const angle = (turn / 8) * 2 * Math.PI;
    return grey(around.x + reach * 1.35 * Math.cos(angle), around.y + reach * 1.35 * Math.sin(angle));
  });
  const outside = rim.reduce((sum, value) => sum + value, 0) / rim.length;
  let [x, y, count] = [0, 0, 0];
  for (let row = -reach * 1.3; row <= reach * 1.3; row += 1) {
    for (let column = -reach * 1.3; column <= reach * 1.3; column += 1) {
      if (Math.hypot(row, column) > reach * 1.3) continue;
      const value = grey(around.x + column, around.y + row);
      if (Math.abs(value - inside) >= Math.abs(value - outside)) continue;
      x += around.x + column;
      y += around.y + row;
      count += 1;
    }
  }
  expect(Math.abs(inside - outside), 'the ball stands out').toBeGreaterThan(20);
  return { x: x / count, y: y / count, count };
};

const hover = async (page: Page, name: Pane, at: { x: number; y: number }) => {
  const box = await pane(page, name).boundingBox();
  if (!box) throw new Error(`No pane ${name}`);
  await page.mouse.move(box.x + at.x, box.y + at.y);
  await page.waitForTimeout(150);
};

const nodule = ball('nodule in the right upper lobe');
const node = ball('left hilar node');
const metastasis = ball('liver metastasis');

const uptakeValue = async (page: Page, name: Pane) =>
  Number(/^SUV ([\d.]+)$/.exec((await pane(page, name).getByTestId('uptake-value').textContent()) ?? '')?.[1]);

test(
  'PET overlays CT at the right position, mixes exactly, and shows the uptake of spheres',
  { tag: '@gate' },
  async ({ page }) => {
    test.setTimeout(300_000);
    const complaints = complaintsOf(page);
    const files = [...petCt({ ...study, seed: 'fusion', accessionNumber: 'FUSION' })];
    const studyUid = files[0] ? readHeader(files[0].bytes).studyInstanceUID : '';
    await signIn(page, 'radiologist');
    await upload(page, files);
    await openFusion(page, studyUid);

    await test.step('the nodule has the same center in CT and PET', async () => {
      await goToHeight(page, nodule.centre[2]);
      const [ct, pet] = [await pictureOf(page, 'CT'), await pictureOf(page, 'PET')];
      const spot = onCanvas(ct, nodule.centre);
      const [inCt, inPet] = [ct, pet].map((picture) => massOf(picture, spot, nodule.radius * spot.scale));
      for (const mass of [inCt, inPet]) {
        expect(Math.abs((mass?.x ?? 0) - spot.x), 'across').toBeLessThan(2);
        expect(Math.abs((mass?.y ?? 0) - spot.y), 'down').toBeLessThan(2);
      }
    });

    await test.step('the pointer shows the uptake of each sphere within 1 %, and its HU', async () => {
      for (const { centre, suv, hounsfield } of [nodule, node, metastasis]) {
        await goToHeight(page, centre[2]);
        const spot = onCanvas(await pictureOf(page, 'Fused'), centre);
        await hover(page, 'Fused', spot);
        expect(Math.abs((await uptakeValue(page, 'Fused')) / suv - 1), `SUV ${suv}`).toBeLessThan(0.01);
        await expect(pane(page, 'Fused').getByTestId('anatomy-value')).toHaveText(`${hounsfield} HU`);
        await expect(pane(page, 'CT').getByTestId('anatomy-value')).toHaveText(`${hounsfield} HU`);
      }
    });

    await test.step('the opacity mixes CT and PET exactly', async () => {
      await goToHeight(page, metastasis.centre[2]);
      await hover(page, 'Projection', { x: 5, y: 5 });
      // The window is SUV 0 to 15, so that no PET gray is clipped. Both images are shown in gray, so that each color is
      // their mixture.
      await page.keyboard.press('5');
      await page.getByRole('button', { name: /^Color map:/ }).click();
      await page.getByRole('menuitem', { name: 'Gray' }).click();
      const petGrey = (255 * metastasis.suv) / 15;
      // Window of the phantom's CT: width 400, level 40.
      const ctGrey = (255 * (metastasis.hounsfield + 160)) / 399;
      await page.getByRole('slider', { name: 'PET opacity' }).focus();
      await page.keyboard.press('Home');
      let percent = 0;
      for (const target of [0, 20, 50, 80, 100]) {
        for (; percent < target; percent += 10) await page.keyboard.press('+');
        await expect(page.getByText(`PET ${percent}%`)).toBeVisible();
        const picture = await pictureOf(page, 'Fused');
        const spot = onCanvas(picture, metastasis.centre);
        const expected = ctGrey * (1 - percent / 100) + petGrey * (percent / 100);
        for (const part of picture.at(spot.x, spot.y))
          expect(Math.abs(part - expected), `${percent} %: ${part} for ${expected}`).toBeLessThan(3);
      }
    });

    await test.step('a sphere in the metastasis is saved and listed with mean, maximum and peak', async () => {
      await page.keyboard.press('k');
      const list = page.getByRole('complementary', { name: 'Measurements' });
      await expect(list).toBeVisible();
      await page.keyboard.press('e');
      const spot = onCanvas(await pictureOf(page, 'Fused'), metastasis.centre);
      await hover(page, 'Fused', spot);
      await page.mouse.down();
      await hover(page, 'Fused', { x: spot.x + 2 * spot.scale, y: spot.y });
      await hover(page, 'Fused', { x: spot.x + 4 * spot.scale, y: spot.y });
      await page.mouse.up();
      const entry = list.getByRole('button', { name: /^Sphere/ });
      await expect(entry).toBeVisible();
      const words = (await entry.textContent()) ?? '';
      const [, mean, max, peak, volume] =
        /mean ([\d.]+) SUV · max ([\d.]+) SUV · peak ([\d.]+) SUV · ([\d.]+) ml/.exec(words) ?? [];
      expect(Math.abs(Number(mean) / metastasis.suv - 1), words).toBeLessThan(0.01);
      expect(Math.abs(Number(max) / metastasis.suv - 1), words).toBeLessThan(0.01);
      expect(Math.abs(Number(peak) / metastasis.suv - 1), words).toBeLessThan(0.03);
      expect(Number(volume)).toBeGreaterThan(0.15);
      expect(Number(volume)).toBeLessThan(0.4);
      await page.reload();
      await expect(entry).toHaveText(words);
      await entry.click();
      await expect(pane(page, 'Fused').locator('svg text').first()).toContainText('mean');
    });

    await test.step('keys delete and restore the sphere', async () => {
      const entry = page.getByRole('complementary', { name: 'Measurements' }).getByRole('button', { name: /^Sphere/ });
      await page.keyboard.press('Delete');
      await expect(entry).toHaveCount(0);
      await page.keyboard.press('Backspace');
      await expect(entry).toBeVisible();
    });
    expect(complaints).toEqual([]);
  },
);
