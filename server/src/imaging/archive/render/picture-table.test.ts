import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ImageLook, keyImages } from '@radwork/contract/reading/key-images';
import { colorsOf, type PictureCase, pictureCases, pictureSide, pixelDataOf } from '@radwork/phantom/picture-cases';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { hasDcmtk, runDcmtk } from '#test/dcmtk.ts';
import { image } from '#test/multipart-upload.ts';
import { imageStorer, pixelsOf } from '#test/rendered-images.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const withImage = imageStorer(world);

type Drawn = { pixels: number[]; columns: number; rows: number; channels: number };

/** Returns red, green and blue of each pixel of the image, from a picture in which pixels may be stretched. */
const perPixel = ({ pixels, columns, rows, channels }: Drawn): number[] =>
  Array.from({ length: pictureSide ** 2 }, (_, index) => {
    const column = Math.floor((((index % pictureSide) + 0.5) * columns) / pictureSide);
    const row = Math.floor(((Math.floor(index / pictureSide) + 0.5) * rows) / pictureSide);
    const at = channels * (row * columns + column);
    return [0, 1, 2].map((channel) => pixels[at + (channels < 3 ? 0 : channel)] ?? Number.NaN);
  }).flat();

const meanDifference = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, gray, index) => sum + Math.abs(gray - (other[index] ?? Number.NaN)), 0) / one.length;

/** Stretched pixels are interpolated, and a JPEG is lossy. */
const tolerance = ({ shape }: PictureCase, isLossy: boolean) =>
  (shape.wide === shape.tall ? 0.01 : 8) + (isLossy ? 6 : 0);

const shapeOf = ({ columns, rows }: Pick<Drawn, 'columns' | 'rows'>) => columns / rows;

/** Mean difference between a picture and the table, in gray levels. */
const differenceOf = (drawn: Drawn, one: PictureCase) => meanDifference(perPixel(drawn), colorsOf(one).flat());

test.each(pictureCases)('$name: a rendered image and a thumbnail are right', async (one) => {
  const { person, instance } = await withImage(one.elements, { pixelData: pixelDataOf(one) });

  // A thumbnail is interpolated when it is larger than the image.
  for (const [path, isLossy] of [
    [`${instance}/rendered?`, false],
    [`${instance}/thumbnail?viewport=32,32&`, true],
  ] as const) {
    const { rawPayload } = await getFrom(person, `${path}accept=image/png`);
    const drawnImage = await pixelsOf(rawPayload);
    expect(shapeOf(drawnImage)).toBeCloseTo(one.shape.wide / one.shape.tall);
    expect(differenceOf(drawnImage, one)).toBeLessThan(tolerance(one, isLossy));
  }
});

test.each(pictureCases)('$name: a key image, and so its print in a report, is right', async (one) => {
  const author = await world.signIn();
  await storeAs(author, image(one.elements, { pixelData: pixelDataOf(one) }));
  const stored = await author.inScope(({ db }) =>
    db
      .selectFrom('instances as i')
      .innerJoin('series as s', 's.id', 'i.series_id')
      .select(['s.study_id', 's.series_instance_uid', 'i.sop_instance_uid'])
      .executeTakeFirstOrThrow(),
  );
  const look: ImageLook = {
    window: one.range,
    isInverted: false,
    rotation: 0,
    isMirroredAcross: false,
    isMirroredDown: false,
    zoom: 1,
    pan: [0, 0],
  };
  const params = { id: stored.study_id, keyImageId: newId() };
  const ids = { seriesInstanceUID: stored.series_instance_uid, sopInstanceUID: stored.sop_instance_uid };
  await author.send(keyImages.save, { params, body: { ...ids, frame: 1, note: '', look, revision: 0 } });

  const { data } = await author.send(keyImages.picture, { params });

  const { src } = data;
  const drawnImage = await pixelsOf(Buffer.from(src.slice(src.indexOf(',') + 1), 'base64'));
  expect(shapeOf(drawnImage)).toBeCloseTo(one.shape.wide / one.shape.tall);
  expect(differenceOf(drawnImage, one)).toBeLessThan(tolerance(one, true));
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
