import { expect, test } from 'vitest';
import { shownGrey, stackWithoutScreen } from '#test/stack-without-graphics.ts';
import { applyGrayPerImage } from './gray-per-image.ts';
import { lookOf } from '#reading/viewer/engine/stack/image-look.ts';
import { invert } from '#reading/viewer/engine/stack/view-commands.ts';

const white = [0, 0.25, 1];
const black = [1, 0.75, 0];
const asRecorded = { MONOCHROME1: black, MONOCHROME2: white };
const negative = { MONOCHROME1: white, MONOCHROME2: black };

let lastNumber = 0;

const stackOf = async (...interpretations: ('MONOCHROME1' | 'MONOCHROME2')[]) => {
  lastNumber += 1;
  const viewport = await stackWithoutScreen(
    interpretations.map((photometricInterpretation, at) => ({
      imageId: `greys of each:${lastNumber}.${at}`,
      photometricInterpretation,
      center: 500.5,
      width: 1001,
    })),
  );
  applyGrayPerImage(viewport);
  const greys = () => [0, 250, 1000].map((value) => shownGrey(viewport, value));
  return { viewport, greys, isInverted: () => lookOf(viewport)?.isInverted };
};

test.each([
  ['MONOCHROME1', 'MONOCHROME2'],
  ['MONOCHROME2', 'MONOCHROME1'],
] as const)('scrolling from %s to %s and back turns no image into a negative', async (first, second) => {
  const { viewport, greys, isInverted } = await stackOf(first, second);

  await viewport.setImageIdIndex(1);
  expect([greys(), isInverted()]).toEqual([asRecorded[second], false]);

  await viewport.setImageIdIndex(0);
  expect([greys(), isInverted()]).toEqual([asRecorded[first], false]);
});

test('if the user inverts an image, the next image is inverted too', async () => {
  const { viewport, greys, isInverted } = await stackOf('MONOCHROME1', 'MONOCHROME2');
  invert(viewport);

  await viewport.setImageIdIndex(1);

  expect([greys(), isInverted()]).toEqual([negative.MONOCHROME2, true]);
});
