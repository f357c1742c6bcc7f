import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { numberOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import { readHeader } from '@radwork/dicom/header';
import { isSupplemented } from '@radwork/dicom/supplemental-palette';
import { expectPicture, isDecodable } from '../src/compare-pixels.ts';
import { decompressedByDcmtk, hasDcmtk, renamed, shownByDcmtk } from '../src/dcmtk-pixels.ts';
import { type ExpectedImage, expectedFrom, isDecodedHere } from '../src/expected-pixels.ts';
import { signIn } from '../src/steps.ts';
import { pictureOn, upload } from '../src/viewer-steps.ts';

const folder = resolve(import.meta.dirname, '../../../shared/dicom');
const manifest = join(folder, 'MANIFEST.tsv');
const isThere = existsSync(manifest) && hasDcmtk;
const because = isThere ? '' : ' (skipped: ../shared/dicom or DCMTK is not here)';

/** Image size in pixels: small enough for speed, large enough to detect mirroring. */
const [smallest, largest] = [24, 1100];

/** The expected image. JPEG 2000 is decoded by OpenJPEG; the rest, and colors, by DCMTK. */
const expectedOf = async (file: Buffer): Promise<ExpectedImage> => {
  if (isDecodedHere(file)) return expectedFrom(file);
  const isGrey = textOf(readHeader(file).dataset, 'PhotometricInterpretation')?.startsWith('MONOCHROME');
  return isGrey ? expectedFrom(decompressedByDcmtk(file)) : shownByDcmtk(file);
};

/** Files that are damaged on purpose, or that lack the pixels described in their header. */
const unusable = /^malformed\/|^pydicom\/charset\//;

/** Maximum number of files per encoding to search for an image without symmetry. */
const most = 6;

/** Files of the collection by encoding: transfer syntax, color, bits and sign. */
const representatives = (): Map<string, Buffer[]> => {
  const representativeFiles = new Map<string, Buffer[]>();
  for (const line of readFileSync(manifest, 'utf8').split('\n').slice(1)) {
    const [path = '', , modality = ''] = line.split('\t');
    if (path === '' || unusable.test(path) || ['SEG', 'RTDOSE', 'SM'].includes(modality)) continue;
    const file = readFileSync(join(folder, path));
    const way = wayOf(file);
    const alike = representativeFiles.get(way ?? '') ?? [];
    if (way !== undefined && alike.length < most) representativeFiles.set(way, [...alike, file]);
  }
  return representativeFiles;
};

const wayOf = (file: Buffer): string | undefined => {
  try {
    const { transferSyntaxUID, dataset } = readHeader(file);
    const number = (keyword: string) => numberOf(dataset, keyword) ?? 0;
    const [rows, columns] = [number('Rows'), number('Columns')];
    // Floating-point maps, which DCMTK cannot read.
    if (number('BitsAllocated') > 16 && number('SamplesPerPixel') === 1) return undefined;
    // Gray with a supplemental palette is drawn in colors, which DCMTK does not draw.
    if (isSupplemented(dataset)) return undefined;
    if (Math.min(rows, columns) < smallest || Math.max(rows, columns) > largest) return undefined;
    const parts = [
      number('BitsAllocated'),
      number('SamplesPerPixel'),
      number('PlanarConfiguration'),
      number('PixelRepresentation'),
    ];
    return [transferSyntaxUID, textOf(dataset, 'PhotometricInterpretation'), ...parts].join(' ');
  } catch {
    // Files that the archive rejects are never shown.
    return undefined;
  }
};

/** True for colors with more bits than the browser can draw. */
const hasDeepColours = (file: Buffer): boolean => {
  const { dataset } = readHeader(file);
  return (numberOf(dataset, 'SamplesPerPixel') ?? 1) > 1 && (numberOf(dataset, 'BitsAllocated') ?? 8) > 8;
};

/** Height of a pixel divided by its width, for an image without a pixel size (PS3.3 §C.7.6.3.1.7). */
const tallnessOf = (file: Buffer): number => {
  const { dataset } = readHeader(file);
  const [tall = 1, wide = 1] =
    valuesOf(dataset, 'PixelSpacing').length > 0 ? [] : valuesOf(dataset, 'PixelAspectRatio').map(Number);
  return tall / wide;
};

type DecodableFile = { file: Buffer; expected?: ExpectedImage };

/**
 * The first file whose image would look wrong if mirrored, with the expected image; none for files that are not shown.
 */
const tellingOneOf = async (files: readonly Buffer[]): Promise<DecodableFile | undefined> => {
  for (const original of files) {
    const file = renamed(original);
    if (hasDeepColours(file)) return { file };
    const expected = await expectedOf(file);
    if (isDecodable(expected)) return { file, expected: { ...expected, tall: tallnessOf(file) } };
  }
  return undefined;
};

/** Least number of encodings for which the collection must have a suitable image. */
const fewest = 45;

test(`every pixel encoding is shown as by another program, or covered with the reason${because}`, async ({ page }) => {
  test.skip(!isThere, '../shared/dicom or DCMTK is not here');
  test.setTimeout(600_000);
  await page.setViewportSize({ width: 900, height: 640 });
  await signIn(page, 'north.radiologist');
  let compared = 0;
  for (const [way, files] of representatives()) {
    await test.step(way, async () => {
      const representative = await tellingOneOf(files);
      if (!representative) return;
      compared += 1;
      const { file, expected } = representative;
      await upload(page, [{ bytes: file }]);
      await page.goto(`/viewer/${readHeader(file).studyInstanceUID}`);
      if (!expected) {
        await expect(page.getByRole('alert').filter({ hasText: 'could not be shown' })).toBeVisible();
        return;
      }
      await expect(page.getByTestId('image-number')).toBeVisible();
      expectPicture(await pictureOn(page), expected);
    });
  }
  expect(compared).toBeGreaterThanOrEqual(fewest);
});
