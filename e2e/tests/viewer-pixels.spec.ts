import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { numberOf, textOf } from '@radwork/dicom/dataset';
import { type Header, readHeader } from '@radwork/dicom/header';
import { computedRadiography, ctVolume, magneticResonance, petCt, ultrasoundCine } from '@radwork/phantom/studies';
import {
  crTruth,
  ctTruth,
  mrTruth,
  petTruth,
  pixelOf,
  type Plane,
  type Point,
  sliceThrough,
  usTruth,
} from '@radwork/phantom/known-values';
import { expectBall, expectPicture } from '../src/compare-pixels.ts';
import { expectedFrom } from '../src/expected-pixels.ts';
import { complaintsOf, readCanvas, signIn } from '../src/steps.ts';
import {
  drag,
  measurements,
  openViewer,
  pictureOn,
  placementOf,
  scrollTo,
  showSeries,
  upload,
} from '../src/viewer-steps.ts';

const patient = {
  PatientName: 'Pixel^Paula',
  PatientID: 'E2E-PX',
  PatientBirthDate: '19610203',
  PatientSex: 'F',
} as const;
const study = (seed: string) => ({
  seed: `pixels ${seed}`,
  patient,
  studyDate: '20261112',
  accessionNumber: `PX-${seed}`,
});

/** StudyInstanceUID of the first file. */
const uidOf = (files: readonly { bytes: Buffer }[]): string => {
  if (!files[0]) throw new Error('There are no files');
  return readHeader(files[0].bytes).studyInstanceUID;
};

const openInViewer = async (page: Page, files: readonly { bytes: Buffer }[]) => {
  await signIn(page, 'radiologist');
  await upload(page, files);
  await openViewer(page, uidOf(files));
};

type Sphere = { name: string; centre: Point; radius: number };

/** Scrolls to the slice through each sphere and compares it. `greyOf` gives its expected gray. */
const expectSpheres = async <S extends Sphere>(
  page: Page,
  planes: readonly Plane[],
  spheres: readonly S[],
  greyOf: (sphere: S) => number,
  areaWithin = 0.08,
) => {
  for (const sphere of spheres) {
    await test.step(sphere.name, async () => {
      const slice = sliceThrough(sphere.centre, planes);
      const plane = planes[slice];
      if (!plane) throw new Error('The sphere lies in no slice');
      await scrollTo(page, slice + 1);
      const picture = await pictureOn(page);
      const { row, column, distance } = pixelOf(sphere.centre, plane);
      const radius = Math.sqrt(sphere.radius ** 2 - distance ** 2) / plane.pixelSpacing;
      expectBall(picture, placementOf(picture, plane), { row, column, radius, grey: greyOf(sphere) }, areaWithin);
    });
  }
};

/** Gray of a value in a window from `lower` to `upper`. */
const shade = (value: number, lower: number, upper: number) =>
  255 * Math.min(1, Math.max(0, (value - lower) / (upper - lower)));

/** Range of a file's first window (PS3.3 §C.11.2.1.2.1). */
const windowOf = (file: { bytes: Buffer } | undefined): { lower: number; upper: number } => {
  if (!file) throw new Error('There is no such file');
  const { dataset } = readHeader(file.bytes);
  const [center = 0, width = 0] = [numberOf(dataset, 'WindowCenter'), numberOf(dataset, 'WindowWidth')];
  return { lower: center - 0.5 - (width - 1) / 2, upper: center - 0.5 + (width - 1) / 2 };
};

const spheresNamed = <S extends { name: string }>(spheres: readonly S[], ...names: string[]) =>
  spheres.filter(({ name }) => names.includes(name));

test('a CT shows each known sphere at its position, with its size and density', { tag: '@gate' }, async ({ page }) => {
  const complaints = complaintsOf(page);
  await openInViewer(page, [...ctVolume(study('ct'))]);
  const spheres = spheresNamed(ctTruth.spheres, 'granuloma in the left lower lobe', 'liver metastasis', 'liver cyst');

  await expectSpheres(page, ctTruth.planes({}), spheres, ({ hounsfield }) => shade(hounsfield, -160, 239));

  await expect(page.getByText('W 400  L 40')).toBeVisible();
  expect(complaints).toEqual([]);
});

/** Gives the emulated graphics card of the test browser the name of a real one, so that it draws all images. */
const nameCard = () => {
  const unmaskedRenderer = 0x92_46;
  const { prototype } = WebGL2RenderingContext;
  const getParameter = Reflect.get(prototype, 'getParameter');
  prototype.getParameter = function named(this: WebGL2RenderingContext, name: number): unknown {
    return name === unmaskedRenderer ? 'A graphics card' : getParameter.call(this, name);
  };
};

test('the processor and a graphics card draw the same grays in a resized window, also rotated, mirrored and inverted', async ({
  page,
}) => {
  await page.setViewportSize({ width: 700, height: 800 });
  const files = [...ctVolume({ ...study('card'), slices: 3, size: 128 })];
  await openInViewer(page, files);
  const before = await readCanvas(page);
  await page.setViewportSize({ width: 900, height: 700 });
  await expect.poll(async () => (await readCanvas(page)).width).toBeGreaterThan(before.width);
  const draw = async () => {
    const pictures = [];
    await scrollTo(page, 2);
    for (const key of ['', 'o', 'h', 'i', 'x']) {
      if (key !== '') await page.keyboard.press(key);
      pictures.push(await readCanvas(page));
    }
    return pictures;
  };

  const onProcessor = await draw();
  await page.addInitScript(nameCard);
  await openViewer(page, uidOf(files));
  const onCard = await draw();

  for (const [at, { width, height, rgba }] of onProcessor.entries()) {
    const other = onCard[at];
    expect([other?.width, other?.height]).toEqual([width, height]);
    const apart = rgba.map((value, index) => Math.abs(value - (other?.rgba[index] ?? Number.NaN)));
    const mean = apart.reduce((sum, difference) => sum + difference, 0) / apart.length;
    expect(mean, 'grays by which the two differ on average').toBeLessThan(0.5);
  }
});

/** The most visible sphere of each weighting. */
const brightest = { T1: 'right parietal lipoma', T2: 'right cerebellar cyst', FLAIR: 'left frontal tumour' } as const;

test('an MR shows its spheres in every plane, with the brightness of each weighting', async ({ page }) => {
  const files = [...magneticResonance(study('mr'))];
  await openInViewer(page, files);

  for (const { description, folder, weighting, planes } of mrTruth.series) {
    const { lower, upper } = windowOf(files.find(({ name }) => name.startsWith(folder)));
    await showSeries(page, description);
    const spheres = spheresNamed(mrTruth.spheres, brightest[weighting]);
    await expectSpheres(page, planes({}), spheres, ({ signal }) => shade(signal[weighting], lower, upper));
  }
});

test('a PET shows uptake from zero to the selected preset', async ({ page }) => {
  await openInViewer(page, [...petCt(study('pet'))]);
  await showSeries(page, 'PET AC');
  await expect(page.getByText('SUV 0.0–5.0')).toBeVisible();

  await page.keyboard.press('4');

  await expect(page.getByText('SUV 0.0–10.0')).toBeVisible();
  const spheres = spheresNamed(
    petTruth.spheres,
    'nodule in the right upper lobe',
    'left hilar node',
    'liver metastasis',
  );
  // Pixels of 5 mm and the blur of the scanner make the edge of a 12 mm sphere uncertain.
  await expectSpheres(page, petTruth.planes({}), spheres, ({ suv }) => shade(suv, 0, 10), 0.35);
});

test('a radiograph shows its lead balls 100 mm apart, white in both photometric interpretations, even after "Reset view"', async ({
  page,
}) => {
  test.setTimeout(240_000);
  const plate = crTruth.plate(1024);
  const balls = crTruth.leadBalls.map(({ centre, radius }) => ({ ...pixelOf(centre, plate), radius }));
  const expectBalls = async (grey: number) => {
    const picture = await pictureOn(page);
    const placement = placementOf(picture, plate);
    for (const { row, column, radius } of balls) {
      const ball = { row, column, radius: radius / plate.pixelSpacing, grey };
      expectBall(picture, placement, ball, 0.35);
    }
    return placement;
  };
  const isInverted = page.getByText('inverted', { exact: false });

  for (const photometricInterpretation of ['MONOCHROME2', 'MONOCHROME1'] as const) {
    await test.step(photometricInterpretation, async () => {
      await openInViewer(page, [
        ...computedRadiography({ ...study(`cr ${photometricInterpretation}`), photometricInterpretation }),
      ]);
      const placement = await expectBalls(255);

      await page.keyboard.press('i');
      await expect(isInverted).toBeVisible();
      await expectBalls(0);
      await page.keyboard.press('r');

      await expect(isInverted).toHaveCount(0);
      await expectBalls(255);
      await page.keyboard.press('r');
      await expectBalls(255);

      const [upper, lower] = balls.map((ball) => placement.of(ball));
      if (!upper || !lower) throw new Error('There are two balls');
      await page.keyboard.press('l');
      await drag(page, upper, lower);

      await expect(measurements(page)).toHaveText(/^(99\.\d|100(\.\d)?) mm at the detector$/);
    });
  }
});

test(
  'an ultrasound clip keeps its colors, and measures in cm only where calibrated',
  { tag: '@gate' },
  async ({ page }) => {
    await openInViewer(page, [...ultrasoundCine(study('us'))]);
    // Uses a later frame, because metadata of an image must apply to all its frames.
    await scrollTo(page, 3);
    const picture = await pictureOn(page);
    const placement = placementOf(picture, usTruth);
    const at = ([column, row]: readonly [number, number]) => placement.of({ row, column });
    const [first, second] = usTruth.calipers.pixels;

    const isYellow = ({ red, green, blue }: { red: number; green: number; blue: number }) =>
      red > 180 && green > 160 && blue < 140;
    expect([first, second].map((cross) => isYellow(picture.at(at(cross))))).toEqual([true, true]);
    expect(isYellow(picture.at(at([usTruth.columns - 1 - first[0], first[1]])))).toBe(false);

    await page.keyboard.press('l');
    await drag(page, at(first), at(second));
    await drag(page, at([200, 400]), at([300, 400]));
    await drag(page, at([200, 345]), at([300, 345]));

    await expect(measurements(page)).toHaveText([
      /^(3\.9\d|4(\.0\d)?) cm$/,
      /^0\.(49\d?|50?\d?) sΔv \d(\.\d)? cm\/s$/,
      /^(99\.\d|100(\.\d)?) pxoutside the calibrated regions$/,
    ]);
  },
);

const realFiles = resolve(import.meta.dirname, '../../../shared/dicom');
const areThere = existsSync(realFiles);

/** Series of the shared collection: uncompressed, JPEG 2000, JPEG-LS, HTJ2K, in color, and with uptake. */
const realSeries = [
  { name: 'CT', folder: 'ct-chest-explicit', files: /^\d+\.dcm$/ },
  { name: 'MR', folder: 'mr-multiseries-sr', files: /^MR00\d\d_63\.155\.dcm$/ },
  { name: 'CR', folder: 'pydicom/data', files: /^RG3_J2KI\.dcm$/ },
  { name: 'DX', folder: 'dx', files: /^DX/ },
  { name: 'colour ultrasound', folder: 'us-multiframe-colour', files: /^I_000034\.dcm$/ },
  { name: 'CT of a PET/CT', folder: 'petct-acrin042/ct', files: /^CT006/ },
  { name: 'PET of a PET/CT', folder: 'petct-acrin042/pt-ac', files: /^PT006/ },
];

const filesOf = ({ folder, files }: (typeof realSeries)[number]): { bytes: Buffer; header: Header }[] =>
  readdirSync(join(realFiles, folder))
    .filter((name) => files.test(name))
    .map((name) => readFileSync(join(realFiles, folder, name)))
    .map((bytes) => ({ bytes, header: readHeader(bytes) }))
    .toSorted((one, other) => instanceNumberOf(one.header) - instanceNumberOf(other.header));

const instanceNumberOf = ({ dataset }: Header) => numberOf(dataset, 'InstanceNumber') ?? 0;

const because = areThere ? '' : ' (skipped: ../shared/dicom is not here)';
test(`real images are shown pixel by pixel as in their files${because}`, async ({ page }) => {
  test.skip(!areThere, '../shared/dicom is not here');
  // Uses another organization, because another test may have stored the whole series here, with other images first.
  await signIn(page, 'north.radiologist');

  for (const series of realSeries) {
    await test.step(series.name, async () => {
      const files = filesOf(series);
      const [first] = files;
      if (!first) throw new Error(`There are no files in ${series.folder}`);
      await upload(page, files);
      await openViewer(page, first.header.studyInstanceUID);
      const description = textOf(first.header.dataset, 'SeriesDescription');
      if (description) await showSeries(page, description);

      expectPicture(await pictureOn(page), await expectedFrom(first.bytes));
    });
  }
});
