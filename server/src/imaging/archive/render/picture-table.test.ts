import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { colorsOf, pictureCases, pictureSide, pixelDataOf } from '@radwork/phantom/picture-cases';
import { expect, onTestFinished, test } from 'vitest';
import { getFrom } from '#test/archive-calls.ts';
import { comparedWith, meanDifference, tolerance } from '#test/compare-pictures.ts';
import { hasDcmtk, runDcmtk } from '#test/dcmtk.ts';
import { image } from '#test/multipart-upload.ts';
import { imageStorer } from '#test/rendered-images.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const withImage = imageStorer(world);

test.each(pictureCases)('$name: a rendered image and a thumbnail are right', async (one) => {
  const { person, instance } = await withImage(one.elements, { pixelData: pixelDataOf(one) });

  // A thumbnail is interpolated when it is larger than the image.
  for (const [path, isLossy] of [
    [`${instance}/rendered?`, false],
    [`${instance}/thumbnail?viewport=32,32&`, true],
  ] as const) {
    const { rawPayload } = await getFrom(person, `${path}accept=image/png`);
    const { shape, difference } = await comparedWith(one, rawPayload);
    expect(shape).toBeCloseTo(one.shape.wide / one.shape.tall);
    expect(difference).toBeLessThan(tolerance(one, isLossy));
  }
});

const alike = pictureCases.filter(({ otherInDcmtk }) => otherInDcmtk === undefined);

test.skipIf(!hasDcmtk).each(alike)('$name: dcmtk draws the same picture', async (one) => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-picture-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [file, pgmFile] = [join(folder, 'image.dcm'), join(folder, 'image.pgm')];
  await writeFile(file, image(one.elements, { pixelData: pixelDataOf(one) }).bytes);
  // Without a window in the file, both use the range of the table.
  const { lower, upper } = one.range;
  const window =
    'WindowCenter' in one.elements && one.elements['WindowCenter'] !== undefined
      ? ['+Wi', '1']
      : ['+Ww', String((lower + upper + 1) / 2), String(upper - lower + 1)];

  const { status } = await runDcmtk('dcmj2pnm', ...window, '+op', file, pgmFile);

  expect(status).toBe(0);
  const expectedGrays = [...(await readFile(pgmFile)).subarray(-(pictureSide ** 2))];
  expect(
    meanDifference(
      expectedGrays,
      colorsOf(one).map(([gray]) => gray),
    ),
  ).toBeLessThan(1);
});
