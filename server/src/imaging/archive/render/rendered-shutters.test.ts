import { expect, test } from 'vitest';
import { bitsOf, planeIn } from '#test/overlay-planes.ts';
import { asStored, imageStorer, rampBytes, upward, valuesOf } from '#test/rendered-images.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const withImage = imageStorer(world);

const window = { WindowCenter: 128, WindowWidth: 256, VOILUTFunction: 'LINEAR_EXACT' };
const plain = { ...asStored, ...window };

/** The grays of the ramp, with another gray where a pixel is not visible. */
const shuttered = (isVisible: (row: number, column: number) => boolean, gray = 0): number[] =>
  upward.map((own, index) => (isVisible(index >> 4, index & 15) ? own : gray));

const rectangular = {
  ShutterShape: 'RECTANGULAR',
  ShutterLeftVerticalEdge: 3,
  ShutterRightVerticalEdge: 10,
  ShutterUpperHorizontalEdge: 2,
  ShutterLowerHorizontalEdge: 12,
};
const isInRectangle = (row: number, column: number) => row >= 1 && row <= 11 && column >= 2 && column <= 9;

test('a rectangular shutter hides all outside its edges', async () => {
  const { person, instance } = await withImage({ ...plain, ...rectangular }, { pixelData: rampBytes });

  expect(await valuesOf(person, instance)).toEqual(shuttered(isInRectangle));
});

test('a circular shutter has the gray that its file names', async () => {
  const { person, instance } = await withImage(
    {
      ...plain,
      ShutterShape: 'CIRCULAR',
      CenterOfCircularShutter: [8, 9],
      RadiusOfCircularShutter: 4,
      ShutterPresentationValue: 0x8000,
    },
    { pixelData: rampBytes },
  );

  // At a distance of four, only the four pixels on the axes are touched by the edge.
  const renderedValues = await valuesOf(person, instance);
  const distance = (index: number) => Math.hypot((index >> 4) - 7, (index & 15) - 8);
  const clear = upward.map((_, index) => index).filter((index) => Math.abs(distance(index) - 4) > 0.01);
  const expected = shuttered((row, column) => Math.hypot(row - 7, column - 8) < 4, 128);
  expect(clear.map((index) => renderedValues[index])).toEqual(clear.map((index) => expected[index]));
});

test('several shutters hide all that any of them hides', async () => {
  // A triangle below the diagonal.
  const polygon = { VerticesOfThePolygonalShutter: [1, 1, 16, 1, 16, 16] };
  const { person, instance } = await withImage(
    { ...plain, ...rectangular, ShutterShape: ['RECTANGULAR', 'POLYGONAL'], ...polygon },
    { pixelData: rampBytes },
  );

  const renderedValues = await valuesOf(person, instance);
  const expected = shuttered((row, column) => isInRectangle(row, column) && column < row);
  const clear = upward.map((_, index) => index).filter((index) => index >> 4 !== (index & 15));
  expect(clear.map((index) => renderedValues[index])).toEqual(clear.map((index) => expected[index]));
});

/** Red of a screen in CIELab, as DICOM encodes it. */
const redInLab = [35_580, 53_665, 50_856];

test('a bitmap shutter hides the pixels that its overlay plane marks', async () => {
  const hidden = [0, 17, 200];
  const { person, instance } = await withImage(
    {
      ...plain,
      ShutterShape: 'BITMAP',
      ShutterOverlayGroup: 0x6002,
      ShutterPresentationValue: 0x4000,
      ...planeIn('6000', { data: bitsOf(256, [5, 17]) }),
      ...planeIn('6002', { type: 'R', data: bitsOf(256, hidden) }),
    },
    { pixelData: rampBytes },
  );

  const expected = shuttered((row, column) => !hidden.includes(16 * row + column), 64);
  for (const index of [5, 17]) expected[index] = 255;
  expect(await valuesOf(person, instance)).toEqual(expected);
});

test('a shutter has the color that its file names in CIELab', async () => {
  const { person, instance } = await withImage(
    { ...plain, ...rectangular, ShutterPresentationValue: 0x8000, ShutterPresentationColorCIELabValue: redInLab },
    { pixelData: rampBytes },
  );

  const expected = upward.flatMap((gray, index) =>
    isInRectangle(index >> 4, index & 15) ? [gray, gray, gray] : [255, 0, 0],
  );
  const values = await valuesOf(person, instance);
  expect(values).toHaveLength(expected.length);
  expect(Math.max(...values.map((value, at) => Math.abs(value - (expected[at] ?? Number.NaN))))).toBeLessThan(4);
});

test('an overlay plane is drawn over a shutter', async () => {
  const { person, instance } = await withImage(
    { ...plain, ...rectangular, ...planeIn('6000', { data: bitsOf(256, [255]) }) },
    { pixelData: rampBytes },
  );

  const expected = shuttered(isInRectangle);
  expected[255] = 255;
  expect(await valuesOf(person, instance)).toEqual(expected);
});
