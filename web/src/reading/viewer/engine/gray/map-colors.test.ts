import type { StackViewport } from '@cornerstonejs/core';
import { expect, test } from 'vitest';
import { type ImageInMemory, stackWithoutScreen } from '#test/stack-without-graphics.ts';
import { invert, reset, setWindow } from '#reading/viewer/engine/stack/view-commands.ts';
import { colorAt } from '#reading/viewer/fusion/pet/color-maps.ts';
import { chooseMapColors, mapColorsOf } from './map-colors.ts';
import { propertyOf } from './gray-property.ts';
import { greysThroughTables } from './voi-lut-gray.ts';

let count = 0;

/** Shows a stack of two images whose window is 0 to 10. */
const stack = async (about: Partial<ImageInMemory> = {}, draws?: 'processor'): Promise<StackViewport> => {
  const images = [1, 2].map(() => {
    count += 1;
    return { imageId: `map-colors:${count}/frames/1`, center: 5.5, width: 11, ...about };
  });
  const viewport = await stackWithoutScreen(images, draws);
  greysThroughTables(viewport);
  return viewport;
};

/** Returns the color in which a pixel value is drawn. */
const drawn = (viewport: StackViewport, value: number): string => {
  const color: number[] = [];
  propertyOf(viewport)?.getRGBTransferFunction(0)?.getColor(value, color);
  return `rgb(${color.map((part) => Math.round(part * 255)).join(' ')})`;
};

const colorsOf = (viewport: StackViewport, values: readonly number[] = [0, 4, 10]) =>
  values.map((value) => drawn(viewport, value));

const inRainbow = [0, 0.4, 1].map((share) => colorAt('Rainbow', share));
const inGrays = [0, 0.4, 1].map((share) => colorAt('Grey', share));

test('a map is drawn in the colors of its scale', async () => {
  const viewport = await stack();
  expect(colorsOf(viewport)).toEqual(inGrays);

  chooseMapColors(viewport, 'Rainbow');

  expect([colorsOf(viewport), mapColorsOf(viewport)]).toEqual([inRainbow, 'Rainbow']);
});

test('colors follow the window', async () => {
  const viewport = await stack();
  chooseMapColors(viewport, 'Rainbow');

  setWindow(viewport, { lower: 10, upper: 60 });

  expect(colorsOf(viewport, [10, 30, 60])).toEqual(inRainbow);
});

test('an inverted map has the colors in reverse order, not their complements', async () => {
  const viewport = await stack();
  chooseMapColors(viewport, 'Rainbow');

  invert(viewport);

  expect(colorsOf(viewport, [10, 6, 0])).toEqual(inRainbow);
});

test('colors stay on the next image and when the view is reset', async () => {
  const viewport = await stack();
  chooseMapColors(viewport, 'Rainbow');

  await viewport.setImageIdIndex(1);
  expect(colorsOf(viewport)).toEqual(inRainbow);
  reset(viewport);
  expect(colorsOf(viewport)).toEqual(inRainbow);
});

test('a map returns to its grays, also if it is inverted', async () => {
  const viewport = await stack({ photometricInterpretation: 'MONOCHROME1' });
  const before = colorsOf(viewport);
  chooseMapColors(viewport, 'Hot iron');

  chooseMapColors(viewport, 'Grey');

  expect(colorsOf(viewport)).toEqual(before);
  expect(before).toEqual(inGrays.toReversed().with(1, colorAt('Grey', 0.6)));
});

test('without a graphics card, a map stays gray', async () => {
  const viewport = await stack({}, 'processor');

  chooseMapColors(viewport, 'Rainbow');

  expect(mapColorsOf(viewport)).toBe('Grey');
});
